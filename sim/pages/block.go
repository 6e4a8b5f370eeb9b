package pages

import (
	"fmt"
	"math"
	"unsafe"
)

// MaxSize is the most bytes that a block can have.
const MaxSize = 1 << 36

// PageSize is the unit in which contents are copied and compared. Where blocks are mapped, the
// system's pages are at least as large.
const PageSize = 4096

// Block is bytes that start as 0. Its pages are freed once the Block is not reachable: nothing
// may use its address or its bytes from then on.
type Block struct {
	bytes []byte
	mapping
}

// New makes a block of size bytes, rounded up to whole pages. Errors: size is not in
// 1 … [MaxSize]; the system refuses.
func New(size int) (*Block, error) {
	// The size is rounded up below, which must not overflow an int.
	if size < 1 || size > min(MaxSize, math.MaxInt-PageSize) {
		return nil, fmt.Errorf("pages: a size of %d bytes is not in 1 … %d", size, MaxSize)
	}
	b := &Block{}
	if err := b.open((size + PageSize - 1) &^ (PageSize - 1)); err != nil {
		return nil, fmt.Errorf("pages: mapping %d bytes: %w", size, err)
	}
	return b, nil
}

// Bytes returns the whole block; a page of it takes memory once it is written.
func (b *Block) Bytes() []byte { return b.bytes }

// Addr returns the address of the first byte, which stays the same.
func (b *Block) Addr() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b.bytes))) }

// Held returns the size in bytes of the pages that are not all zeros. Pages of zeros are given
// back on the way.
func (b *Block) Held() int {
	held, from, to := 0, 0, 0 // zero pages not yet given back: neighbours go in one call
	b.eachPage(func(at int) {
		switch {
		case !isZero(b.bytes[at:][:PageSize]):
			held += PageSize
		// One more page of zeros behind the others.
		case at == to:
			to += PageSize
		default:
			b.release(from, to-from)
			from, to = at, at+PageSize
		}
	})
	b.release(from, to-from)
	return held
}

// Image is a copy of a block's contents. It does not change.
type Image struct {
	at    []int // of pages, rising
	pages []byte
}

// Copy returns an image of the contents. It takes as much memory as the pages that are not all
// zeros.
func (b *Block) Copy() *Image {
	m := &Image{}

	// A page that an image lacks is one of zeros.
	b.eachPage(func(at int) {
		if page := b.bytes[at:][:PageSize]; !isZero(page) {
			m.at = append(m.at, at)
			m.pages = append(m.pages, page...)
		}
	})
	return m
}

// Load gives the block the contents of an image of a block of its size.
func (b *Block) Load(m *Image) {
	b.Clear()
	for k, at := range m.at {
		copy(b.bytes[at:], m.page(k))
	}
}

func (m *Image) page(k int) []byte { return m.pages[k*PageSize:][:PageSize] }

// Differs returns the place of the first byte in which two images are not equal; false
// if they are equal.
func (m *Image) Differs(o *Image) (int, bool) {
	var zeros [PageSize]byte

	// Merge the two lists of pages; a page that one image lacks is zeros.
	for i, j := 0, 0; i < len(m.at) || j < len(o.at); {
		x, y, at := zeros[:], zeros[:], math.MaxInt

		// The lower address of the two comes next.
		if i < len(m.at) {
			at = m.at[i]
		}

		if j < len(o.at) {
			at = min(at, o.at[j])
		}

		if i < len(m.at) && m.at[i] == at {
			x, i = m.page(i), i+1
		}
		if j < len(o.at) && o.at[j] == at {
			y, j = o.page(j), j+1
		}

		for k := range x {
			if x[k] != y[k] {
				return at + k, true
			}
		}
	}
	return 0, false
}

// Bytes copies the image's contents from a place on to dst; pages that the image lacks are
// zeros.
func (m *Image) Bytes(dst []byte, from int) {
	clear(dst)
	for k, at := range m.at {
		// The part of the page that dst covers.
		if lo, hi := max(at, from), min(at+PageSize, from+len(dst)); lo < hi {
			copy(dst[lo-from:hi-from], m.page(k)[lo-at:])
		}
	}
}

// isZero reports whether a page is all zeros: eight words at a time, the most frequent question
// about a page.
func isZero(page []byte) bool {
	words := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(page))), len(page)/8)
	for k := 0; k < len(words); k += 8 {
		w := words[k:][:8]
		if w[0]|w[1]|w[2]|w[3]|w[4]|w[5]|w[6]|w[7] != 0 {
			return false
		}
	}
	return true
}
