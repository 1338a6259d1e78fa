package robot

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"strings"
	"testing"
	"time"

	"countersign/surfaces/fault"
)

// TestMain makes the test binary the process that Look and Open start.
func TestMain(m *testing.M) {
	if len(os.Args) != 2 || os.Args[1] != Subcommand {
		os.Exit(m.Run())
	}
	switch os.Getenv("ROBOT_TEST") {
	case "crash":
		os.Exit(139)
	case "chatter":
		_, _ = os.Stdout.WriteString(strings.Repeat("no JSON ", 1<<20))
	case "hang":
		stop := make(chan os.Signal, 1) // a watched signal keeps the runtime from calling this a deadlock
		signal.Notify(stop, os.Interrupt)
		<-stop
	default:
		if err := Serve(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
	}
	os.Exit(0)
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestServe(t *testing.T) {
	t.Setenv("DISPLAY", "")
	var out bytes.Buffer
	in := strings.NewReader("{\"op\":\"probe\"}\nnot JSON\n{\"op\":\"fly\"}\n")
	if err := Serve(in, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d replies, want 3: %s", len(lines), out.String())
	}
	for i, want := range []string{`"found":false`, `"code":"INVALID_ARGS"`, `no operation \"fly\"`} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("reply %d: %s, want %s in it", i, lines[i], want)
		}
	}
}

func TestServeEndsOnALineTooLong(t *testing.T) {
	t.Setenv("DISPLAY", "")
	err := Serve(strings.NewReader(strings.Repeat("x", maxLine+1)), &bytes.Buffer{})
	if fault.CodeOf(err) != fault.Internal {
		t.Errorf("got %v, want INTERNAL", err)
	}
}

func TestLookWithoutADisplay(t *testing.T) {
	for _, name := range []string{"", ":9931"} {
		t.Setenv("DISPLAY", name)
		d, err := Look(t.Context(), self(t), nil)
		if err != nil {
			t.Fatalf("DISPLAY=%q: %v", name, err)
		}
		if d.Found || d.Reason == "" {
			t.Errorf("DISPLAY=%q: %+v, want none and a reason", name, d)
		}
	}
}

func TestLookOutlivesItsProcess(t *testing.T) {
	t.Run("crash", func(t *testing.T) {
		t.Setenv("ROBOT_TEST", "crash")
		if _, err := Look(t.Context(), self(t), nil); fault.CodeOf(err) != fault.PlatformNotSupported {
			t.Errorf("got %v, want PLATFORM_NOT_SUPPORTED", err)
		}
	})
	t.Run("chatter", func(t *testing.T) {
		t.Setenv("ROBOT_TEST", "chatter")
		if _, err := Look(t.Context(), self(t), nil); fault.CodeOf(err) != fault.PlatformNotSupported {
			t.Errorf("got %v, want PLATFORM_NOT_SUPPORTED", err)
		}
	})
	t.Run("hang", func(t *testing.T) {
		t.Setenv("ROBOT_TEST", "hang")
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := Look(ctx, self(t), nil); fault.CodeOf(err) != fault.Timeout {
			t.Errorf("got %v, want TIMEOUT", err)
		}
	})
	t.Run("no program", func(t *testing.T) {
		if _, err := Look(t.Context(), self(t)+".missing", nil); fault.CodeOf(err) != fault.PlatformNotSupported {
			t.Errorf("got %v, want PLATFORM_NOT_SUPPORTED", err)
		}
	})
}

func TestLimitedKeepsTheBeginning(t *testing.T) {
	var l limited
	n, err := l.Write(bytes.Repeat([]byte("a"), mostSaid+5))
	if n != mostSaid+5 || err != nil || len(l.String()) != mostSaid {
		t.Errorf("wrote %d, kept %d, %v", n, len(l.String()), err)
	}
	if _, err := l.Write([]byte("b")); err != nil {
		t.Error(err)
	}
	if len(l.String()) != mostSaid {
		t.Errorf("kept %d bytes, want %d", len(l.String()), mostSaid)
	}
}
