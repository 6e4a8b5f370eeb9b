//go:build (linux || darwin || windows) && (amd64 || arm64)

package exec

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"
)

// MaxSize is the largest size of a Memory in bytes.
const MaxSize = 1 << 30

// Memory is pages that are writable or executable, never both (W^X). Its methods
// are for one goroutine at a time; Call is for any number of them.
type Memory struct {
	pages   []byte // nil once closed
	mapped  []byte // what the system gave: pages, and for large ones room to align them
	sealed  bool
	cleanup runtime.Cleanup
}

// Supported tells whether this platform has New and Call.
func Supported() bool { return true }

// hugePage is the size of the pages that a system may use for a Memory of at least half of it, and
// their alignment. Code that passes through megabytes in each turn misses the processor's few entries
// for pages of instructions otherwise, and pages scattered over physical memory crowd some sets of its
// second-level cache.
const hugePage = 2 << 20

// New maps size bytes of zeros, rounded up to whole pages, writable. They are
// freed by Close, or some time after the Memory is forgotten. Errors: size is not
// in 1 … MaxSize; the system refuses.
func New(size int) (*Memory, error) {
	if size < 1 || size > MaxSize {
		return nil, fmt.Errorf("exec: a size of %d bytes is not in 1 … %d", size, MaxSize)
	}

	// The system maps whole pages. They start writable; Seal makes them executable.
	page := os.Getpagesize()
	size = (size + page - 1) &^ (page - 1)
	room := size
	if size >= hugePage/2 {
		size = (size + hugePage - 1) &^ (hugePage - 1)
		room = size + hugePage
	}
	mapped, err := mapPages(room)
	if err != nil {
		return nil, fmt.Errorf("exec: mapping %d bytes: %w", room, err)
	}
	pages := mapped
	if room > size {
		at := uintptr(unsafe.Pointer(unsafe.SliceData(mapped)))
		pages = mapped[-at&(hugePage-1):][:size:size]
		preferHuge(pages)
	}

	// The pages are outside Go's heap: the collector does not free them with m.
	m := &Memory{pages: pages, mapped: mapped}
	m.cleanup = runtime.AddCleanup(m, func(p []byte) { _ = freePages(p) }, mapped)
	return m, nil
}

// Bytes is the writable view, nil while sealed and after Close. It must not be
// kept over a Seal: a write would then end the process.
func (m *Memory) Bytes() []byte {
	if m.sealed {
		return nil
	}
	return m.pages
}

// Text is the pages for reading only, sealed or not; nil after Close.
func (m *Memory) Text() []byte { return m.pages }

// Addr is the address of the first byte, 0 after Close.
func (m *Memory) Addr() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(m.pages))) }

// Seal makes the pages executable and no longer writable. Errors: the Memory is
// closed; the system refuses (some hardened ones do).
func (m *Memory) Seal() error {
	if m.pages == nil {
		return fmt.Errorf("exec: making memory executable: %w", os.ErrClosed)
	}

	// One call takes away write access and grants execution.
	if err := makeExecutable(m.pages); err != nil {
		return fmt.Errorf("exec: making memory executable: %w", err)
	}
	m.sealed = true

	// On arm64 instruction fetch does not see the stores until the caches are synchronised.
	flush(m.pages)
	return nil
}

// Unseal makes the pages writable and no longer executable; no goroutine may be
// in the code. Errors: the Memory is closed; the system refuses.
func (m *Memory) Unseal() error {
	if m.pages == nil {
		return fmt.Errorf("exec: making memory writable: %w", os.ErrClosed)
	}
	if err := makeWritable(m.pages); err != nil {
		return fmt.Errorf("exec: making memory writable: %w", err)
	}
	m.sealed = false
	return nil
}

// Close frees the pages; a second call does nothing. No goroutine may be in the
// code.
func (m *Memory) Close() error {
	if m.pages == nil {
		return nil
	}

	// Stop the cleanup first, or the collector could free pages that the system has given to
	// another.
	m.cleanup.Stop()
	err := freePages(m.mapped)
	m.pages, m.mapped, m.sealed = nil, nil, false
	if err != nil {
		return fmt.Errorf("exec: freeing memory: %w", err)
	}
	return nil
}
