package vector

// RunChain is Run for a chain. Missed counts the cycles that General made.
func (m *Machine) RunChain(c *Chain, state, scratch, mems []uint64, cycles int, force bool) (left, missed int) {
	at := General
	var top func()
	enter := func(h *Choice) {
		for h.Yes != nil {
			if h.takes(state, m.Words) {
				h = h.Yes
			} else {
				h = h.No
			}
		}
		if h.Body == AtTop {
			top()
			return
		}
		if at = h.Body; at >= 0 && !m.equal(h.Equal, state, scratch, mems) {
			at = General
		}
	}
	top = func() {
		at = General
		if m.equal(c.Guards, state, scratch, mems) {
			enter(c.Top)
		}
	}
	for top(); cycles > 0; cycles-- {
		p := c.General
		if at >= 0 && m.equal(c.Bodies[at].Words, state, scratch, mems) {
			p = c.Bodies[at].Program
		} else {
			at = General
			missed++
		}
		if m.cycle(p, state, scratch, mems, cycles, force) == 0 {
			break
		}
		if at < 0 {
			top()
		} else {
			enter(c.Bodies[at].Next)
		}
	}
	return cycles, missed
}

// takes reports whether a decision is for Yes.
func (h *Choice) takes(state []uint64, words int) bool {
	x := state[int(h.Slot)*words] & (^uint64(0) >> (64 - h.Bits))
	if h.Below {
		return x < h.Value
	}
	return x == h.Value
}

// equal reports whether all of list holds.
func (m *Machine) equal(list []Equal, state, scratch, mems []uint64) bool {
	for _, e := range list {
		from := state
		if e.Row {
			from = mems
		}
		for k := range m.Words {
			if from[int(e.Slot)*m.Words+k] != scratch[int(^e.Want)*m.Words+k] {
				return false
			}
		}
	}
	return true
}
