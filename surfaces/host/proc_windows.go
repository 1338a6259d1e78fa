package host

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

const stillActive = 259 // STILL_ACTIVE (GetExitCodeProcess)

// statOf asks the system. There are no groups: each process leads its own.
func statOf(pid int) (stat, bool) {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return stat{}, false
	}
	defer func() { _ = windows.CloseHandle(h) }()
	var code uint32
	if windows.GetExitCodeProcess(h, &code) != nil || code != stillActive {
		return stat{}, false
	}
	var began, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &began, &ended, &kernel, &user) != nil {
		return stat{}, false
	}
	return stat{group: pid, start: uint64(began.Nanoseconds())}, true
}

// pids lists all there are.
func pids() []int {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = windows.CloseHandle(all) }()
	var found []int
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(all, &entry); err == nil; err = windows.Process32Next(all, &entry) {
		found = append(found, int(entry.ProcessID))
	}
	return found
}

// commandLine is not told of other processes here.
func commandLine(int) []byte { return nil }
