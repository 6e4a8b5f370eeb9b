package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"etch/sim"
	"etch/sim/dump"
)

// Waves is the work of a simulating command for the flags -waves and
// -waves-cycles.
type Waves struct {
	path   string
	window sim.Window
	w      dump.Writer
}

// Waves adds the flags.
func (f *Flags) Waves() *Waves {
	w := &Waves{}
	f.StringVar(&w.path, "waves", "", "`file` of waves, .vcd or .fst")
	f.Func("waves-cycles", "the waves are of cycles `from:to`, to left out; either may be empty", func(s string) error {
		var err error
		w.window.From, w.window.To, err = cycles(s)
		return err
	})
	return w
}

// cycles reads a range of cycles and returns their times.
func cycles(text string) (from, to uint64, err error) {
	first, last, ok := strings.Cut(text, ":")
	number := func(s string) uint64 {
		n, err := strconv.ParseUint(s, 10, 40)
		if s == "" {
			return 0
		}
		ok = ok && err == nil
		return n * sim.CycleTime
	}

	// An open end is 0, which stands for the end of the run.
	from, to = number(first), number(last)
	if !ok || to <= from && last != "" {
		return 0, 0, fmt.Errorf("%q is not a range of cycles as in 100:200", text)
	}
	return from, to, nil
}

// Trace begins the waves of s, if they are wanted. The simulator makes its cycles
// by Step.
func (w *Waves) Trace(s *sim.Sim) error {
	if w.path == "" {
		if w.window.From > 0 || w.window.To > 0 {
			return usagef("-waves-cycles without -waves")
		}
		return nil
	}

	// The ending of the name decides the format.
	f, err := dump.Create(w.path)
	if at := new(fs.PathError); err != nil && !errors.As(err, &at) {
		return usagef("-waves: %v", err) // the name's ending
	}
	if err != nil {
		return err
	}

	// Only cycles of the window reach the file.
	w.w, w.window.Tracer = f, f
	if err := s.Trace(&w.window); err != nil {
		f.Close()
		w.w = nil
		return err
	}
	return nil
}

// Close completes the file; after a failure too, with the waves until then.
// It returns err, the outcome of the run, or else the error of the waves.
func (w *Waves) Close(err error) error {
	if w.w == nil {
		return err
	}

	// An error of the run is told, not that of the file that it left.
	closing := w.w.Close()
	w.w = nil
	switch {
	case err != nil:
		return err
	case errors.Is(closing, dump.ErrNothing):
		return errors.New("-waves-cycles: the run was shorter, there are no waves")
	}
	return closing
}
