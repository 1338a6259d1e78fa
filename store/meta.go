package store

import (
	"errors"
	"hash/fnv"
	"io"
	"math/bits"
)

// The first two pages of a file: each has a head and this.
const (
	metaSize    = 64
	metaSummed  = 56 // what its checksum covers
	metaMagic   = 0xED0CDAED
	metaVersion = 2

	smallest   = 1 << 10           // a page size is a power of two from here
	largest    = 1 << 24           // to here
	noFreelist = uint64(1<<64 - 1) // no list of free pages was written
)

// meta is what the first two pages say of all others.
type meta struct {
	pageSize, root, freelist, end, tx uint64
}

// readMeta is the meta page that bbolt goes by: the newer one of those whose
// checksum holds. The second is looked for where each page size would put it.
func readMeta(file io.ReaderAt, bytes int64) (meta, error) {
	var best meta
	for _, at := range metaPlaces(bytes) {
		raw := make([]byte, headSize+metaSize)
		if _, err := file.ReadAt(raw, at); err != nil {
			continue
		}
		if m, ok := decodeMeta(raw[headSize:]); ok && (at == 0 || uint64(at) == m.pageSize) && (best.pageSize == 0 || m.tx > best.tx) {
			best = m
		}
	}
	if best.pageSize == 0 {
		return meta{}, errors.New("neither of its first pages is whole")
	}
	return best, nil
}

func metaPlaces(bytes int64) []int64 {
	places := []int64{0}
	for at := int64(smallest); at <= largest && at < bytes; at *= 2 {
		places = append(places, at)
	}
	return places
}

func decodeMeta(raw []byte) (meta, bool) {
	sum := fnv.New64a()
	_, _ = sum.Write(raw[:metaSummed]) // it never fails
	m := meta{
		pageSize: uint64(order.Uint32(raw[8:])),
		root:     order.Uint64(raw[16:]),
		freelist: order.Uint64(raw[32:]),
		end:      order.Uint64(raw[40:]),
		tx:       order.Uint64(raw[48:]),
	}
	ok := order.Uint32(raw) == metaMagic && order.Uint32(raw[4:]) == metaVersion && order.Uint64(raw[metaSummed:]) == sum.Sum64() &&
		bits.OnesCount64(m.pageSize) == 1 && m.pageSize >= smallest && m.pageSize <= largest
	return m, ok
}
