package equiv

import (
	"etch/ir"
	"etch/ir/bits"
	"etch/passes/aig"
)

// drive gives the inputs of a step their literals: leaf makes one.
func (p *problem) drive(resetting, paired bool, leaf func() aig.Lit) []aig.Word {
	words := make([]aig.Word, len(p.circuit.Inputs))
	boxes := map[string]aig.Word{}
	for i, in := range p.circuit.Inputs {
		if in.Box != "" && paired {
			if name, _ := twin(in.Name); boxes[name] != nil && len(boxes[name]) == len(in.Bits) {
				words[i] = boxes[name]
				continue
			}
		}
		w := make(aig.Word, len(in.Bits))
		fixed, ok := valueOf(p.o.hold, in)
		level, resets := valueOf(p.o.resetBy, in)
		for k := range w {
			switch {
			case resetting && resets:
				w[k] = aig.Const(level.Bit(k) == 1)
			case resetting && in.Reset:
				w[k] = aig.True
			case ok:
				w[k] = aig.Const(fixed.Bit(k) == 1)
			default:
				// A reset that is low when active is kept inverted: random runs have few
				// of those that are high.
				w[k] = leaf().NotIf(resets && level.Bit(k) == 0)
			}
		}
		words[i] = w
		if in.Box != "" {
			name, _ := twin(in.Name)
			boxes[name] = w
		}
	}
	return words
}

// valueOf is what a list says of an input of the top.
func valueOf(list []held, in aig.Signal) (bits.Value, bool) {
	for _, h := range list {
		if in.Box == "" && in.Name == h.port {
			return h.value, true
		}
	}
	return bits.Value{}, false
}

// rebuilder copies gates of the circuit for a step.
func (p *problem) rebuilder(state, inputs []aig.Word, ticks func(i int) aig.Lit) *aig.Rebuilder {
	r := aig.NewRebuilder(p.circuit.Graph, p.sys.Graph)
	for i := range p.circuit.States {
		for k, q := range p.circuit.States[i].Q {
			r.Set(q, state[i][k])
		}
	}
	for i, in := range p.circuit.Inputs {
		for k, l := range in.Bits {
			r.Set(l, inputs[i][k])
		}
	}
	for i, c := range p.circuit.Clocks {
		if c.Tick != aig.True {
			r.Set(c.Tick, ticks(i))
		}
	}
	return r
}

func (p *problem) nexts(r *aig.Rebuilder) []aig.Word {
	state := make([]aig.Word, len(p.circuit.States))
	for i := range state {
		for _, l := range p.circuit.States[i].Next {
			state[i] = append(state[i], r.Lit(l))
		}
	}
	return state
}

// reset is the state after a reset cycle, in which all clocks rise.
func (p *problem) reset(state []aig.Word, paired bool) []aig.Word {
	inputs := p.drive(true, paired, p.newFree)
	p.resets = append(p.resets, inputs)
	return p.nexts(p.rebuilder(state, inputs, func(int) aig.Lit { return aig.True }))
}

// step makes the latches and constraints of the system.
func (p *problem) step(start []aig.Word, paired bool) {
	s := p.sys
	p.inputs = p.drive(false, paired, p.newInput)
	for i, in := range p.circuit.Inputs {
		for _, l := range p.inputs[i] {
			_, named := valueOf(p.o.resetBy, in)
			if at, ok := p.at[l&^1]; ok && (in.Reset || named) {
				s.Rare = append(s.Rare, at)
			}
		}
	}
	p.ticks = make([]aig.Lit, len(p.circuit.Clocks))
	for i, c := range p.circuit.Clocks {
		p.ticks[i] = aig.True
		if c.Tick != aig.True {
			p.ticks[i] = p.newInput()
		}
	}
	q := make([]aig.Word, len(start))
	for i, w := range start {
		for range w {
			q[i] = append(q[i], s.Graph.Leaf())
		}
	}
	r := p.rebuilder(q, p.inputs, func(i int) aig.Lit { return p.ticks[i] })
	for i, next := range p.nexts(r) {
		for k := range next {
			s.Latches = append(s.Latches, aig.Latch{Q: q[i][k], Next: next[k], Init: start[i][k]})
		}
	}
	p.results(r)
}

// results brings outputs and statements into the system's graph: they replace
// those of the circuit.
func (p *problem) results(r *aig.Rebuilder) {
	c := *p.circuit
	c.Outputs = append([]aig.Signal(nil), c.Outputs...)
	for i := range c.Outputs {
		w := make(aig.Word, len(c.Outputs[i].Bits))
		for k, l := range c.Outputs[i].Bits {
			w[k] = r.Lit(l)
		}
		c.Outputs[i].Bits = w
	}
	c.Stmts = append([]aig.Stmt(nil), c.Stmts...)
	for i := range c.Stmts {
		c.Stmts[i].Hit = r.Lit(c.Stmts[i].Hit)
		if c.Stmts[i].Kind == ir.Assume {
			p.sys.Constraints = append(p.sys.Constraints, c.Stmts[i].Hit.Not())
		}
	}
	p.circuit = &c
}
