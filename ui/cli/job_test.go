package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/controller/task"
	"countersign/flows"
)

// lastReport is the report a --json run ends with.
func lastReport(t *testing.T, out string) task.Report {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var last struct {
		Event  string      `json:"event"`
		Report task.Report `json:"report"`
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Event != "report" {
		t.Fatalf("last line is no report (%v):\n%s", err, lines[len(lines)-1])
	}
	return last.Report
}

func TestShopStopsAtPayment(t *testing.T) {
	d, h := newDemo(t), newHome(t)
	got := h.run("run", d.flow("shop"), "--json", "--secret", "card number=@"+h.file("card", "4242 4242 4242 4242\n"))
	if got.code != ExitWaiting {
		t.Fatalf("exit %d, want %d\n%s%s", got.code, ExitWaiting, got.out, got.err)
	}
	r := lastReport(t, got.out)
	if s := r.View.Status; s.State != task.Checkpoint || s.Kind != task.CheckpointPayment || s.Continuable {
		t.Errorf("status %+v, want a payment checkpoint", s)
	}
	if len(r.Records["bike"]) != 1 || r.Records["bike"][0]["value"] == "" {
		t.Errorf("records %v, want the picked bike", r.Records)
	}
	for _, dec := range r.Decisions {
		if dec.State == task.DecisionApproved || dec.State == task.DecisionSpent {
			t.Errorf("a signature nobody gave: %+v", dec)
		}
	}
	if r.Approval != nil {
		t.Errorf("approval %+v at a payment checkpoint", r.Approval)
	}
	if strings.Contains(got.out, "4242") {
		t.Error("a secret in the output")
	}
	if paid := d.Counts().OrdersPaid; paid != 0 {
		t.Errorf("%d orders paid, want none", paid)
	}
}

// payArgs runs shop-pay with the card as secrets.
func payArgs(d *demo, h *home) []string {
	return []string{
		"run", d.flow("shop-pay"), "--plain", "--payment", "fill_then_approve", "--origin", d.addr["shop"],
		"--secret", "card number=@" + h.file("number", "4242 4242 4242 4242\n"),
		"--secret", "cvv=@" + h.file("cvv", "737\n"), "--secret", "card expiry=@" + h.file("expiry", "12/31\n"),
	}
}

func TestShopPayPaysExactlyOnce(t *testing.T) {
	d, h := newDemo(t), newHome(t)
	p := h.terminal(100, 40, payArgs(d, h)...)
	at := p.wait(0, "PAY")
	at = p.wait(at, "READY")
	amount := typedAmount(t, p.shown())
	p.send("sign\n") // the word of another kind of act signs no payment
	at = p.wait(at, "that is no answer")
	p.send(amount + "\n")
	p.wait(at, "signed")
	if code := p.exit(); code != ExitDone {
		t.Fatalf("exit %d, want 0\n%s", code, p.shown())
	}
	if paid := d.Counts().OrdersPaid; paid != 1 {
		t.Errorf("%d orders paid, want 1", paid)
	}
	for _, secret := range []string{"4242 4242", "42424242", "737\r", "12/31"} {
		if strings.Contains(p.shown(), secret) {
			t.Errorf("the secret %q was shown", secret)
		}
	}
	assertNowhere(t, h, "4242 4242 4242 4242", "4242424242424242")
}

// typedAmount is what the card says must be typed.
func typedAmount(t *testing.T, shown string) string {
	t.Helper()
	for _, l := range strings.Split(shown, "\n") {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(l), "type "); ok && strings.HasSuffix(strings.TrimSpace(rest), "to pay") {
			return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "to pay"))
		}
	}
	t.Fatalf("the card says no amount:\n%s", shown)
	return ""
}

