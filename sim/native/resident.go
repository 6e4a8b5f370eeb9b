package native

import (
	"cmp"
	"slices"

	"etch/sim/native/internal/emit"
)

// residents chooses the state words that live in registers in the code of the present bodies,
// and allocates values to the other registers. It chooses none if values need the registers.
// Teams have too much code between cycles of a machine, and classes too many words.
func (m *machine) residents() emit.Residents {
	all, some := m.in.t.Registers(emit.InBodies), m.in.t.Registers(emit.BesideResidents)
	switch {
	case !m.pol.Residents || m.in.top != nil || m.crowded != nil && m.plan.Expect >= m.pol.LessCrowded*m.crowded.Expect:
		return nil
	case m.plan == nil: // bodies will come
		m.g.pool = some
		return nil
	}

	// Reallocate the values to the registers that are left. The saved accesses must outweigh the
	// new spills.
	chosen, saved := m.mostUsed(all[len(some):])
	spilled, ok := m.reallocate(some)
	if ok && saved >= m.pol.LeastSaved && spilled <= m.pol.MostSpilled*saved {
		return chosen
	}

	// Residents have lost under this plan. Remember the plan, so that they are tried again only if
	// bodies get much shorter.
	m.book().note("cycle %d: no residents: they would save %.1f accesses a cycle and spill %.1f", m.in.total, saved, spilled)
	m.crowded = m.plan
	m.reallocate(all)
	return nil
}

// mostUsed chooses the registers that bodies read and write most, and returns their accesses per
// cycle.
func (m *machine) mostUsed(regs []uint8) (chosen emit.Residents, saved float64) {
	// Accesses per cycle by register, weighted by the frequency of the bodies.
	traffic := make([]float64, len(m.n.Regs))
	for _, b := range m.bodies {
		b.root.each(b.weight, func(t *tree, weight float64) {
			t.c.Traffic(weight, traffic)
			for _, r := range m.plan.Dec {
				if t.yes == nil && t.next[r] == anyValue { // the dispatch reads it
					traffic[r] += weight
				}
			}
		})
	}

	// A word that is an output too must be in memory.
	for i := range m.n.Outs {
		for r := range m.n.Regs {
			if m.n.Regs[r].Slot == m.n.Outs[i].Slot {
				traffic[r] = 0
			}
		}
	}

	// Stable, so that ties go to the lower number and equal runs give equal code.
	most := make([]int32, len(traffic))
	for r := range most {
		most[r] = int32(r)
	}
	slices.SortStableFunc(most, func(a, b int32) int { return cmp.Compare(traffic[b], traffic[a]) })

	// Take registers in the order of their traffic, as many as the target can spare.
	for i, r := range most[:min(len(most), len(regs))] {
		if traffic[r] >= m.pol.LeastTraffic {
			chosen = append(chosen, emit.Resident{Slot: m.n.Regs[r].Slot, Reg: regs[i]})
			saved += traffic[r]
		}
	}
	return chosen, saved
}

// each calls f for all nodes of a tree; each branch halves the weight.
func (t *tree) each(weight float64, f func(t *tree, weight float64)) {
	f(t, weight)
	if t.yes != nil {
		t.yes.each(weight/2, f)
		t.no.each(weight/2, f)
	}
}

// reallocate allocates the values of all bodies to the registers of pool, and sets the pool for
// bodies to come. It returns the accesses to scratch words per cycle, for lack of registers. ok
// is false if scratch words do not suffice either.
func (m *machine) reallocate(pool []uint8) (spilled float64, ok bool) {
	ok = true

	// Code that was allocated to a pool of this size stays as it is.
	place := func(t *tree, weight float64) {
		if t.c.Registers != len(pool) {
			t.c.Allocate(&m.g.alloc, pool)
		}
		spilled += weight * float64(t.c.Spilled)
		ok = ok && t.c.Scratch <= m.g.limit
	}

	// The general body has weight 0: its spills do not count, its scratch words do.
	m.general.each(0, place)
	for _, b := range m.bodies {
		b.root.each(b.weight, place)
	}
	m.g.pool = pool
	return spilled, ok
}
