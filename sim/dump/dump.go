// Package dump writes waves to a file whose name says in which format: .vcd
// (package vcd) or .fst (package fst).
//
//	w, err := dump.Create("counter.fst")
//	err = s.Trace(w)
//	s.Step(100)
//	err = w.Close() // the file is there from now on
//
// The package imports sim, sim/vcd and sim/fst.
package dump

import (
	"fmt"
	"path/filepath"
	"strings"

	"etch/sim"
	"etch/sim/fst"
	"etch/sim/internal/record"
	"etch/sim/vcd"
)

// Writer is a sim.Tracer that writes a file in one of the formats.
type Writer interface {
	sim.Tracer
	// SetTimescale sets the unit of time, "1ns" unless set; it is for before Trace.
	SetTimescale(unit string)
	// End ends the dump at a time; the simulator may go on.
	End(t uint64) error
	// Close ends the dump, unless it has ended, and completes the file.
	Close() error
}

// ErrNothing is the error that Close wraps when nothing was traced: Trace was not called, or its
// window did not open. There is no file then.
var ErrNothing = record.ErrNothing

// Create returns a Writer to a file of that name, which appears at Close. Errors:
// the name ends in neither .vcd nor .fst; the file cannot be made.
func Create(path string) (Writer, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".vcd":
		return keep(vcd.Create(path))
	case ".fst":
		return keep(fst.Create(path))
	}
	return nil, fmt.Errorf("dump: the name of the file %s does not end in .vcd or .fst", path)
}

// keep returns w as a Writer, and nil, not a nil pointer, after an error.
func keep[W Writer](w W, err error) (Writer, error) {
	if err != nil {
		return nil, err
	}
	return w, nil
}
