package drill

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"countersign/surfaces/host"
)

// process is one child as its parent sees it.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	said   chan message // closed once the child is dead and all it said was read
	fatal  <-chan time.Time
	acted  uint64 // revision of the last view that was answered
	stderr bytes.Buffer
}

// messageLimit bounds one line of a child: a whole journal is some 100 KiB.
const messageLimit = 64 << 20

// launch starts this very program as a child, apart from the terminal's
// signals: the parent alone decides when it ends.
func launch(h hello) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(self, ChildCommand), said: make(chan message)}
	host.Detach(p.cmd)
	p.cmd.Stderr = &p.stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if h.Kill.When == anyMoment {
		p.fatal = time.After(h.Kill.Delay)
	}
	go p.read(out) // ends with the child
	return p, p.tell(h)
}

func (p *process) read(out io.Reader) {
	defer close(p.said)
	r := bufio.NewScanner(out)
	r.Buffer(make([]byte, 0, 64<<10), messageLimit)
	for r.Scan() {
		var m message
		if json.Unmarshal(r.Bytes(), &m) != nil {
			continue // nothing but our own lines comes here; what is missed is found missing
		}
		p.said <- m
	}
}

// tell writes a line; a child that is dead by now is found out by its silence.
func (p *process) tell(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, _ = p.in.Write(append(raw, '\n'))
	return nil
}

func (p *process) kill() { _ = p.cmd.Process.Kill() }

// ended waits for the child, whose words were all read, and says whether it
// was killed, and its complaint when it ended badly by itself.
func (p *process) ended() (killed bool, complaint string) {
	_ = p.in.Close()
	err := p.cmd.Wait()
	if err == nil {
		return false, ""
	}
	if wasKilled(p.cmd.ProcessState) {
		return true, ""
	}
	words := strings.Join(strings.Fields(p.stderr.String()), " ")
	return false, "the desk ended by itself: " + err.Error() + " " + words[:min(len(words), 600)]
}

// drop kills a child and reads what is left of its words.
func (p *process) drop() {
	p.kill()
	for range p.said {
		continue
	}
	_, _ = p.ended()
}
