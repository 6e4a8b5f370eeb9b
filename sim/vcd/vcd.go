package vcd

import (
	"bufio"
	"fmt"
	"io"

	"etch/sim"
	"etch/sim/internal/record"
)

// Writer is a sim.Tracer that writes a dump.
type Writer struct {
	rec   record.Recorder
	out   *bufio.Writer
	scale string
	nets  []net
	err   error

	file *record.File // of Create, until Close
}

// New returns a Writer to w. What it writes is complete after Close.
func New(w io.Writer) *Writer {
	return &Writer{out: bufio.NewWriterSize(w, 1<<16), scale: "1ns"}
}

// Create returns a Writer to a file of that name. The file appears, or takes the
// place of an older one, at Close; until then a temporary one beside it is
// written.
func Create(path string) (*Writer, error) {
	f, err := record.Create(path)
	if err != nil {
		return nil, fmt.Errorf("vcd: %w", err)
	}
	w := New(f)
	w.file = f
	return w, nil
}

// SetTimescale says what a unit of the simulator's time is, "1ns" unless set; it
// is 1, 10 or 100 of s, ms, us, ns, ps or fs. It counts before Trace, which
// refuses anything else.
func (w *Writer) SetTimescale(unit string) { w.scale = unit }

// Start implements sim.Tracer: it writes the header and all values.
func (w *Writer) Start(s *sim.Sim) error {
	if w.rec.Started() {
		return w.named(record.ErrUsed)
	}
	if _, err := record.Scale(w.scale); err != nil {
		return fmt.Errorf("vcd: %w", err)
	}
	if err := w.rec.Start(s, (*encoder)(w)); err != nil {
		w.fail(err)
		return w.err
	}
	w.printf("$end\n")
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
// what is buffered. The simulator may go on; it is traced no more. Errors: those
// of writing; nothing was traced, in which case there is no file.
func (w *Writer) Close() error {
	w.rec.EndNow()
	if !w.rec.Started() {
		w.fail(record.ErrNothing)
	} else if err := w.out.Flush(); err != nil {
		w.fail(err)
	}
	if w.file != nil {
		if err := w.file.Finish(w.err); err != nil {
			w.fail(err)
		}
		w.file = nil
	}
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
	return fmt.Errorf("vcd: %w", err)
}

func (w *Writer) printf(format string, args ...any) {
	w.write(fmt.Appendf(w.out.AvailableBuffer(), format, args...))
}

// write writes out text.
func (w *Writer) write(text []byte) {
	if _, err := w.out.Write(text); err != nil {
		w.fail(err)
	}
}
