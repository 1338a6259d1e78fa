package corpus_test

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/surfaces"
	"countersign/surfaces/browser"
	"countersign/surfaces/host"
	"countersign/surfaces/workspace"
	"countersign/ui/cli/corpus"
)

const (
	casesFolder = "../../../flows/testdata/cases"
	pagesFolder = "../../../surfaces/browser/testdata/pages"

	// browsers is how many pages run at one time, each in a browser of its own.
	browsers = 2
	// patience bounds what must happen by itself; it is no measurement.
	patience = 2 * time.Minute
)

type noKeeper struct{}

func (noKeeper) Bind(surfaces.Binding) error { return nil }
func (noKeeper) Unbind(surfaces.Side) error  { return nil }

// benches gives browsers that the cases share.
func benches(t *testing.T) chan *corpus.Bench {
	t.Helper()
	if _, err := host.FindChromium(""); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("needs Chromium: make setup")
	}
	runner := flows.NewRunner(decider.NewEmbedded())
	free := make(chan *corpus.Bench, browsers)
	for i := range browsers {
		dir := t.TempDir()
		opener := workspace.Opener{Browser: browser.NewDriver(browser.Options{StateDir: dir, DownloadDir: filepath.Join(dir, "downloads")})}
		b := &corpus.Bench{Runner: runner, Open: func() (surfaces.Place, error) {
			needs := surfaces.Needs{Sides: []surfaces.Side{surfaces.Browser}}
			return opener.Open(fmt.Sprintf("w-%d", i), needs, nil, noKeeper{})
		}}
		t.Cleanup(func() {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			if err := b.Close(ctx); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
		free <- b
	}
	return free
}

func files(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(casesFolder + "/*.json")
	if err != nil || len(all) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	return all
}

// TestCorpus runs every case in Chromium with the embedded decider alone.
func TestCorpus(t *testing.T) {
	free := benches(t)
	for _, path := range files(t) {
		f, err := corpus.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Cases {
			t.Run(f.Name+"/"+c.Name, func(t *testing.T) {
				t.Parallel()
				b := <-free
				defer func() { free <- b }()
				run(t, b, f, c)
			})
		}
	}
}

// run shows everything a case did when it came out wrong.
func run(t *testing.T, b *corpus.Bench, f *corpus.File, c corpus.Case) {
	t.Helper()
	var told strings.Builder
	did, err := b.Run(t.Context(), f, c, &corpus.Teller{Out: &told})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d steps, %d ms each: %s", did.Steps(), did.PerStep().Milliseconds(), f.Topic)
	if len(did.Wrong) > 0 {
		t.Errorf("%s\n%s", strings.Join(did.Wrong, "\n"), told.String())
	}
}

// TestEveryPageHasCases keeps pages nobody uses out of the folder.
func TestEveryPageHasCases(t *testing.T) {
	used := map[string]bool{}
	for _, file := range files(t) {
		f, err := corpus.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		used[f.Page] = true
		for _, s := range f.Serve {
			used[s.Page], used[path.Base(s.Redirect)] = true, true
		}
	}
	pages, err := filepath.Glob(pagesFolder + "/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		if !used[filepath.Base(p)] && !linked(t, pages, filepath.Base(p)) {
			t.Errorf("no case uses %s", filepath.Base(p))
		}
	}
}

// linked reports whether one of the pages names another.
func linked(t *testing.T, pages []string, name string) bool {
	t.Helper()
	for _, p := range pages {
		raw, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(p) != name && strings.Contains(string(raw), name) {
			return true
		}
	}
	return false
}
