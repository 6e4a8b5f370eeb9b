//go:build !linux

package pages

import "errors"

// mapping is empty here.
type mapping struct{}

// mostWhole is the largest block: without a table of pages, Copy and Held read all of it.
const mostWhole = 1 << 30

func (b *Block) open(size int) error {
	if size > mostWhole {
		return errors.New("on this system blocks have at most 1 GiB")
	}
	b.bytes = make([]byte, size)
	return nil
}

// Clear makes all bytes 0.
func (b *Block) Clear() { clear(b.bytes) }

// release does nothing: a slice keeps its memory.
func (b *Block) release(int, int) {}

// Resident is the bytes of pages in memory: all.
func (b *Block) Resident() int { return len(b.bytes) }

// eachPage calls f for all pages.
func (b *Block) eachPage(f func(at int)) {
	for at := 0; at < len(b.bytes); at += PageSize {
		f(at)
	}
}
