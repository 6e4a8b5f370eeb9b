package fst

import (
	"fmt"
	"io"

	"etch/sim"
	"etch/sim/internal/record"
)

// Writer is a sim.Tracer that writes an FST file.
type Writer struct {
	rec   record.Recorder
	out   io.Writer
	file  *record.File // of Create, until Close
	size  int64        // bytes written
	scale string
	head  header
	limit int    // bytes at which a block is full; 0 until Start
	every uint32 // times between two checks of the block
	nets  []net
	told  []uint64 // by word: the last values of nets of more than 64 bits
	all   bool     // Change takes every value for a change
	block block
	spare block // the block before, which a goroutine may be packing
	pack  packer
	// packing delivers the block that is being packed; nil: there is none.
	packing chan []byte
	err     error
}

// A block is written at blockBytes, or, if that is more, at blockFrames times the size of all
// values, which it repeats; at most at blockMost. Larger blocks would pack better, but leave the
// processor's cache.
const (
	blockBytes  = 1 << 20
	blockFrames = 8
	blockMost   = 1 << 28
)

// Done checks a block before it can have grown to twice its size, and after mostEvery times.
// Machine code runs at most so many events in a row; events times words are at most columnRoom.
const (
	mostEvery  = 510
	columnRoom = 1 << 17
)

// New returns a Writer to w, which is written once, from front to back: its header leaves the
// end of time open, and readers look for it in the blocks. The output is complete after Close.
func New(w io.Writer) *Writer {
	return &Writer{out: w, scale: "1ns"}
}

// Create returns a Writer to a file of that name. The file appears, or takes the place of an
// older one, at Close. Until then the Writer writes a temporary file beside it, which can be
// read at any time up to the last block but one.
func Create(path string) (*Writer, error) {
	f, err := record.Create(path)
	if err != nil {
		return nil, fmt.Errorf("fst: %w", err)
	}
	w := New(f)
	w.file = f
	return w, nil
}

// SetTimescale sets the unit of the simulator's time, "1ns" unless set: 1, 10 or 100 of s, ms,
// us, ns, ps or fs. It is for before Trace, which refuses any other text.
func (w *Writer) SetTimescale(unit string) { w.scale = unit }

// Start implements sim.Tracer: it writes the header and the hierarchy.
func (w *Writer) Start(s *sim.Sim) error {
	if w.rec.Started() {
		return w.named(record.ErrUsed)
	}
	scale, err := record.Scale(w.scale)
	if err != nil {
		return fmt.Errorf("fst: %w", err)
	}
	w.head.scale = int8(scale)
	if err := w.rec.Start(s, (*encoder)(w)); err != nil {
		w.fail(err)
	}
	return w.err
}

// Sample implements sim.Tracer.
func (w *Writer) Sample(m sim.Moment) error { return w.rec.Sample(m) }

// Watching implements sim.Bulk.
func (w *Writer) Watching() *sim.Watch { return w.rec.Watching() }

// SampleChanges implements sim.Bulk.
func (w *Writer) SampleChanges(c *sim.Changes) error { return w.rec.SampleChanges(c) }

// End ends the dump at a time of the simulator, which may go on; it is traced no more. The
// output is complete after Close.
func (w *Writer) End(t uint64) error {
	w.rec.End(t)
	return w.err
}

// Close ends the dump with the time reached, unless it has ended, and writes out
// the last block. The simulator may go on; it is traced no more. Errors: those
// of writing; nothing was traced, in which case there is no file.
func (w *Writer) Close() error {
	w.rec.EndNow()

	// Write the last block. Blocks that are still being packed have to be written even after an
	// error, for the goroutine to end.
	switch {
	case !w.rec.Started():
		w.fail(record.ErrNothing)
	case w.err == nil:
		w.flush()
	}
	w.collect()

	// The end of time is known now: a file of its own gets its header again.
	if w.file != nil {
		if w.err == nil {
			w.head.last = w.block.end
			if _, err := w.file.WriteAt(w.head.encode(), 0); err != nil {
				w.fail(err)
			}
		}
		if err := w.file.Finish(w.err); err != nil {
			w.fail(err)
		}
		w.file = nil
	}
	w.block, w.spare = block{}, block{}
	return w.err
}

// fail keeps the first error.
func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = w.named(err)
	}
}

// named adds the package's name to an error, once.
func (w *Writer) named(err error) error {
	if err == w.err {
		return err
	}
	return fmt.Errorf("fst: %w", err)
}

// write writes a block of the file, whose first byte is its kind. A crash may leave a part of
// it: in a file of its own the block gets the kind "to be skipped" until all of it is there, so
// that a reader stops in front of it.
func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	kind, at := b[0], w.size
	if w.file != nil {
		b[0] = kindSkip
	}
	n, err := w.out.Write(b)
	w.size += int64(n)
	if err == nil && w.file != nil {
		b[0] = kind
		_, err = w.file.WriteAt(b[:1], at)
	}
	if err != nil {
		w.fail(err)
	}
}
