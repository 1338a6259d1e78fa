package drill

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

const site = "http://127.0.0.1:8100"

// ownFolder is a trial's folder as the drill makes it.
func ownFolder(t *testing.T) hello {
	t.Helper()
	root := filepath.Join(t.TempDir(), folderPrefix+"1")
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Fatal(err)
	}
	dir, token, err := newTrial(root, "mail")
	if err != nil {
		t.Fatal(err)
	}
	return hello{Folder: dir, Token: token, Sites: []string{site}}
}

// A person's store must stay out of reach of a desk that signs by itself.
func TestTheDoorOpensNothingButADrill(t *testing.T) {
	real := filepath.Join(t.TempDir(), storeName)
	if err := os.WriteFile(real, []byte("a person's"), 0o600); err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	cases := []struct {
		name string
		bend func(h *hello)
		want fault.Code
	}{
		{"its own folder", func(*hello) {}, ""},
		{"a store made by an earlier child", func(h *hello) { must(os.WriteFile(filepath.Join(h.Folder, storeName), nil, 0o600)) }, ""},
		{"the folder of a real store", func(h *hello) { h.Folder = filepath.Dir(real) }, fault.InvalidUsage},
		{"a real store with a mark beside it", func(h *hello) {
			h.Folder = filepath.Dir(real)
			must(os.WriteFile(filepath.Join(h.Folder, markName), []byte(h.Token), 0o600))
		}, fault.InvalidUsage},
		{"a link to a real store", func(h *hello) { must(os.Symlink(real, filepath.Join(h.Folder, storeName))) }, fault.InvalidUsage},
		{"a second name of a real store", func(h *hello) { must(os.Link(real, filepath.Join(h.Folder, storeName))) }, fault.InvalidUsage},
		{"a link to a real folder", func(h *hello) {
			link := filepath.Join(filepath.Dir(h.Folder), "link")
			must(os.Symlink(filepath.Dir(real), link))
			h.Folder = link
		}, fault.InvalidUsage},
		{"another token", func(h *hello) { h.Token = "another" }, fault.InvalidUsage},
		{"no token", func(h *hello) {
			must(os.WriteFile(filepath.Join(h.Folder, markName), nil, 0o600))
			h.Token = ""
		}, fault.InvalidUsage},
		{"a relative folder", func(h *hello) { h.Folder = "drill" }, fault.InvalidUsage},
		{"a site elsewhere", func(h *hello) { h.Sites = append(h.Sites, "https://example.org") }, fault.InvalidUsage},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := ownFolder(t)
			c.bend(&h)
			raw, err := json.Marshal(h)
			must(err)
			opened := false
			err = Serve(t.Context(), bytes.NewReader(append(raw, '\n')), &bytes.Buffer{}, func(context.Context, Folder) (*Opened, error) {
				opened = true
				return nil, fault.New(fault.StoreFull, "far enough")
			})
			if opened != (c.want == "") || !opened && fault.CodeOf(err) != c.want {
				t.Errorf("opened %t with %v, want %q", opened, err, c.want)
			}
		})
	}
}

func TestADrillAdmitsItsOwnTasksOnly(t *testing.T) {
	own := task.Constraints{Origins: []string{site}, Surfaces: []string{"browser"}}
	cases := []struct {
		name string
		bend func(k *task.Constraints)
		want bool
	}{
		{"its own", func(*task.Constraints) {}, true},
		{"anywhere", func(k *task.Constraints) { k.Origins = nil }, false},
		{"every site", func(k *task.Constraints) { k.Origins = []string{"*"} }, false},
		{"another site too", func(k *task.Constraints) { k.Origins = append(k.Origins, "https://example.org") }, false},
		{"the person's browser", func(k *task.Constraints) { k.BrowserEndpoint = "http://127.0.0.1:9222" }, false},
		{"the person's profile", func(k *task.Constraints) { k.BrowserProfile = "/home/me/profile" }, false},
		{"the desktop", func(k *task.Constraints) { k.Surfaces = append(k.Surfaces, "desktop") }, false},
		{"without asking", func(k *task.Constraints) { k.AllowDestructive = true }, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			k := own
			c.bend(&k)
			if got := (hello{Sites: []string{site}}).admits(task.StartRequest{Constraints: k}); got != c.want {
				t.Errorf("got %t, want %t", got, c.want)
			}
		})
	}
}
