package equiv

import "etch/passes/aig"

// draw gives all leaves random values. Bits of a pair of known states get equal values, and so
// do bits of a class.
func (c *correspondence) draw() {
	g := c.p.circuit
	c.inputs(false)
	for _, l := range g.Levels {
		c.v[l.Q.Node()] = c.rng.Uint64()
	}

	// Paired states: the same words on both sides.
	paired := map[int][]uint64{}
	for i := range g.States {
		n, ok := c.known[i]
		if !ok && g.States[i].Kind == aig.CellAddress {
			for _, q := range g.States[i].Q {
				c.v[q.Node()] = c.rng.Uint64()
			}
		}
		if !ok {
			continue
		}
		for k, q := range g.States[i].Q {
			if k == len(paired[n]) {
				paired[n] = append(paired[n], c.rng.Uint64())
			}
			c.v[q.Node()] = paired[n][k]
		}
	}

	// All other states: the word of the class for the bits in question, any value for the rest.
	classes := make([]uint64, c.number)
	for i := range classes {
		classes[i] = c.rng.Uint64()
	}
	for i := range g.States {
		if _, ok := c.known[i]; !ok && g.States[i].Kind != aig.CellAddress {
			for _, q := range g.States[i].Q {
				c.v[q.Node()] = c.rng.Uint64() // those outside the cone keep it
			}
		}
	}
	for _, b := range c.bits {
		c.v[c.leaf(b).Node()] = classes[b.class]
	}
}

// inputs draws the inputs of a step. Black boxes of both sides get the same outputs, and both
// sides read the same words of memories. Resets are high in reset cycles, and otherwise in about
// one run of eight, since a reset would hide all behaviour.
func (c *correspondence) inputs(resetting bool) {
	g := c.p.circuit
	boxes := map[string][]uint64{}
	for _, in := range g.Inputs {
		name, _ := twin(in.Name)
		words := boxes[name]
		fixed, held := valueOf(c.p.o.hold, in)
		level, resets := valueOf(c.p.o.resetBy, in)
		for k, l := range in.Bits {
			if k == len(words) {
				words = append(words, c.rng.Uint64())
			}

			// High in one run of eight.
			rare := words[k] & c.rng.Uint64() & c.rng.Uint64()
			switch {
			case resetting && resets:
				c.v[l.Node()] = -level.Bit(k)
			case resetting && in.Reset:
				c.v[l.Node()] = ^uint64(0)
			case held:
				c.v[l.Node()] = -fixed.Bit(k)
			case resets:
				// A reset that is active low is rarely low.
				c.v[l.Node()] = rare ^ (level.Bit(k) - 1)
			case in.Reset:
				c.v[l.Node()] = rare
			default:
				c.v[l.Node()] = words[k]
			}
		}
		if in.Box != "" {
			boxes[name] = words
		}
	}

	for _, e := range g.Events {
		c.v[e.Bits[0].Node()] = c.rng.Uint64()
	}

	for _, word := range g.Outside {
		for _, l := range word.Bits {
			c.v[l.Node()] = c.rng.Uint64()
		}
	}
}

// mix returns a hash of two words.
func mix(x, y uint64) uint64 {
	x = (x ^ y) * 0x9e3779b97f4a7c15
	return x ^ x>>29
}

// Random inputs seldom reach some states, so runs alone leave bits together;
// [correspondence.steps] tells them apart.
const (
	signatures = 4   // words of 64 runs each
	runLength  = 24  // steps of a run behind the reset
	leastRun   = 4   // for large circuits
	runEffort  = 1e8 // nodes evaluated in all steps, approximately: half a second
)

// runs returns a hash for each bit: the values that it has in runs from power-up in which bits
// of a class start equal. Only reachable states count, since the sides may differ in all others.
func (c *correspondence) runs() []uint64 {
	g := c.p.circuit
	sign, state := make([]uint64, len(c.bits)), make([]uint64, 0, 1024)

	// Large circuits run shorter, so that the effort is bounded.
	length := max(leastRun, min(runLength, runEffort/signatures/g.Graph.Len()))
	for word := range signatures {
		if word > 0 && c.late() {
			break
		}
		c.draw()
		c.starts()

		// Reset cycles have negative numbers.
		for step := -c.p.resetCycles(); step < length; step++ {
			c.inputs(step < 0)
			g.Graph.Simulate(c.v)

			// Compute all next values before any state changes.
			state = state[:0]
			for i := range g.States {
				for _, l := range g.States[i].Next {
					state = append(state, aig.Value(c.v, l))
				}
			}
			k := 0
			for i := range g.States {
				for _, q := range g.States[i].Q {
					c.v[q.Node()] = state[k]
					k++
				}
			}
			for _, l := range g.Levels {
				c.v[l.Q.Node()] = aig.Value(c.v, l.Next)
			}
			for i, b := range c.bits {
				sign[i] = mix(sign[i], c.v[c.leaf(b).Node()])
			}
		}
	}
	return sign
}

// starts gives states with an initial value that value.
func (c *correspondence) starts() {
	for i := range c.p.circuit.States {
		s := &c.p.circuit.States[i]
		for k, l := range s.Init {
			switch l {
			// A bit of unknown start keeps its random value.
			case aig.False:
				c.v[s.Q[k].Node()] = 0
			case aig.True:
				c.v[s.Q[k].Node()] = ^uint64(0)
			}
		}
	}
}

// steps returns a hash for each bit: its value after one step from any state in which bits of a
// class are equal. Such a state may be unreachable, so the hash is a hint only.
func (c *correspondence) steps() []uint64 {
	sign := make([]uint64, len(c.bits))

	// A new state for each word: some differences need several bits together.
	for range signatures {
		c.draw()
		c.p.circuit.Graph.Simulate(c.v)
		for i, b := range c.bits {
			sign[i] = mix(sign[i], aig.Value(c.v, c.next(b)))
		}
	}
	return sign
}
