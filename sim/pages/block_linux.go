package pages

import (
	"encoding/binary"
	"os"
	"runtime"
	"sync"
	"syscall"
	"unsafe"
)

// mapping is the part of a Block that only Linux has: memory for the answers of mincore.
type mapping struct{ resident []byte }

// noHugePages is MADV_NOHUGEPAGE, for which package syscall has no name.
const noHugePages = 15

// open maps size bytes. Huge pages are turned off: one byte written would take 2 MiB.
func (b *Block) open(size int) error {
	all, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return err
	}
	_ = syscall.Madvise(all, noHugePages) // a kernel without them refuses
	b.bytes = all

	// The cleanup has the mapping alone: one that had the block would keep it reachable.
	runtime.AddCleanup(b, func(p []byte) { _ = syscall.Munmap(p) }, all)
	return nil
}

// Clear makes all bytes 0 and gives all pages back.
func (b *Block) Clear() { b.release(0, len(b.bytes)) }

// release makes whole pages 0 and gives them back.
func (b *Block) release(at, size int) {
	// Where the kernel refuses, the bytes are cleared and the memory stays.
	if part := b.bytes[at:][:size]; size > 0 && syscall.Madvise(part, syscall.MADV_DONTNEED) != nil {
		clear(part)
	}
}

// stretch is the number of bytes that one call of mincore asks about.
const stretch = 1 << 30

// Resident returns the size in bytes of the pages in memory, with pages that were only read. It
// takes about 50 µs for 2 GiB of which little was touched.
func (b *Block) Resident() int {
	page := os.Getpagesize()

	// The list is kept, as the question comes often.
	if b.resident == nil {
		b.resident = make([]byte, min(stretch, len(b.bytes))/page+1)
	}
	n := 0

	// mincore answers a byte for each page; bit 0 says that the page is in memory.
	for at := 0; at < len(b.bytes); at += stretch {
		part := b.bytes[at:min(at+stretch, len(b.bytes))]
		list := b.resident[:(len(part)+page-1)/page]
		_, _, errno := syscall.Syscall(syscall.SYS_MINCORE, uintptr(unsafe.Pointer(unsafe.SliceData(part))), uintptr(len(part)), uintptr(unsafe.Pointer(unsafe.SliceData(list))))
		if errno != 0 {
			return b.Held()
		}
		for _, x := range list {
			n += int(x & 1)
		}
	}
	return n * page
}

// eachPage calls f for the pages that may hold data, in order. It reads the table of pages,
// since mincore would leave out pages that are swapped out. Where the table cannot be read, it
// calls f for all pages.
func (b *Block) eachPage(f func(at int)) {
	if !tableHolds() {
		b.everyPage(0, f)
		return
	}
	b.tablePages(f)
}

// tableHolds reports whether the table of pages is one of this process's addresses: under an
// emulator of another processor it is not. The test: of three new pages the table has to show
// the one that was written.
var tableHolds = sync.OnceValue(func() bool {
	page := os.Getpagesize()
	probe := &Block{}
	if probe.open(3*page) != nil {
		return false
	}

	// Only the page in the middle is written.
	probe.bytes[page] = 1
	var seen []int
	probe.tablePages(func(at int) { seen = append(seen, at/page) })
	return len(seen) == page/PageSize && seen[0] == 1
})

// tablePages calls f for the pages that the table of pages shows as present or swapped out. The
// table has a word of 64 bits for each page of the system.
func (b *Block) tablePages(f func(at int)) {
	// Words of Linux's pagemap: bit 63 is a page in memory, bit 62 one that is swapped out.
	const entry, present, swapped = 8, 1 << 63, 1 << 62
	page := os.Getpagesize()
	table, err := os.Open("/proc/self/pagemap")
	if err != nil {
		b.everyPage(0, f)
		return
	}

	defer table.Close()
	buf := make([]byte, 1<<16)

	// A page of the system may be several of ours: f gets each of them.
	for at := 0; at < len(b.bytes); {
		want := min(len(buf), (len(b.bytes)-at+page-1)/page*entry)
		n, err := table.ReadAt(buf[:want], int64((uintptr(b.Addr())+uintptr(at))/uintptr(page)*entry))
		if err != nil || n != want {
			b.everyPage(at, f)
			return
		}
		for k := 0; k < n; k += entry {
			if binary.NativeEndian.Uint64(buf[k:])&(present|swapped) != 0 {
				for part := 0; part < page && at+part < len(b.bytes); part += PageSize {
					f(at + part)
				}
			}
			at += page
		}
	}
}

// everyPage calls f for all pages from a place on.
func (b *Block) everyPage(from int, f func(at int)) {
	for at := from; at < len(b.bytes); at += PageSize {
		f(at)
	}
}
