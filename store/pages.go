package store

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

// What bbolt calls a page of each kind, and how long its parts are: the format
// of its files, version 2, numbers in the byte order of the machine.
const (
	branchPage   = 0x01
	leafPage     = 0x02
	freelistPage = 0x10

	headSize    = 16 // of a page: its number, kind, count, further pages
	elementSize = 16 // of a branch: where its key lies, and a page; of a leaf: flags, where key and value lie
	bucketSize  = 16 // of the value that is a bucket: its first page, and a sequence

	bucketFlag = 0x01
	longList   = 0xFFFF // a count that stands in the first place of the list instead
)

var order = binary.NativeEndian

// pages looks through a file before bbolt does. bbolt follows the numbers in
// its pages wherever they lead: from one back to itself it goes for ever, and
// past the end it takes memory that is not there. Neither can be stopped from
// outside, so nothing of a file is used before all its pages hang together.
//
// The tree is looked through level by level, each in the order its pages lie:
// a long history is then read in few pieces, one after the other, and one piece
// is all that is held of it.
type pages struct {
	file  io.ReaderAt
	size  uint64   // of a page, in bytes
	end   uint64   // the first page behind those in use
	met   []uint64 // a bit for each page: one that was met
	todo  []uint64 // pages of the next level
	piece []byte   // of the file, read last
	at    uint64   // where the piece begins
}

// pieceSize holds sixteen pages of the usual size.
const pieceSize = 64 << 10

// whole is nil for a file of that many bytes whose pages bbolt can follow.
func whole(file io.ReaderAt, bytes int64) error {
	m, err := readMeta(file, bytes)
	if err != nil {
		return err
	}
	if have := uint64(bytes); m.end > have/m.pageSize {
		return fmt.Errorf("%d bytes of %d are left", have, m.end*m.pageSize)
	}
	p := &pages{file: file, size: m.pageSize, end: m.end, met: make([]uint64, m.end/64+1)}
	if err := p.meet(0, 2); err != nil {
		return err
	}
	if m.freelist != noFreelist {
		if err := p.free(m.freelist); err != nil {
			return err
		}
	}
	return p.tree(m.root)
}

// meet marks n pages from id on. Each has one place, so none is met twice.
func (p *pages) meet(id, n uint64) error {
	if id >= p.end || n > p.end-id {
		return fmt.Errorf("page %d lies outside the %d there are", id, p.end)
	}
	for i := id; i < id+n; i++ {
		if p.met[i/64]&(1<<(i%64)) != 0 {
			return fmt.Errorf("page %d is used twice", i)
		}
		p.met[i/64] |= 1 << (i % 64)
	}
	return nil
}

// page is one page with those that continue it.
type page struct {
	id     uint64
	kind   uint16
	count  uint64
	size   uint64 // in bytes, with its continuation
	raw    []byte // as much as was read
	inline bool   // it stands in a value of page id, which is a small bucket
}

// read marks and reads the beginning of page id: its head and its list. What it
// gives is good until the next is read.
func (p *pages) read(id uint64) (page, error) {
	if id >= p.end {
		return page{}, fmt.Errorf("page %d lies outside the %d there are", id, p.end)
	}
	raw, err := p.bytes(id*p.size, p.size)
	if err != nil {
		return page{}, err
	}
	g := page{id: id, raw: raw}
	g.kind, g.count = order.Uint16(g.raw[8:]), uint64(order.Uint16(g.raw[10:]))
	more := uint64(order.Uint32(g.raw[12:]))
	if own := order.Uint64(g.raw); own != id {
		return page{}, fmt.Errorf("page %d calls itself %d", id, own)
	}
	if err := p.meet(id, 1+more); err != nil {
		return page{}, err
	}
	g.size = (1 + more) * p.size
	list := headSize + g.count*elementSize
	if g.kind == freelistPage {
		list = g.size
	}
	if list > g.size {
		return page{}, fmt.Errorf("page %d is too short for what it lists", id)
	}
	if list > p.size {
		g.raw, err = p.bytes(id*p.size, list)
	}
	return g, err
}

