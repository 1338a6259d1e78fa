package drill

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

const (
	folderPrefix = "countersign-drill-"
	markName     = "drill.mark"
	storeName    = "desk.db"
)

// newTrial makes the folder of one trial below root and marks it as the
// drill's own.
func newTrial(root, name string) (dir, token string, err error) {
	if dir, err = os.MkdirTemp(root, name+"-"); err != nil {
		return "", "", err
	}
	token = rand.Text()
	return dir, token, os.WriteFile(filepath.Join(dir, markName), []byte(token), 0o600)
}

// checkFolder lets a child open nothing but a store that the drill made: in a
// folder with its mark, inside a drill's own folder, and no link to a file that
// lies elsewhere.
func (h hello) checkFolder() error {
	refused := fault.New(fault.InvalidUsage, "this is no folder of a drill").WithHint("Run `countersign drill`; it makes its own.")
	parent := filepath.Base(filepath.Dir(h.Folder))
	if !filepath.IsAbs(h.Folder) || !strings.HasPrefix(parent, folderPrefix) || h.Token == "" {
		return refused
	}
	for _, name := range []string{"", markName, storeName} {
		info, err := os.Lstat(filepath.Join(h.Folder, name))
		if os.IsNotExist(err) && name == storeName {
			continue // the first child makes it
		}
		if err != nil || name == "" && !info.IsDir() || name != "" && !alone(info) {
			return refused
		}
	}
	mark, err := os.ReadFile(filepath.Join(h.Folder, markName))
	if err != nil || string(mark) != h.Token {
		return refused
	}
	for _, site := range h.Sites {
		if !strings.HasPrefix(site, "http://127.0.0.1:") {
			return fault.Newf(fault.InvalidUsage, "%s is no site of a drill", site)
		}
	}
	return nil
}

// admits reports whether a task may exist in a drill: it reaches the drill's
// sites alone, with nothing of the person's.
func (h hello) admits(r task.StartRequest) bool {
	k := r.Constraints
	foreign := func(origin string) bool { return !slices.Contains(h.Sites, origin) }
	return len(k.Origins) > 0 && !slices.ContainsFunc(k.Origins, foreign) && !k.AllowDestructive &&
		k.BrowserEndpoint == "" && k.BrowserProfile == "" && len(k.Surfaces) == 1 && k.Surfaces[0] == "browser"
}

func errForeign() error {
	return fault.New(fault.InvalidUsage, "a drill runs nothing but its own tasks on its own sites")
}
