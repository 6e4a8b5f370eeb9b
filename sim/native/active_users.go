package native

import (
	"cmp"
	"slices"

	"etch/sim/net"
)

// partValue is a register or kept value that a part writes.
type partValue struct {
	reg  int32 // -1: a kept value
	kept net.ID
	w    uint8
	user int32 // the part that uses it most
}

// byUser returns the registers and kept values that parts write, by the part that uses them most, the
// narrow ones first.
func (p *active) byUser() (all []partValue) {
	n := p.r.Net
	regs, kept := p.users()
	for k := range p.r.Parts {
		for _, x := range p.r.Parts[k].Nodes {
			if p.r.Kept()[x] {
				all = append(all, partValue{-1, x, n.N[x].W, kept.part[x]})
			}
			for _, g := range p.s.Nexts(x) {
				all = append(all, partValue{g, net.None, n.Regs[g].W, regs.part[g]})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b partValue) int {
		return cmp.Or(cmp.Compare(a.user, b.user), cmp.Compare(a.w, b.w))
	})
	return all
}

// mostUsed finds the part that uses each of several values most: uses times the share of the cycles in
// which the part runs.
type mostUsed struct {
	part []int32
	best []float64
	uses []int32 // of the present part
	used []int32 // the values that it uses
}

func newMostUsed(values int) *mostUsed {
	return &mostUsed{part: make([]int32, values), best: make([]float64, values), uses: make([]int32, values)}
}

func (m *mostUsed) use(i int32) {
	if m.uses[i]++; m.uses[i] == 1 {
		m.used = append(m.used, i)
	}
}

// end ends the uses of a part.
func (m *mostUsed) end(part int32, share float64) {
	for _, i := range m.used {
		if w := share * float64(m.uses[i]); w > m.best[i] || m.best[i] == 0 {
			m.best[i], m.part[i] = w, part
		}
		m.uses[i] = 0
	}
	m.used = m.used[:0]
}

// users finds the parts that use registers and kept values most. A part uses the cells of values
// that it reads from the state or from other parts, and of those that it writes.
func (p *active) users() (regs, kept *mostUsed) {
	n := p.r.Net
	regs, kept = newMostUsed(len(n.Regs)), newMostUsed(len(n.N))
	for k := range p.r.Parts {
		// The values of one part are counted before the next one begins.
		for _, x := range p.r.Parts[k].Nodes {
			n.Args(x, func(y net.ID) {
				switch {
				case n.N[y].Op == net.Leaf:
					regs.use(int32(n.N[y].Imm))
				case p.r.Kept()[y] && p.r.Of[y] != int32(k):
					kept.use(int32(y))
				}
			})
			if p.r.Kept()[x] {
				kept.use(int32(x))
			}
			for _, g := range p.s.Nexts(x) {
				regs.use(g)
			}
		}
		regs.end(int32(k), p.r.Parts[k].Share)
		kept.end(int32(k), p.r.Parts[k].Share)
	}
	return regs, kept
}
