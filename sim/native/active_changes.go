package native

import (
	"slices"

	"etch/sim/native/internal/emit"
	"etch/sim/net"
)

// often is the share of a part's runs from which a change is no rare event.
func (p *active) often() float64 { return p.pol.Parts.Often - p.pol.Parts.OftenCrowd*p.r.Crowd }

// flags joins the flags of parts, group by group. Parts are in the order of their groups, so
// neighbours join.
func (p *active) flags(parts []int32) []emit.Flag {
	all := make([]emit.Flag, 0, len(parts))
	for _, k := range parts {
		if p.group[k].Mask != 0 {
			all = append(all, p.group[k])
		}
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
		c.Often = w.Often > limit && len(c.Now)+len(c.Next) <= p.pol.Parts.Masked || len(c.Now)+len(c.Next) == 0
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
