package store_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"countersign/store"
	"countersign/surfaces/fault"
)

// patience bounds what must end by itself; it is no measurement.
const patience = 2 * time.Minute

// pageSize is the size of a page in the files that these tests write.
var pageSize = os.Getpagesize()

// damage is a copy of whole with up to three changes where they do most: in
// the heads of pages, where numbers lead from page to page.
func damage(r *rand.Rand, whole []byte) []byte {
	raw := slices.Clone(whole)
	if r.IntN(8) == 0 {
		raw = raw[:r.IntN(len(raw))+1]
	}
	for range 1 + r.IntN(3) {
		at := r.IntN(len(raw))
		if r.IntN(3) > 0 {
			at = min(at/pageSize*pageSize+r.IntN(256), len(raw)-1)
		}
		switch r.IntN(3) {
		case 0:
			raw[at] ^= 1 << r.IntN(8)
		case 1:
			raw[at] = byte(r.Uint32())
		default: // a number as a page's could be
			raw[at] = byte(r.IntN(len(whole) / pageSize))
		}
	}
	return raw
}

// usable opens and uses what stands at path. It is an error when that gives
// anything but a fault about the file, or what a store gives.
func usable(path string) error {
	s, err := store.Open(path)
	if err != nil {
		if c := fault.CodeOf(err); c != fault.StoreDamaged && c != fault.StoreNewer {
			return fmt.Errorf("open: %w", err)
		}
		return nil
	}
	for what, err := range useAll(s) {
		if c := fault.CodeOf(err); c != "" && c != fault.StoreDamaged && c != fault.StoreNewer {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return s.Close()
}

// endsWell runs call, which may hang, within patience.
func endsWell(t *testing.T, call func() error) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("it hangs")
	}
}

// rounds is how many damaged files are tried: each that still opens is synced
// to the disk several times.
const rounds = 200

func TestDamageAnywhere(t *testing.T) {
	whole := contents(t)
	dir := t.TempDir()
	for seed := range uint64(rounds) {
		path := put(t, dir, damage(rand.New(rand.NewPCG(seed, 0)), whole))
		endsWell(t, func() error { return usable(path) })
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
}

// contents are the bytes of a whole store, whose tree has branches.
func contents(t testing.TB) []byte {
	t.Helper()
	raw, err := os.ReadFile(filled(t))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func put(t testing.TB, dir string, raw []byte) string {
	t.Helper()
	path := filepath.Join(dir, "desk.db")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Where numbers stand in a page: see the format of bbolt's files.
const (
	atKind, atCount, atMore = 8, 10, 12
	atList                  = 16
	atChild                 = atList + 8 // of a branch: the page of its first element
)

// TestPagesThatLeadAstray are the numbers that bbolt would follow for ever, or
// into memory that is not there.
func TestPagesThatLeadAstray(t *testing.T) {
	const branch, leaf, list = 1, 2, 16
	order := binary.NativeEndian
	tests := []struct {
		name   string
		kind   uint16 // of the pages to change
		change func(page []byte, id uint64)
	}{
		{"back to itself", branch, func(page []byte, id uint64) { order.PutUint64(page[atChild:], id) }},
		{"to the first page", branch, func(page []byte, _ uint64) { order.PutUint64(page[atChild:], 0) }},
		{"two ways to one page", branch, func(page []byte, _ uint64) { copy(page[atChild:], page[atChild+16:atChild+24]) }},
		{"past the end", branch, func(page []byte, _ uint64) { order.PutUint64(page[atChild:], 1<<40) }},
		{"a branch without any", branch, func(page []byte, _ uint64) { order.PutUint16(page[atCount:], 0) }},
		{"a key past the end", branch, func(page []byte, _ uint64) { order.PutUint32(page[atList:], 1<<30) }},
		{"another number", branch, func(page []byte, id uint64) { order.PutUint64(page, id+1) }},
		{"another kind", leaf, func(page []byte, _ uint64) { order.PutUint16(page[atKind:], list) }},
		{"more than there is room for", leaf, func(page []byte, _ uint64) { order.PutUint16(page[atCount:], 0xffff) }},
		{"longer than the file", leaf, func(page []byte, _ uint64) { order.PutUint32(page[atMore:], 1<<31) }},
		{"a value past the end", leaf, func(page []byte, _ uint64) { order.PutUint32(page[atList+12:], 1<<31) }},
		{"no list of free pages", list, func(page []byte, _ uint64) { order.PutUint16(page[atKind:], leaf) }},
		{"a list without end", list, func(page []byte, _ uint64) {
			order.PutUint16(page[atCount:], 0xffff)
			order.PutUint64(page[atList:], 1<<40)
		}},
		{"free and in use", list, func(page []byte, id uint64) {
			order.PutUint16(page[atCount:], 1)
			order.PutUint64(page[atList:], id)
		}},
	}
	whole := contents(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			raw, changed := slices.Clone(whole), 0
			for at := 2 * pageSize; at < len(raw); at += pageSize {
				if page := raw[at : at+pageSize]; order.Uint16(page[atKind:]) == tt.kind {
					tt.change(page, uint64(at/pageSize))
					changed++
				}
			}
			path := put(t, t.TempDir(), raw)
			endsWell(t, func() error {
				if _, err := store.Open(path); changed == 0 || fault.CodeOf(err) != fault.StoreDamaged {
					return fmt.Errorf("%d pages changed: got %v, want STORE_DAMAGED", changed, err)
				}
				return nil
			})
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, raw) {
				t.Error("the file was changed")
			}
		})
	}
}

// FuzzDamage: whatever is written over a store, or cut off it, there is a
// fault, or a store.
func FuzzDamage(f *testing.F) {
	whole := contents(f)
	f.Add(uint32(2*pageSize+atCount), []byte{0xff, 0xff}, uint32(len(whole)))
	f.Add(uint32(0), []byte{1}, uint32(pageSize))
	f.Fuzz(func(t *testing.T, at uint32, over []byte, length uint32) {
		raw := slices.Clone(whole)
		copy(raw[int(at)%len(raw):], over)
		path := put(t, t.TempDir(), raw[:min(int(length), len(raw))])
		endsWell(t, func() error { return usable(path) })
	})
}
