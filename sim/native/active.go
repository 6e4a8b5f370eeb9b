package native

import (
	"errors"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/native/internal/emit"
	"etch/sim/net"
)

// Code of a partition (net.Partition): each part runs only if its flag is set.
//
// The flags stand in groups of 32. A group has two double words of flags: of the present cycle and
// of the next one. A kept value that changes sets flags of the present cycle, which belong to later
// parts; a register or memory word that changes sets flags of the next cycle.
//
// Parts read registers and kept values in narrow cells (active_cells.go). A register that a later
// part still reads is deferred: its new value goes to a second cell, which the end of the cycle copies
// to the first one. Registers that are read in the state have no cells: then it goes to a list, which
// the end of the cycle empties.
//
// Stop is computed first. If it ends the call, the flags that were not yet consumed stay set, and
// the next call goes on from there.

// active is a partition on its way to machine code.
type active struct {
	pol     *choose.Policy
	r       *net.Partition
	s       *net.Sections
	group   []emit.Flag // by part
	whole   []uint32    // by group: the flags of its parts
	busy    int         // parts that run in every cycle
	layout  emit.ActiveLayout
	cells   cells
	foreign foreign
}

// compileActive makes code of a partition. room is the number of scratch words that it may use.
// Errors: it needs more; those of newCode.
func compileActive(r *net.Partition, f cpu.Features, first int32, room int, pol *choose.Policy) (*Code, *active, error) {
	p := newActive(r, first, pol)

	// The order of instructions is that of the writer's target; only some targets can write parts.
	w, ok := emit.Here.Writer(f).(emit.ActiveWriter)
	if !ok {
		return nil, nil, ErrUnsupported
	}

	// Spills and kept values are below the state. The caller has reserved room words for them.
	text, scratch, err := p.text(emit.NewCycles(w), w)
	switch {
	case err != nil:
		return nil, nil, err
	case int(scratch) > room:
		return nil, nil, errors.New("native: code with parts takes more scratch words")
	}
	code, err := newCode(text, int(scratch), len(r.Net.N))
	if err != nil {
		return nil, nil, err
	}
	code.parts = len(r.Parts)
	return code, p, nil
}

// newActive numbers the flags and places the words.
func newActive(r *net.Partition, first int32, pol *choose.Policy) *active {
	p := &active{pol: pol, r: r, s: r.Sections(), group: make([]emit.Flag, len(r.Parts))}

	// The parts that Stop needs have groups of their own, since the test follows them.
	g, k := int32(0), 0
	for i := range r.Parts {
		if r.Parts[i].Enable >= 0 { // it has no flag
			p.group[i] = emit.Flag{Group: g}
			continue
		}
		behind := i > 0 && r.Parts[i-1].Enable >= 0
		if k == emit.PerGroup || k > 0 && (i == r.Early || behind) {
			g, k = g+1, 0
		}
		p.group[i] = emit.Flag{Group: g, Mask: 1 << k}
		if r.Parts[i].Busy {
			p.group[i].Mask = 0
			p.busy++
			continue
		}
		k++
	}

	p.whole = make([]uint32, g+1)
	for _, f := range p.group {
		p.whole[f.Group] |= f.Mask
	}
	p.layout = emit.LayOut(first, g+1, p.findCells())
	p.placeCells()
	p.findForeign()
	return p
}
