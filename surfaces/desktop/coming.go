package desktop

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// coming finds the process of a program that was just started by somebody else
// on this desktop and cannot be read yet; 0 when there is none. It is waited for
// instead of being started a second time.
func (s *Side) coming(app string, known []program) int {
	files, _ := filepath.Glob("/proc/[0-9]*/exe") // the pattern is ours
	for _, file := range files {
		path, err := os.Readlink(file)
		if err != nil || !strings.EqualFold(filepath.Base(path), app) {
			continue
		}
		folder := filepath.Dir(file)
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err != nil || !recent(folder) || !s.onDisplay(folder) || registered(known, pid) {
			continue
		}
		return pid
	}
	return 0
}

func registered(known []program, pid int) bool {
	for _, p := range known {
		if p.pid == pid {
			return true
		}
	}
	return false
}

// recent reports whether a process is younger than a program may take to show
// itself: the folder of a process is as old as it is.
func recent(folder string) bool {
	st, err := os.Stat(folder)
	return err == nil && time.Since(st.ModTime()) < windowWithin
}

// onDisplay reports whether a process was started on the display of this
// desktop.
func (s *Side) onDisplay(folder string) bool {
	env, err := os.ReadFile(filepath.Join(folder, "environ"))
	if err != nil {
		return false
	}
	want := []byte("DISPLAY=" + s.driver.env.get("DISPLAY"))
	for e := range bytes.SplitSeq(env, []byte{0}) {
		if bytes.Equal(e, want) {
			return true
		}
	}
	return false
}
