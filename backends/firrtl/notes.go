package firrtl

import (
	"errors"
	"fmt"
	"path/filepath"

	"etch/ir"
)

// Notes lists the parts of a design that the text cannot express, one line each, as in
// "counter.go:12: register count of counter_4 starts as 4'h5, which FIRRTL cannot say". For
// most designs it is empty.
func Notes(d *ir.Design, o Options) []string {
	w, err := newWriter(nil, d, o)
	switch {
	// A latch stops the writer: that is the note.
	case errors.Is(err, ErrLatch):
		return []string{err.Error()}
	case err != nil:
		return nil
	}

	var notes []string
	// Each note begins with the position, if known.
	add := func(p ir.Pos, format string, args ...any) {
		at := ""
		if l := d.Src.At(p); p != 0 && l.Line > 0 {
			at = fmt.Sprintf("%s:%d: ", filepath.Base(l.File), l.Line)
		}
		notes = append(notes, at+fmt.Sprintf(format, args...))
	}

	// Attributes, initial values of registers, contents of memories.
	for _, m := range reached(d) {
		w.lostAttributes(m, add)
		if m.Extern != nil {
			continue
		}

		for i := range m.Regs {
			if r := &m.Regs[i]; r.Init != ir.None {
				add(m.Node(r.Node).Pos, "register %s of %s starts as %v, which FIRRTL cannot say", orElse(m.NameOf(r.Node), "r"), w.modName(m), m.ConstOf(r.Init))
			}
		}

		for i := range m.Mems {
			mem := &m.Mems[i]
			switch {
			case mem.Init == nil || isROM(mem):
			case o.NoMemFiles:
				add(mem.Pos, "the contents of memory %s of %s are left out", mem.Name, w.modName(m))
			default:
				add(mem.Pos, "memory %s of %s starts from a file", mem.Name, w.modName(m))
			}
		}
	}
	return notes
}
