package vcd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"etch/sim"
)

// Writer is a sim.Tracer that writes a dump.
type Writer struct {
	out   *bufio.Writer
	scale string
	used  bool
	s     *sim.Sim // nil before Start and after Close
	nets  []net
	clock map[int]int // index in nets of a clock's Sim net
	now   uint64      // the time that was last written
	shift uint64      // of the dump's time against the simulator's
	text  []byte      // scratch
	words []uint64    // scratch
	err   error

	file *os.File // of Create, until Close
	path string
}

// New returns a Writer to w. What it writes is complete after Close.
func New(w io.Writer) *Writer {
	return &Writer{out: bufio.NewWriterSize(w, 1<<16), scale: "1ns", clock: map[int]int{}}
}

// Create returns a Writer to a file of that name. The file appears, or takes the
// place of an older one, at Close; until then a temporary one beside it is
// written.
func Create(path string) (*Writer, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, fmt.Errorf("vcd: %w", err)
	}
	w := New(f)
	w.file, w.path = f, path
	return w, nil
}

// SetTimescale says what a unit of the simulator's time is, "1ns" unless set; it
// is 1, 10 or 100 of s, ms, us, ns, ps or fs. It counts before Trace.
func (w *Writer) SetTimescale(unit string) { w.scale = unit }

// Start implements sim.Tracer: it writes the header and all values.
func (w *Writer) Start(s *sim.Sim) error {
	if w.used {
		return errors.New("vcd: a Writer traces one simulator, once")
	}
	w.used, w.s = true, s
	w.now = s.Time()
	w.header(s)
	w.printf("#%d\n$dumpvars\n", w.now)
	for i := range w.nets {
		w.dump(&w.nets[i])
	}
	w.printf("$end\n")
	return w.err
}

// Sample implements sim.Tracer.
func (w *Writer) Sample(m sim.Moment) error {
	if w.s == nil {
		return nil // closed
	}
	t := m.Time + w.shift
	if t < w.now { // the simulator went back
		w.shift += w.now - t
		t = w.now
	}
	if m.Phase != sim.Fall {
		w.changes(t)
	}
	for _, clk := range m.Clocks {
		if m.Phase != sim.Before {
			w.level(&w.nets[w.clock[clk.Net()]], m.Phase == sim.After, t)
		}
	}
	return w.err
}

// Close ends the dump with the time reached and writes out what is buffered.
// The simulator may go on; it is traced no more.
func (w *Writer) Close() error {
	if w.s != nil {
		if t := w.s.Time() + w.shift; t > w.now {
			w.at(t)
		}
		w.s = nil
	}
	if err := w.out.Flush(); w.err == nil {
		w.err = err
	}
	if w.file == nil {
		return w.err
	}
	name := w.file.Name()
	if err := w.file.Close(); w.err == nil {
		w.err = err
	}
	w.file = nil
	if w.err == nil {
		w.err = os.Chmod(name, 0o644)
	}
	if w.err == nil {
		w.err = os.Rename(name, w.path)
	}
	if w.err != nil {
		os.Remove(name)
		w.err = fmt.Errorf("vcd: %w", w.err)
	}
	return w.err
}

func (w *Writer) printf(format string, args ...any) {
	w.text = fmt.Appendf(w.text[:0], format, args...)
	w.write()
}

// write writes out text.
func (w *Writer) write() {
	if _, err := w.out.Write(w.text); err != nil && w.err == nil {
		w.err = fmt.Errorf("vcd: %w", err)
	}
}
