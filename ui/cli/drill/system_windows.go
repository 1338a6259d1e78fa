package drill

import "os"

// killed is what a process that was ended by os.Process.Kill ends with here.
const killed = 1

// alone reports a plain file; how many names it has is not told here.
func alone(info os.FileInfo) bool { return info.Mode().IsRegular() }

// dieAtOnce ends this process as a crash would.
func dieAtOnce() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
}

// wasKilled reports whether a process ended that way.
func wasKilled(state *os.ProcessState) bool { return state.ExitCode() == killed }
