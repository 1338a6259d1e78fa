package remote

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"countersign/surfaces/fault"
)

// A desk that was suspended by ctrl+z is not waited for: the person hears of the
// lock at once, and how to bring that desk back.
func TestDialOfASuspendedDesk(t *testing.T) {
	const where = "COUNTERSIGN_TEST_SOCKET"
	if path := os.Getenv(where); path != "" { // the desk that is suspended
		if _, err := net.Listen("unix", path); err != nil {
			t.Fatal(err)
		}
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		select {}
	}
	path := filepath.Join(t.TempDir(), "s.sock")
	desk := exec.Command(os.Args[0], "-test.run=^TestDialOfASuspendedDesk$")
	desk.Env = append(os.Environ(), where+"="+path)
	if err := desk.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = desk.Process.Kill(), desk.Wait() })
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(desk.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("the other desk did not stop: %v, %v", status, err)
	}
	began := time.Now()
	_, err := Dial(t.Context(), path)
	wantCode(t, err, fault.StoreLocked)
	if took := time.Since(began); took > helloPatience/2 {
		t.Errorf("it took %v", took)
	}
	if f := fault.Of(err); !strings.Contains(f.Hint, "fg") {
		t.Errorf("the hint is %q", f.Hint)
	}
}
