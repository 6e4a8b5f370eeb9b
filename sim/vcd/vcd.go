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

// New returns a Writer to w. The output is complete after Close.
func New(w io.Writer) *Writer {
	return &Writer{out: bufio.NewWriterSize(w, 1<<16), scale: "1ns"}
}

// Create returns a Writer to a file of that name. The file appears, or takes the place of an
// older one, at Close; until then the Writer writes a temporary file beside it.
func Create(path string) (*Writer, error) {
	f, err := record.Create(path)
	if err != nil {
		return nil, fmt.Errorf("vcd: %w", err)
	}
	w := New(f)
	w.file = f
	return w, nil
}

// SetTimescale sets the unit of the simulator's time, "1ns" unless set: 1, 10 or 100 of s, ms,
// us, ns, ps or fs. It is for before Trace, which refuses any other text.
func (w *Writer) SetTimescale(unit string) { w.scale = unit }

// Start implements sim.Tracer: it writes the header and all values.
func (w *Writer) Start(s *sim.Sim) error {
	if w.rec.Started() {
		return w.named(record.ErrUsed)
	}

	// A bad scale is told before the header is written.
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

// End ends the dump at a time of the simulator, which may go on; it is traced no more. The
// output is complete after Close.
func (w *Writer) End(t uint64) error {
	w.rec.End(t)
	return w.err
}

// Close ends the dump at the time reached, unless it has ended, and flushes the buffer. The
// simulator may go on; it is traced no more. Errors: writing failed; nothing was traced, in
// which case there is no file.
func (w *Writer) Close() error {
	w.rec.EndNow()
	if !w.rec.Started() {
		w.fail(record.ErrNothing)
	} else if err := w.out.Flush(); err != nil {
		w.fail(err)
	}

	// The file gets its name only without an error.
	if w.file != nil {
		if err := w.file.Finish(w.err); err != nil {
			w.fail(err)
		}
		w.file = nil
	}
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
	return fmt.Errorf("vcd: %w", err)
}

// printf writes formatted text by way of the buffer, without an allocation.
func (w *Writer) printf(format string, args ...any) {
	w.write(fmt.Appendf(w.out.AvailableBuffer(), format, args...))
}

// write keeps the first error.
func (w *Writer) write(text []byte) {
	if _, err := w.out.Write(text); err != nil {
		w.fail(err)
	}
}
