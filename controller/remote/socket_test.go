package remote

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/surfaces/fault"
)

func TestFolder(t *testing.T) {
	for _, row := range []struct{ runtime, want string }{
		{"/run/user/1000", "/run/user/1000/countersign"},
		{"", "/home/x/state/run"},
		{"relative", "/home/x/state/run"},
	} {
		if got := Folder(row.runtime, "/home/x/state"); got != row.want {
			t.Errorf("with %q: got %s, want %s", row.runtime, got, row.want)
		}
	}
}

func TestOneStoreOneName(t *testing.T) {
	dir := t.TempDir()
	store, link := filepath.Join(dir, "desk.db"), filepath.Join(dir, "link.db")
	if err := os.WriteFile(store, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(store, link); err != nil {
		t.Fatal(err)
	}
	if Socket("/r", store) != Socket("/r", link) {
		t.Error("the same store has two names")
	}
	if Socket("/r", store) == Socket("/r", filepath.Join(dir, "other.db")) {
		t.Error("two stores share a name")
	}
}

func TestSocketAndFolderAreTheUsersAlone(t *testing.T) {
	s := serve(t)
	for path, want := range map[string]os.FileMode{filepath.Dir(s.path): 0o700 | os.ModeDir, s.path: 0o600 | os.ModeSocket} {
		found, err := os.Lstat(path)
		if err != nil || found.Mode() != want {
			t.Errorf("%s has mode %v %v, want %v", path, found.Mode(), err, want)
		}
	}
	if err := s.server.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(s.path); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
}

func TestFolderOfOthersIsRefused(t *testing.T) {
	for name, prepare := range map[string]func(dir string) error{
		"others may enter": func(dir string) error { return os.Mkdir(dir, 0o755) },
		"a link": func(dir string) error {
			if err := os.Mkdir(dir+"-real", 0o700); err != nil {
				return err
			}
			return os.Symlink(dir+"-real", dir)
		},
		"a file": func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			_, err := Listen(filepath.Join(dir, "s.sock"))
			wantCode(t, err, fault.PermDenied)
		})
	}
	t.Run("another user's", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only the superuser can give a folder away")
		}
		dir := filepath.Join(t.TempDir(), "run")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(dir, 12345, -1); err != nil {
			t.Fatal(err)
		}
		_, err := Listen(filepath.Join(dir, "s.sock"))
		wantCode(t, err, fault.PermDenied)
	})
}

func TestLeftoverIsReplacedALiveOneNever(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run", "s.sock")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false) // as kill -9 leaves it
	_ = dead.Close()
	_, err = Dial(t.Context(), path)
	wantCode(t, err, fault.DeskGone)
	l, err := Listen(path)
	if err != nil {
		t.Fatalf("the left-over socket was not replaced: %v", err)
	}
	_, err = Listen(path)
	wantCode(t, err, fault.PermDenied)
	_ = l.Close()

	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Listen(path)
	wantCode(t, err, fault.PermDenied)
	if b, err := os.ReadFile(path); err != nil || string(b) != "mine" {
		t.Errorf("the file was touched: %q %v", b, err)
	}
}

func TestTooLongAPathIsSaid(t *testing.T) {
	_, err := Listen(filepath.Join(t.TempDir(), strings.Repeat("x", 120), "s.sock"))
	wantCode(t, err, fault.PermDenied)
}

func TestPeerMustBeTheSameUser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	near, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = near.Close() })
	far, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = far.Close() })
	for name, conn := range map[string]net.Conn{"at the desk": far, "at the client": near} {
		if pid, err := checkPeer(conn, os.Geteuid()); err != nil || pid != os.Getpid() {
			t.Errorf("%s: our own process is %d, %v", name, pid, err)
		}
		if _, err := checkPeer(conn, os.Geteuid()+1); err == nil {
			t.Errorf("%s: another user's process got through", name)
		}
	}
	pipe, other := net.Pipe()
	_ = other.Close()
	if _, err := checkPeer(pipe, os.Geteuid()); err == nil {
		t.Error("what is no socket got through")
	}
}

// What answers at the socket and is no desk that we know leaves the store
// locked, with the next move.
func TestDialOfWhatIsNoDesk(t *testing.T) {
	for name, row := range map[string]struct {
		serve http.HandlerFunc
		says  string
	}{
		"suspended": {nil, "does not answer"},
		"another version": {func(w http.ResponseWriter, _ *http.Request) {
			reply(w, 200, success(Hello{Versions: []string{"v9"}, PID: 7, Version: "9.0"}))
		}, "another version"},
		"something else": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }, "no desk"},
		"an older desk": {func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(map[string]bool{"ok": true})
		}, "no desk"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.sock")
			l, err := net.Listen("unix", path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = l.Close() })
			ctx := t.Context()
			if row.serve == nil {
				short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
				defer cancel()
				ctx = short
			} else {
				server := &http.Server{Handler: row.serve}
				ended := make(chan error, 1)
				go func() { ended <- server.Serve(l) }()
				t.Cleanup(func() { _, _ = server.Close(), <-ended })
			}
			_, err = Dial(ctx, path)
			wantCode(t, err, fault.StoreLocked)
			if f := fault.Of(err); !strings.Contains(f.Message, row.says) || f.Hint == "" {
				t.Errorf("got %q, hint %q; want %q in it", f.Message, f.Hint, row.says)
			}
		})
	}
}