// assertNowhere searches every file of a home for what must not be on disk.
func assertNowhere(t *testing.T, h *home, secrets ...string) {
	t.Helper()
	err := filepath.WalkDir(h.state(), func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.Contains(path, "profile") {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return nil // a socket of the browser
		}
		for _, s := range secrets {
			if strings.Contains(string(b), s) {
				t.Errorf("%s holds the secret %q", path, s)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestD14MailByLinesAlone(t *testing.T) {
	d, h := newDemo(t), newHome(t)
	p := h.terminal(100, 40, "run", d.flow("mail"), "--plain")
	p.send("sign\n") // long before there is anything to sign
	at := p.wait(0, "SEND")
	at = p.wait(at, "READY")
	if sent := d.Counts().MailsSent; sent != 0 {
		t.Fatalf("%d mails sent before anybody signed", sent)
	}
	p.send("sign\n")
	p.wait(at, "signed")
	if code := p.exit(); code != ExitDone {
		t.Fatalf("exit %d, want 0\n%s", code, p.shown())
	}
	if sent := d.Counts().MailsSent; sent != 1 {
		t.Errorf("%d mails sent, want 1", sent)
	}
	again := h.run("report", "t-1", "--decisions")
	for _, line := range strings.Split(card(p.shown()), "\n") {
		if line = strings.TrimSpace(line); !strings.Contains(again.out, line) {
			t.Errorf("the decision is drawn again without %q:\n%s%s", line, again.out, again.err)
		}
	}
	if !strings.Contains(again.out, "spent") || !strings.Contains(again.out, "by operator  stood ") {
		t.Errorf("not how it came out:\n%s", again.out)
	}
}

func TestD14ThroughAPipeNothingIsPressed(t *testing.T) {
	d, h := newDemo(t), newHome(t)
	cmd := h.command(t.Context(), "run", d.flow("mail"), "--plain")
	cmd.Stdin = strings.NewReader("sign\nsign\nsign\n")
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != ExitWaiting {
		t.Fatalf("exit %d (%v), want %d\n%s", code, err, ExitWaiting, out)
	}
	if sent := d.Counts().MailsSent; sent != 0 {
		t.Errorf("%d mails sent, want none", sent)
	}
}

func TestD7KilledWithTheCardOpen(t *testing.T) {
	d, h := newDemo(t), newHome(t)
	p := h.terminal(100, 40, "run", d.flow("mail"), "--plain")
	at := p.wait(0, "SEND")
	p.wait(at, "READY")
	first := card(p.shown())
	p.kill()

	began := time.Now()
	q := h.terminal(100, 40, "--plain")
	at = q.wait(0, "SEND")
	t.Logf("the card stood again after %s", time.Since(began))
	at = q.wait(at, "READY")
	if again := card(q.shown()); again != first {
		t.Errorf("the card changed over the kill:\n%s\nwas:\n%s", again, first)
	}
	q.send("sign\n")
	at = q.wait(at, "signed")
	q.wait(at, "Finished all")
	q.send("/quit\n")
	q.exit()
	if sent := d.Counts().MailsSent; sent != 1 {
		t.Errorf("%d mails sent, want 1", sent)
	}
}

// card cuts the signing card out of what was shown: from its title to the
// first way to answer.
func card(shown string) string {
	from := strings.LastIndex(shown, "SEND  ")
	if from < 0 {
		return ""
	}
	body, _, _ := strings.Cut(shown[from:], "  type ")
	return body
}

func TestLibraryAsksForThePhone(t *testing.T) {
	d, h := newDemo(t), newHome(t)
	p := h.terminal(100, 40, "run", d.flow("library"), "--plain")
	at := p.wait(0, "phone")
	at = p.wait(at, "READY")
	p.send("+45 20 30 40 50\n")
	at = p.wait(at, "given")
	at = p.wait(at, "READY")
	p.send("d not today\n")
	p.wait(at, "declined")
	if code := p.exit(); code != ExitDeclined {
		t.Fatalf("exit %d, want %d\n%s", code, ExitDeclined, p.shown())
	}
	if sent := d.Counts().FormsSubmitted; sent != 0 {
		t.Errorf("%d forms submitted, want none", sent)
	}
}

func TestSeatsWallPassedElsewhere(t *testing.T) {
	d, h := newDemo(t), newHome(t)
	p := h.terminal(120, 40, "run", d.flow("seats"), "--plain")
	at := p.wait(0, "READY")
	p.send("done\n") // D9: the captcha is still there
	at = p.wait(at, "still there")
	d.get(wallAddress(t, p.shown()))
	for gone := false; !gone; { // the wall's page asks its server every so often
		p.send("done\n")
		at = p.wait(at, "done\r\n")
		end := p.wait(at, "\r\n")
		gone = strings.Contains(p.shown()[at:end], "gone")
		at = end
	}
	if code := p.exit(); code != ExitDone {
		t.Fatalf("exit %d, want 0\n%s", code, p.shown())
	}
}

// wallAddress finds the address the wall shows.
func wallAddress(t *testing.T, shown string) string {
	t.Helper()
	for _, w := range strings.Fields(shown) {
		if i := strings.Index(w, "http://127.0.0.1"); i >= 0 && strings.Contains(w, "/pass") {
			return strings.Trim(w[i:], `."'”`)
		}
	}
	t.Fatalf("no address of the wall was shown:\n%s", shown)
	return ""
}

func TestRailEndsWithRecords(t *testing.T) {
	d, h := newDemo(t), newHome(t)
	got := h.run("run", d.flow("rail"), "--json")
	if got.code != ExitDone {
		t.Fatalf("exit %d, want 0\n%s%s", got.code, got.out, got.err)
	}
	r := lastReport(t, got.out)
	if len(r.Records["trains"]) < 3 || r.Records["trains"][0]["price"] == "" {
		t.Errorf("records %v, want trains with prices", r.Records)
	}
	for _, s := range r.Steps {
		if s.Outcome == flows.OutcomeFailed {
			t.Errorf("step %s failed: %s", s.Step, s.Note)
		}
	}
}
