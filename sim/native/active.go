package native

import (
	"errors"
	"slices"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/native/internal/emit"
	"etch/sim/net"
)

// Code of a partition (net.Partition): each part runs only if its flag is set.
//
// The flags stand in groups of 32. A group has two double words of flags: of the present cycle and
// of the next one. A kept value that changes sets flags of the present cycle, which belong to later
// parts; a register or memory word that changes sets flags of the next cycle. A register that a
// later part still reads is deferred: its new value goes to a list, which the end of the cycle
// empties into the registers.
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
	early   int32       // groups of the parts that Stop needs
	layout  emit.ActiveLayout
	cells   cells
	foreign foreign
}

// often is the share of a part's runs from which a change is no rare event.
func (p *active) often() float64 { return p.pol.Parts.Often - p.pol.Parts.OftenCrowd*p.r.Crowd }

// compileActive makes code of a partition. room is the number of scratch words that it may use.
// Errors: it needs more; those of newCode.
func compileActive(r *net.Partition, a *net.Activity, f cpu.Features, first int32, room int, pol *choose.Policy) (*Code, *active, error) {
	p := newActive(r, a, first, pol)

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
func newActive(r *net.Partition, a *net.Activity, first int32, pol *choose.Policy) *active {
	p := &active{pol: pol, r: r, s: r.Sections(a), group: make([]emit.Flag, len(r.Parts))}

	// The parts that Stop needs have groups of their own, since the test follows them.
	g, k := int32(0), 0
	for i := range r.Parts {
		if k == emit.PerGroup || i == r.Early && k > 0 {
			g, k = g+1, 0
		}
		if i == r.Early {
			p.early = g
		}
		p.group[i] = emit.Flag{Group: g, Mask: 1 << k}
		k++
	}
	if r.Early == len(r.Parts) {
		p.early = g + 1
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

// flags joins the flags of parts, group by group. Parts are in the order of their groups, so
// neighbours join.
func (p *active) flags(parts []int32) []emit.Flag {
	all := make([]emit.Flag, len(parts))
	for i, k := range parts {
		all[i] = p.group[k]
	}
	return joined(all)
}

// woken is the flags of the parts that a part wakes in each run.
func (p *active) woken(s *net.PartNet) []emit.Flag {
	var parts []int32
	for i := range s.Words {
		if s.Words[i].Always {
			parts = append(parts, s.Words[i].Readers...)
		}
	}
	slices.Sort(parts)
	return p.flags(slices.Compact(parts))
}

// changes tells the effects of writing each word of a part's net, and the cells of all its words: a
// change of a register is seen in the next cycle, a change of a kept value in this one. often has the
// blocks of deferred cells that change often: the part copies them after each run.
func (p *active) changes(s *net.PartNet) (all []emit.Change, cells []emit.Cell, often []emit.Flag) {
	all, cells = make([]emit.Change, len(s.Words)), make([]emit.Cell, len(s.Words))
	limit := p.often()
	for i := range s.Words {
		w, c := &s.Words[i], &all[i]
		cells[i] = p.cells.of(w, s.Net.Regs[i].Slot)
		c.To = cells[i].At
		switch {
		case w.Reg >= 0:
			c.Next = p.flags(w.Readers)
			c.Home = p.cells.regs[w.Reg].Bytes > 0
			c.Listed = w.Deferred && !c.Home
		case !w.Always: // else the part wakes them in each run
			c.Now = p.flags(w.Readers)
		}
		c.Often = w.Often > limit && len(c.Now)+len(c.Next) <= p.pol.Parts.Masked
		if w.Deferred && c.Home {
			c.To = p.layout.NextOf(c.To)
			if block := p.layout.BlockOf(cells[i].At); c.Often {
				often = append(often, block)
			} else {
				c.Blocks = []emit.Flag{block}
			}
		}
	}

	// A block that the part copies anyway needs no flag of a rare change.
	often = joined(often)
	for i := range all {
		if b := all[i].Blocks; len(b) > 0 && slices.ContainsFunc(often, func(f emit.Flag) bool { return f.Group == b[0].Group && f.Mask&b[0].Mask != 0 }) {
			all[i].Blocks = nil
		}
	}
	return all, cells, often
}

// joined joins flags of the same group. Those of a group are neighbours.
func joined(flags []emit.Flag) (all []emit.Flag) {
	for _, f := range flags {
		if n := len(all); n > 0 && all[n-1].Group == f.Group {
			all[n-1].Mask |= f.Mask
		} else {
			all = append(all, f)
		}
	}
	return all
}
