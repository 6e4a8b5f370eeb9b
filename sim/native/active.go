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
// Two kinds of parts have no flag: those that run in every cycle, and those with an enable, which run
// when that is 1. Changes of the values that only such parts read have no effects.
//
// Stop is computed first. If it ends the call, the flags that were not yet consumed stay set, and
// the next call goes on from there.

// active is a partition on its way to machine code.
type active struct {
	pol     *choose.Policy
	r       *net.Partition
	s       *net.Sections
	group   []emit.Flag // by part; a part without a flag has no mask
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
	p.number()
	p.layout = emit.LayOut(first, int32(len(p.whole)), p.findCells())
	p.placeCells()
	p.findForeign()
	return p
}

// number places the flags of parts in groups.
func (p *active) number() {
	// The parts that Stop needs have groups of their own, since the test follows them. So have those
	// before and behind the parts with enables.
	parts, g, k := p.r.Parts, int32(0), 0
	for i := range parts {
		if begins := i > 0 && (i == p.r.Early || parts[i-1].Enable >= 0); parts[i].Enable < 0 && (k == emit.PerGroup || begins) {
			g, k = g+1, 0
		}

		// Nothing sets flags of parts that run in every cycle, or when their enable is 1.
		p.group[i].Group = g
		switch {
		case parts[i].Busy:
			p.busy++
		case parts[i].Enable < 0:
			p.group[i].Mask = 1 << k
			k++
		}
	}

	p.whole = make([]uint32, g+1)
	for _, f := range p.group {
		p.whole[f.Group] |= f.Mask
	}
}
