package schedule

import "etch/sim/net"

// Copied returns the scratch word with register r's value at the start of the cycle. ok is false
// while the register cannot have been overwritten yet.
func (c *Code) Copied(r int, at int32) (word int32, ok bool) {
	return c.Old[r], c.Old[r] >= 0 && at > c.from[r]
}

// Hazards finds the registers that are read after they were written, on some path. Each gets a
// scratch word for its value at the start of the cycle. It also records the first write of each
// register.
func (c *Code) Hazards() {
	n := c.N
	words := (len(n.Regs) + 63) / 64
	cur := make([]uint64, words) // registers written so far on this path
	bad := make([]uint64, words) // registers read after a write

	var stack, pool [][]uint64
	c.from = Sized(c.from, len(n.Regs))
	for r := range c.from {
		c.from[r] = never
	}

	// One pass over the structured code; at an if the state is saved, at an end the arms are
	// united.
	var buf [3]net.ID
	for at, in := range c.Out {
		for _, x := range c.uses(in, &buf) {
			if nd := &n.N[x]; nd.Op == net.Leaf {
				bad[nd.Imm>>6] |= cur[nd.Imm>>6] & (1 << (nd.Imm & 63))
			}
		}
		switch in.K {
		case KIf:
			var saved []uint64
			if k := len(pool); k > 0 {
				saved, pool = pool[k-1], pool[:k-1]
			} else {
				saved = make([]uint64, words)
			}
			copy(saved, cur)
			stack = append(stack, saved)
		case KElse: // restart from the state before the if, and keep the state after the first arm
			before := stack[len(stack)-1]
			for k := range cur {
				cur[k], before[k] = before[k], cur[k]
			}
		case KEnd:
			first := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for k := range cur {
				cur[k] |= first[k]
			}
			pool = append(pool, first)
		case KWrite:
			cur[in.A>>6] |= 1 << (in.A & 63)
			c.from[in.A] = min(c.from[in.A], int32(at))
		}
	}

	// Copies are made at the start of the cycle, so their words are in use for all of it.
	c.Old = Filled(c.Old, len(n.Regs))
	for r := range n.Regs {
		if bad[r>>6]>>(r&63)&1 != 0 {
			c.Old[r] = c.Scratch
			c.Scratch++
		}
	}
}
