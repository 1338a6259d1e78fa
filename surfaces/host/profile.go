package host

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ProfilePrefix starts the name of every temporary profile folder.
const ProfilePrefix = "profile-"

// NewProfile makes an empty profile folder, readable by this user alone, below
// root, which is made when it is missing.
func NewProfile(root string) (string, error) {
	if err := os.MkdirAll(root, 0o700); err != nil {
		return "", err
	}
	return os.MkdirTemp(root, ProfilePrefix)
}

// Profiles lists the temporary profile folders below root.
func Profiles(root string) ([]string, error) {
	entries, err := os.ReadDir(root)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []string
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), ProfilePrefix) {
			all = append(all, filepath.Join(root, e.Name()))
		}
	}
	return all, nil
}

// HolderOf finds the browser that runs on a profile folder: by its command line,
// else by the lock it keeps there.
func HolderOf(profile string) (Process, bool) {
	for _, pid := range usersOf(profile) {
		if bytes.Contains(commandLine(pid), []byte("\x00--type=")) {
			continue // one of its children
		}
		if p, ok := ProcessOf(pid); ok {
			return p, true
		}
	}
	lock, err := os.Readlink(filepath.Join(profile, "SingletonLock")) // HOST-PID
	if err != nil {
		return Process{}, false
	}
	name, err := os.Hostname()
	number, ours := strings.CutPrefix(lock, name+"-")
	if err != nil || !ours {
		return Process{}, false
	}
	pid, err := strconv.Atoi(number)
	if err != nil {
		return Process{}, false
	}
	return ProcessOf(pid)
}

// forgetSockets removes the folder outside the profile that a killed Chromium
// leaves for its socket.
func forgetSockets(profile string) {
	socket, err := os.Readlink(filepath.Join(profile, "SingletonSocket"))
	if err != nil {
		return
	}
	dir := filepath.Dir(socket)
	if name := filepath.Base(dir); strings.HasPrefix(name, ".org.chromium.") || strings.HasPrefix(name, "org.chromium.") {
		_ = os.RemoveAll(dir) // an empty folder left behind harms nobody
	}
}

// RemoveProfile deletes a temporary profile folder once nothing runs on it; it
// kills the children that outlived their browser. Nil when it was gone already.
func RemoveProfile(ctx context.Context, profile string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	forgetSockets(profile)
	for {
		left := usersOf(profile)
		for _, pid := range left {
			kill(pid)
		}
		// A child that is just ending can still write a file.
		err := os.RemoveAll(profile)
		if err == nil && len(left) == 0 {
			return nil
		}
		if late := sleep(ctx, pollEvery); late != nil {
			return errors.Join(err, late)
		}
	}
}

// IsFolder reports whether path is an existing folder.
func IsFolder(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// BrowsersBelow lists the browsers that run on a profile folder anywhere below
// root, their children left out.
func BrowsersBelow(root string) []Process {
	want := []byte("--user-data-dir=" + filepath.Clean(root) + "/")
	var all []Process
	for _, pid := range pids() {
		line := commandLine(pid)
		if !bytes.Contains(line, want) || bytes.Contains(line, []byte("\x00--type=")) {
			continue
		}
		if p, ok := ProcessOf(pid); ok {
			all = append(all, p)
		}
	}
	return all
}

// EndBelow ends every browser on a temporary profile folder anywhere below root
// and removes those folders, whatever bindings there are.
func EndBelow(ctx context.Context, root string) error {
	var all error
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.IsDir() || !strings.HasPrefix(e.Name(), ProfilePrefix) {
			return nil // a file that went meanwhile holds no browser
		}
		if p, held := HolderOf(path); held {
			all = errors.Join(all, p.End(ctx, 0))
		}
		all = errors.Join(all, RemoveProfile(ctx, path))
		return filepath.SkipDir
	})
	return errors.Join(all, err)
}
