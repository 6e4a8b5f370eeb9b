package native

import (
	"cmp"
	"slices"

	"etch/sim/net"
)

// resident is a word of the state that lives in a machine register while code
// runs: a call loads it first and stores it last. What a cycle hands to the next
// then does not go through memory, where it would take longer than most of what is
// computed with it: that is what short bodies wait for. In long ones registers are
// worth more for values.
type resident struct {
	slot uint32
	reg  uint8
}

// residents are few: they are looked through.
type residents []resident

// in returns the machine register that has the word at slot, if one does.
func (all residents) in(slot uint32) (reg uint8, ok bool) {
	for _, r := range all {
		if r.slot == slot {
			return r.reg, true
		}
	}
	return 0, false
}

// residentWriter writes what keeps words of the state in machine registers.
type residentWriter interface {
	// reside says that words are in registers from enter to leave.
	reside(all residents)
}

// When words of the state reside.
const (
	leastTraffic = 0.5  // reads and writes of one in a cycle
	leastSaved   = 1    // of all
	mostSpilled  = 0.25 // of what they save: reads and writes of values that have no register
	lessCrowded  = 0.8  // of the cost of a cycle when there were none, before they are tried again
)

// residents chooses the words of the state that live in registers in the code of
// the present bodies, and gives values what registers are left. There are none where
// values need the registers. Machines of a team have too much between their cycles,
// instances of a class too many words.
func (e *Engine) residents() residents {
	all, some := e.t.registers(inBodies), e.t.registers(besideResidents)
	switch {
	case e.class != nil || e.team != nil || e.crowded != nil && e.plan.expect >= lessCrowded*e.crowded.expect:
		return nil
	case e.plan == nil: // bodies will be made for it
		e.g.pool = some
		return nil
	}
	chosen, saved := e.mostUsed(all[len(some):])
	spilled, ok := e.reallocate(some)
	pays := saved >= leastSaved && spilled <= mostSpilled*saved
	if e.eager { // both, for tests
		pays = len(e.bodies)%3 > 0
	}
	if ok && pays {
		return chosen
	}
	e.crowded = e.plan
	e.reallocate(all)
	return nil
}

// mostUsed chooses the registers that bodies read and write most, and tells how
// often that is in a cycle.
func (e *Engine) mostUsed(regs []uint8) (chosen residents, saved float64) {
	traffic := make([]float64, len(e.n.Regs))
	for _, b := range e.bodies {
		b.root.each(b.weight, func(t *tree, weight float64) {
			t.c.traffic(weight, traffic)
			for _, r := range e.plan.dec {
				if t.yes == nil && t.next[r] == anyValue { // it tells the next body
					traffic[r] += weight
				}
			}
		})
	}
	for i := range e.n.Outs {
		for r := range e.n.Regs {
			if e.n.Regs[r].Slot == e.n.Outs[i].Slot {
				traffic[r] = 0
			}
		}
	}
	most := make([]int32, len(traffic))
	for r := range most {
		most[r] = int32(r)
	}
	slices.SortStableFunc(most, func(a, b int32) int { return cmp.Compare(traffic[b], traffic[a]) })
	for i, r := range most[:min(len(most), len(regs))] {
		if traffic[r] >= leastTraffic || e.eager {
			chosen = append(chosen, resident{e.n.Regs[r].Slot, regs[i]})
			saved += traffic[r]
		}
	}
	return chosen, saved
}

// traffic adds weight to the registers for every read and write.
func (c *code) traffic(weight float64, of []float64) {
	var buf [3]net.ID
	for _, in := range c.out {
		if in.k == kWrite {
			of[in.a] += weight
		}
		for _, x := range c.uses(in, &buf) {
			if nd := &c.n.N[x]; nd.Op == net.Leaf {
				of[nd.Imm] += weight
			}
		}
	}
}

// each calls f for all code of a tree, of a leaf with half the weight of what it
// branches from.
func (t *tree) each(weight float64, f func(t *tree, weight float64)) {
	f(t, weight)
	if t.yes != nil {
		t.yes.each(weight/2, f)
		t.no.each(weight/2, f)
	}
}

// reallocate places the values of all bodies in the registers of pool, and those of
// bodies to come. It returns how often bodies read and write scratch words in a
// cycle, for want of registers; ok is false when there are too few of those too.
func (e *Engine) reallocate(pool []uint8) (spilled float64, ok bool) {
	ok = true
	place := func(t *tree, weight float64) {
		if t.c.registers != len(pool) {
			t.c.allocate(&e.g.alloc, pool)
		}
		spilled += weight * float64(t.c.spilled)
		ok = ok && t.c.scratch <= e.g.limit
	}
	e.general.each(0, place)
	for _, b := range e.bodies {
		b.root.each(b.weight, place)
	}
	e.g.pool = pool
	return spilled, ok
}