// bytes gives n bytes of the file from byte from on, which lie inside it.
func (p *pages) bytes(from, n uint64) ([]byte, error) {
	if from < p.at || from+n > p.at+uint64(len(p.piece)) {
		size := max(n, min(pieceSize, p.end*p.size-from))
		p.piece, p.at = slices.Grow(p.piece[:0], int(size))[:size], from
		if _, err := p.file.ReadAt(p.piece, int64(from)); err != nil {
			return nil, err
		}
	}
	return p.piece[from-p.at:][:n], nil
}

// free looks through the list of free pages.
func (p *pages) free(id uint64) error {
	g, err := p.read(id)
	if err != nil {
		return err
	}
	if g.kind != freelistPage {
		return fmt.Errorf("page %d is no list of free pages", id)
	}
	list := g.raw[headSize:]
	if g.count == longList {
		g.count, list = order.Uint64(list), list[8:]
	}
	if g.count > uint64(len(list))/8 {
		return fmt.Errorf("page %d is too short for what it lists", id)
	}
	for i := range g.count {
		if err := p.meet(order.Uint64(list[8*i:]), 1); err != nil {
			return err
		}
	}
	return nil
}

// tree looks through everything that hangs from page root.
func (p *pages) tree(root uint64) error {
	p.todo = append(p.todo, root)
	for len(p.todo) > 0 {
		level := p.todo
		p.todo = nil
		slices.Sort(level)
		for _, id := range level {
			if err := p.node(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// node looks through one page of the tree, and notes those below it.
func (p *pages) node(id uint64) error {
	g, err := p.read(id)
	switch {
	case err != nil:
		return err
	case g.kind == branchPage && g.count > 0:
		return p.branch(g)
	case g.kind == leafPage:
		return p.leaf(g)
	default:
		return fmt.Errorf("page %d of kind %d stands in the tree", id, g.kind)
	}
}

func (p *pages) branch(g page) error {
	for at := uint64(headSize); at < headSize+g.count*elementSize; at += elementSize {
		e := g.raw[at:]
		if !within(at, g.size, order.Uint32(e), order.Uint32(e[4:])) {
			return fmt.Errorf("page %d is too short for its keys", g.id)
		}
		p.todo = append(p.todo, order.Uint64(e[8:]))
	}
	return nil
}

func (p *pages) leaf(g page) error {
	for at := uint64(headSize); at < headSize+g.count*elementSize; at += elementSize {
		e := g.raw[at:]
		flags, pos, key, value := order.Uint32(e), order.Uint32(e[4:]), order.Uint32(e[8:]), order.Uint32(e[12:])
		if !within(at, g.size, pos, key, value) {
			return fmt.Errorf("page %d is too short for its values", g.id)
		}
		if flags&bucketFlag == 0 {
			continue
		}
		if g.inline {
			return fmt.Errorf("page %d holds a bucket where none can be", g.id)
		}
		if err := p.bucket(g, at+uint64(pos)+uint64(key), uint64(value)); err != nil {
			return err
		}
	}
	return nil
}

// within reports whether parts of those lengths fit from pos on, which counts
// from the element at at.
func within(at, size uint64, pos uint32, lengths ...uint32) bool {
	at += uint64(pos)
	for _, n := range lengths {
		at += uint64(n)
	}
	return at <= size
}

// bucket looks at the value of size bytes at at that is a bucket: a page, or a
// small leaf in the value itself.
func (p *pages) bucket(g page, at, size uint64) error {
	raw := make([]byte, size)
	if _, err := p.file.ReadAt(raw, int64(g.id*p.size+at)); err != nil {
		return err
	}
	if size >= bucketSize && order.Uint64(raw) != 0 {
		p.todo = append(p.todo, order.Uint64(raw))
		return nil
	}
	if size < bucketSize+headSize {
		return fmt.Errorf("page %d holds a bucket that is cut", g.id)
	}
	inner := page{id: g.id, size: size - bucketSize, raw: raw[bucketSize:], inline: true}
	inner.kind, inner.count = order.Uint16(inner.raw[8:]), uint64(order.Uint16(inner.raw[10:]))
	if inner.kind != leafPage || headSize+inner.count*elementSize > inner.size {
		return fmt.Errorf("page %d holds a bucket that is cut", g.id)
	}
	return p.leaf(inner)
}
