package vector

// chainRun is a chain executed in Go.
type chainRun struct {
	*Machine
	c                    *Chain
	state, scratch, mems []uint64
	at                   int // next body, or General
	missed               int
}

// RunChain is Run for a chain. missed is the number of cycles run by General.
func (m *Machine) RunChain(c *Chain, state, scratch, mems []uint64, cycles int, force bool) (left, missed int) {
	r := &chainRun{Machine: m, c: c, state: state, scratch: scratch, mems: mems}

	m.moved = c.temps() - pooled
	r.top()
	for cycles > 0 && r.one(cycles, force) {
		cycles--
		r.goOn(cycles)
	}
	return cycles, r.missed
}

// one runs a cycle; cycles is the number left. It returns false if it stops.
func (r *chainRun) one(cycles int, force bool) bool {
	// Side exits lead from body to body, until one runs or General does.
	for r.at >= 0 {
		b := &r.c.Bodies[r.at]
		way := General
		if r.equal(b.Words) {
			done := r.cycle(b.Program, r.state, r.scratch, r.mems, cycles, force)

			// A stop within a body: memory must show the state at its begin.
			if done == 0 {
				r.write(b.Begin)
			}
			if done >= 0 {
				return done > 0
			}

			// The complement of done is the way.
			way = b.Ways[^done]
		}

		if r.at = way; way < 0 {
			// Leaving the bodies: memory must show the assumed values.
			r.write(b.Begin)
		}
	}
	r.missed++
	return r.cycle(r.c.General, r.state, r.scratch, r.mems, cycles, force) > 0
}

// goOn finds the code for the next cycle.
func (r *chainRun) goOn(left int) {
	// After the last cycle, too, memory must be complete.
	switch {
	case r.at < 0:
		r.top()
	case left == 0:
		r.write(r.c.Bodies[r.at].End)
	default:
		b := &r.c.Bodies[r.at]
		h := r.decide(b.Next)
		if r.at = h.Body; r.at >= 0 && r.equal(h.Equal) {
			return
		}
		r.write(b.End)
		if r.at = General; h.Body == AtTop {
			r.top()
		}
	}
}

// top dispatches from the whole state.
func (r *chainRun) top() {
	if r.at = General; !r.equal(r.c.Guards) {
		return
	}
	if h := r.decide(r.c.Top); r.equal(h.Equal) {
		r.at = h.Body
	}
}

// decide follows a choice to its result.
func (r *chainRun) decide(h *Choice) *Choice {
	for h.Yes != nil {
		if h.takes(r.state, r.Words) {
			h = h.Yes
		} else {
			h = h.No
		}
	}
	return h
}

// takes reports whether a decision goes to Yes.
func (h *Choice) takes(state []uint64, words int) bool {
	// The first element decides. The tests of Equal verify the choice for all instances.
	x := state[int(h.Slot)*words] & (^uint64(0) >> (64 - h.Bits))
	if h.Below {
		return x < h.Value
	}
	return x == h.Value
}

func (r *chainRun) equal(list []Equal) bool {
	for _, e := range list {
		from := r.state
		if e.Row {
			from = r.mems
		}
		for k, v := range r.slot(r.state, r.scratch, e.Want) {
			if from[int(e.Slot)*r.Words+k] != v {
				return false
			}
		}
	}
	return true
}

// write stores the values that bodies have not written.
func (r *chainRun) write(due []Equal) {
	for _, e := range due {
		copy(r.slot(r.state, r.scratch, e.Slot), r.slot(r.state, r.scratch, e.Want))
	}
}
