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
	limit int    // a block of so many bytes is full; 0 until Start
	every uint32 // between two looks at that, in times
	nets  []net
	told  []uint64 // by word, of nets of more than 64 bits, the value told last
	all   bool     // values count as changed
	block block
	spare block // the one before, which may be being packed
	pack  packer
	// packing gives the block that is being packed, when it is; nil: there is none
	packing chan []byte
	err     error
}

// A block is written when it has blockBytes, or blockFrames times the letters of
// all values, which it repeats, if that is more, up to blockMost. More would pack
// better, but leave the processor's cache.
const (
	blockBytes  = 1 << 20
	blockFrames = 8
	blockMost   = 1 << 28
)

// A block is looked at before it can have grown to twice its size, and after
// mostEvery times. Machine code does so many events in a row at most, times words.
const (
	mostEvery  = 510
	columnRoom = 1 << 17
)

// New returns a Writer to w, which is written once, from front to back: its
// header leaves the end of time open, and readers look for it in the blocks.
// What is written is complete after Close.
func New(w io.Writer) *Writer {
	return &Writer{out: w, scale: "1ns"}
}

// Create returns a Writer to a file of that name. The file appears, or takes the
// place of an older one, at Close; until then a temporary one beside it is
// written, which can be read at any time up to the last block but one.
func Create(path string) (*Writer, error) {
	f, err := record.Create(path)
	if err != nil {
		return nil, fmt.Errorf("fst: %w", err)
	}
	w := New(f)
	w.file = f
	return w, nil
}

// SetTimescale says what a unit of the simulator's time is, "1ns" unless set; it
// is 1, 10 or 100 of s, ms, us, ns, ps or fs. It counts before Trace, which
// refuses anything else.
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

// End ends the dump at a time of the simulator, which may go on; it is traced no
// more. What is written is complete after Close.
func (w *Writer) End(t uint64) error {
	w.rec.End(t)
	return w.err
}

// Close ends the dump with the time reached, unless it has ended, and writes out
// the last block. The simulator may go on; it is traced no more. Errors: those
// of writing; nothing was traced, in which case there is no file.
func (w *Writer) Close() error {
	w.rec.EndNow()
	switch {
	case !w.rec.Started():
		w.fail(record.ErrNothing)
	case w.err == nil:
		w.flush()
	}
	w.collect()
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

// fail notes the first error.
func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = w.named(err)
	}
}

// named says whose error it is.
func (w *Writer) named(err error) error {
	if err == w.err {
		return err
	}
	return fmt.Errorf("fst: %w", err)
}

// write writes out a whole block of the file, whose first byte is its kind. In a
// file of its own the block is one to be skipped until all of it is there, so
// that a reader of what a crash has left stops in front of it.
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
