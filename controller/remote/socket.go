package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"countersign/surfaces/fault"
)

// Folder is where sockets lie: in the runtime folder of the XDG base directory
// specification (0.8), or below the state folder where there is none.
func Folder(runtime, state string) string {
	if filepath.IsAbs(runtime) {
		return filepath.Join(runtime, "countersign")
	}
	return filepath.Join(state, "run")
}

// Socket is the path of the socket for the store at an absolute path. One store
// has one name, by whatever link it is reached.
func Socket(folder, store string) string {
	if real, err := filepath.EvalSymlinks(store); err == nil {
		store = real
	}
	sum := sha256.Sum256([]byte(store))
	// 64 bits keep the path short: the kernel takes 107 bytes (unix(7)).
	return filepath.Join(folder, hex.EncodeToString(sum[:8])+".sock")
}

// Listen makes the socket. Its folder is made when it is missing, and refused
// unless it belongs to this user and nobody else may enter it. A socket left by
// a dead process is replaced; one that somebody listens at never is. The caller
// holds the store, so no second caller makes the same socket at the same time.
func Listen(path string) (net.Listener, error) {
	if err := ownFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := clearLeftover(path); err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, unusable(path, err).WithHint("Give a shorter path with XDG_RUNTIME_DIR, in a folder that can be written.")
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(unusable(path, err), l.Close())
	}
	return sameUser{l}, nil
}

// ownFolder makes the folder, or checks the one that is there.
func ownFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return unusable(dir, err)
	}
	found, err := os.Lstat(dir)
	if err != nil {
		return unusable(dir, err)
	}
	owner, known := ownerOf(found)
	switch {
	case !found.IsDir():
		return unusable(dir, nil).WithHint("Move it aside: a folder is needed there, not a link or a file.")
	case !known:
		return unusable(dir, nil).WithHint("This system does not say whose a folder is, so no other terminal can use this desk.")
	case owner != os.Geteuid():
		return unusable(dir, nil).WithHint("It belongs to somebody else; set XDG_RUNTIME_DIR to a folder of your own.")
	case found.Mode().Perm()&0o077 != 0:
		return unusable(dir, nil).WithHint("Others may enter it; `chmod 700 " + dir + "` makes it yours alone.")
	}
	return nil
}

func unusable(path string, cause error) *fault.Error {
	return fault.Wrap(fault.PermDenied, cause, "no socket can be served at "+path)
}

// clearLeftover removes a socket nobody listens at any more.
func clearLeftover(path string) error {
	found, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unusable(path, err)
	}
	if found.Mode().Type() != fs.ModeSocket {
		return unusable(path, nil).WithHint("Something that is no socket lies there; move it aside.")
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		_ = conn.Close()
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return unusable(path, err).WithHint("Another process serves it already; close that one first.")
	}
	if err := os.Remove(path); err != nil {
		return unusable(path, err)
	}
	return nil
}

// sameUser accepts connections of this user's processes only.
type sameUser struct{ net.Listener }

// Accept closes what others open and waits for the next.
func (l sameUser) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if _, err = checkPeer(conn, os.Geteuid()); err == nil {
			return conn, nil
		}
		_ = conn.Close() // a stranger is not even told why
	}
}

// checkPeer asks the kernel who is at the other end of a connection and gives
// its process id; an error unless that process belongs to the user.
func checkPeer(conn net.Conn, uid int) (pid int, err error) {
	sc, ok := conn.(syscall.Conn)
	if !ok {
		return 0, errors.New("the connection is no socket")
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return 0, err
	}
	peer, failed := credentials{}, error(nil)
	if err := raw.Control(func(fd uintptr) { peer, failed = credentialsOf(int(fd)) }); err != nil {
		return 0, err
	}
	if failed != nil {
		return 0, failed
	}
	if peer.uid != uid {
		return 0, fmt.Errorf("the process at the other end belongs to user %d", peer.uid)
	}
	return peer.pid, nil
}

// credentials are the kernel's word on the process at the other end, as it was
// when it connected or began to listen.
type credentials struct{ pid, uid int }
