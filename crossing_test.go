//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/demodesk"
	"countersign/surfaces/demosite"
	"countersign/surfaces/fault"
	"countersign/surfaces/host"
)

var crossings = flag.Int("crossings", 1, "how often the flows that cross between pages and programs are run")

// TestCrossings runs what `countersign demo --desktop` shows, all three tasks at
// once: a page's booking reference ends in a file that an editor saved, a page's
// numbers come back worked out by a calculator, and a form is sent with a secret
// once it was signed.
func TestCrossings(t *testing.T) {
	if _, err := host.FindChromium(""); err != nil {
		missing(t, err)
	}
	for i := range *crossings {
		t.Run(fmt.Sprint(i+1), cross)
	}
}

// missing ends a test for want of something that is not installed.
func missing(t *testing.T, err error) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	t.Skipf("%v: %s", err, fault.Of(err).Hint)
}

func cross(t *testing.T) {
	began := time.Now()
	sites, err := demosite.Start(t.Context(), demosite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sites.Close() }()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	desk, err := demodesk.Start(t.Context(), demodesk.Options{Warden: self})
	if fault.CodeOf(err) == fault.PlatformNotSupported {
		missing(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := desk.Close(); err != nil {
			t.Error(err)
		}
	})
	file := filepath.Join(t.TempDir(), "booking.txt")
	requests, err := demosite.Crossings(sites.Addresses(), file)
	if err != nil {
		t.Fatal(err)
	}
	s := sit(t, desk.Env)
	views := map[string]task.View{}
	for _, r := range requests {
		v, err := s.desk.StartTask(t.Context(), task.StartRequest{
			Task: r.Task, Flow: r.Flow, Facts: r.Facts,
			Constraints: task.Constraints{Surfaces: r.Sides, Origins: r.Origins, Payment: flows.Payment(r.Payment)},
		})
		if err != nil {
			t.Fatal(err)
		}
		views[r.Name] = v
	}
	s.form(s.settled(views["membership"]), desk)
	sum := s.settled(views["rail-sum"])
	s.is(sum, task.Done)
	note := s.settled(views["rail-note"])
	s.is(note, task.Done)
	saved, err := os.ReadFile(file)
	if want := "Alpine Rail, booking reference AR-02918"; err != nil || string(saved) != want {
		t.Errorf("the editor saved %q, want %q (%v)", saved, want, err)
	}
	t.Logf("crossed in %v", time.Since(began).Round(100*time.Millisecond))
}

// TestAKilledDemoLeavesNothing: a kill reaches neither what the desktop's own
// programs started, nor the browser.
func TestAKilledDemoLeavesNothing(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	demo := exec.Command(self)
	demo.Env = append(os.Environ(), asDemo+"=yes")
	out, err := demo.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := demo.Start(); err != nil {
		t.Fatal(err)
	}
	mark, err := bufio.NewReader(out).ReadString('\n') // it runs once it says so
	_ = demo.Process.Kill()
	_ = demo.Wait()
	mark = strings.TrimSpace(mark)
	if strings.HasPrefix(mark, string(fault.PlatformNotSupported)) {
		missing(t, errors.New(mark))
	}
	if err != nil || !strings.Contains(mark, host.DesktopFolder) {
		t.Fatalf("the demo said %q: %v", mark, err)
	}
	_, folder, _ := strings.Cut(mark, "=")
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) { // nobody tells when a process that is not ours ends
		_, err := os.Stat(folder)
		left := marked(mark)
		if os.IsNotExist(err) && len(left) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("left behind: %v, %s: %v", left, folder, err)
		}
	}
}

// asDemo makes the test binary a demo that waits to be killed.
const asDemo = "COUNTERSIGN_TEST_DEMO"

func waitToBeKilled() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	desk, err := demodesk.Start(context.Background(), demodesk.Options{Warden: self})
	if err != nil {
		fmt.Println(err)
		return nil
	}
	// A program that the desk started outlives it by design.
	program := exec.Command("galculator")
	program.Env, program.SysProcAttr = desk.Env, &syscall.SysProcAttr{Setsid: true}
	if err := program.Start(); err != nil {
		return err
	}
	i := slices.IndexFunc(desk.Env, func(e string) bool {
		return strings.Contains(e, "="+os.TempDir()) && strings.HasPrefix(e, "COUNTERSIGN_DESKTOP=")
	})
	fmt.Println(desk.Env[i])
	select {}
}

// marked lists what runs with that entry in its environment.
func marked(entry string) []string {
	var left []string
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is ours
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err != nil || !slices.Contains(strings.Split(string(env), "\x00"), entry) {
			continue
		}
		name, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "comm"))
		left = append(left, strings.TrimSpace(string(name)))
	}
	return left
}

// form gives the form its secret and signs for it.
func (s *seat) form(v task.View, desk *demodesk.Desk) {
	s.Helper()
	s.is(v, task.NeedsInput)
	v = s.give(v, map[string]string{"pin": "4711"})
	s.is(v, task.NeedsApproval)
	e := s.report(v.ID).Approval
	want := []flows.EvidenceField{
		{Name: "Full name", Value: "Noa Lindqvist"},
		{Name: "E-mail", Value: "noa.lindqvist@example.org"},
		{Name: "PIN", Value: "${pin}"},
		{Name: "Home branch", Value: "Riverside"},
	}
	if e.Control.Name != "OK" || e.Side != "desktop" || !slices.Equal(e.Form, want) {
		s.Errorf("to be signed: %s on the %s, %+v", e.Control, e.Side, e.Form)
	}
	select {
	case <-desk.Answered():
		s.Fatal("the form is gone before anybody signed")
	default:
	}
	s.is(s.sign(v, ""), task.Done)
	select {
	case <-desk.Answered():
	case <-time.After(patience):
		s.Fatal("the form is still open")
	}
	if want := []string{"Noa Lindqvist", "noa.lindqvist@example.org", "4711", "Riverside"}; !slices.Equal(desk.Answer(), want) {
		s.Errorf("the form was sent with %q, want %q", desk.Answer(), want)
	}
}
