package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"
)

// crash is one panic. Its value is never printed unless the runtime made it: a
// value somebody panicked with could hold a secret.
type crash struct {
	what  string
	stack []byte
}

func newCrash(v any) *crash {
	what := fmt.Sprintf("a value of type %T (not shown: it could hold a secret)", v)
	if err, ok := v.(runtime.Error); ok {
		what = err.Error()
	}
	return &crash{what: what, stack: debug.Stack()}
}

// write keeps the crash in a file of its own and returns its path. The stack
// holds function names and addresses, no values.
func (c *crash) write(dir, version string, at time.Time) (string, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "crash-"+at.UTC().Format("20060102-150405.000")+".txt")
	body := fmt.Sprintf("countersign %s, %s\n%s\npanic: %s\n\n%s", version, runtime.Version(), at.UTC().Format(time.RFC3339), c.what, c.stack)
	return path, os.WriteFile(path, []byte(body), 0o600)
}
