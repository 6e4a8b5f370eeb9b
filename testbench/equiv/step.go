package equiv

import (
	"etch/ir"
	"etch/ir/bits"
	"etch/passes/aig"
)

// drive returns literals for the inputs of a step; leaf makes a new one. Boxes of the same name
// on both sides share their outputs.
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
				// A reset that is active low is kept inverted: random runs rarely set inputs
				// marked as rare.
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

// valueOf returns the value that a list gives to an input of the top.
func valueOf(list []held, in aig.Signal) (bits.Value, bool) {
	for _, h := range list {
		if in.Box == "" && in.Name == h.port {
			return h.value, true
		}
	}
	return bits.Value{}, false
}

// moment is the start of a step.
type moment struct {
	state, inputs []aig.Word
	events        []aig.Lit // of clocks
	levels        []aig.Lit
	outside       func() aig.Lit // makes leaves for words of memories
}

// rebuilder returns a copier of the circuit's gates into a step.
func (p *problem) rebuilder(now moment) *aig.Rebuilder {
	r := aig.NewRebuilder(p.circuit.Graph, p.sys.Graph)

	// Every leaf of the circuit gets its literal of this step; then gates copy by themselves.
	for i := range p.circuit.States {
		for k, q := range p.circuit.States[i].Q {
			r.Set(q, now.state[i][k])
		}
	}
	for i, in := range p.circuit.Inputs {
		for k, l := range in.Bits {
			r.Set(l, now.inputs[i][k])
		}
	}
	for i, e := range p.circuit.Events {
		r.Set(e.Bits[0], now.events[i])
	}
	for i, l := range p.circuit.Levels {
		r.Set(l.Q, now.levels[i])
	}

	// Words of shared memories are free in each step: the copied gates make equal addresses give
	// equal words.
	for _, word := range p.circuit.Outside {
		for _, l := range word.Bits {
			r.Set(l, now.outside())
		}
	}
	return r
}

// nexts returns the state after a step.
func (p *problem) nexts(r *aig.Rebuilder) []aig.Word {
	state := make([]aig.Word, len(p.circuit.States))
	for i := range state {
		for _, l := range p.circuit.States[i].Next {
			state[i] = append(state[i], r.Lit(l))
		}
	}
	return state
}

// reset returns the state after a reset cycle, in which all clocks rise, and fall.
func (p *problem) reset(state []aig.Word, paired bool) []aig.Word {
	now := moment{state: state, inputs: p.drive(true, paired, p.newFree), outside: p.newFree}
	p.resets = append(p.resets, now.inputs)
	edge := func(falling bool) {
		now.events, now.levels = nil, nil
		for i := range p.circuit.Events {
			// With falling edges, the first event is the direction.
			now.events = append(now.events, aig.Const(falling || i > 0 || !p.circuit.Falls()))
		}
		for range p.circuit.Levels {
			now.levels = append(now.levels, aig.Const(falling))
		}
		r := p.rebuilder(now)
		now.state = p.nexts(r)

		// Memories that differ after the reset stay different.
		for _, u := range p.circuit.Unlike {
			p.unlike = p.sys.Graph.Or(p.unlike, r.Lit(u.Hit))
		}
		if p.circuit.Miss != aig.False {
			p.sys.Start = append(p.sys.Start, r.Lit(p.circuit.Miss).Not())
		}
		p.sys.Before++
	}
	if edge(false); p.circuit.Falls() {
		edge(true)
	}
	return now.state
}

// step makes the latches, inputs and constraints of the system: one symbolic step.
func (p *problem) step(start []aig.Word, paired bool) {
	s := p.sys
	p.inputs = p.drive(false, paired, p.newInput)

	// Random runs set resets rarely.
	for i, in := range p.circuit.Inputs {
		for _, l := range p.inputs[i] {
			_, named := valueOf(p.o.resetBy, in)
			if at, ok := p.at[l&^1]; ok && (in.Reset || named) {
				s.Rare = append(s.Rare, at)
			}
		}
	}

	// Leaves for events, levels and state.
	now := moment{inputs: p.inputs, state: make([]aig.Word, len(start)), outside: p.newInput}
	for range p.circuit.Events {
		now.events = append(now.events, p.newInput())
	}

	for range p.circuit.Levels {
		now.levels = append(now.levels, s.Graph.Leaf())
	}

	p.levels = now.levels
	for i, w := range start {
		for range w {
			now.state[i] = append(now.state[i], s.Graph.Leaf())
		}
	}

	for _, x := range p.pairs {
		s.Pairs = append(s.Pairs, [2]aig.Lit{now.state[x[0][0]][x[0][1]], now.state[x[1][0]][x[1][1]]})
	}

	// The gates of the step.
	r := p.rebuilder(now)
	for i, l := range p.circuit.Levels {
		s.Latches = append(s.Latches, aig.Latch{Q: now.levels[i], Next: r.Lit(l.Next)})
	}

	for i, next := range p.nexts(r) {
		for k := range next {
			s.Latches = append(s.Latches, aig.Latch{Q: now.state[i][k], Next: next[k], Init: start[i][k]})
		}
	}

	for _, c := range p.circuit.Clocks {
		p.rises, p.falls = append(p.rises, r.Lit(c.Tick)), append(p.falls, r.Lit(c.Fall))
	}

	p.memories(r)
	p.results(r)
}

// memories adds the failures of memories that are not expanded: they become different, or a word
// is read that is not kept.
func (p *problem) memories(r *aig.Rebuilder) {
	for i := range p.circuit.Unlike {
		p.add(bad{memory: &p.circuit.Unlike[i]}, r.Lit(p.circuit.Unlike[i].Hit))
	}
	if p.unlike != aig.False {
		// This latch is high in the first step only.
		q := p.sys.Graph.Leaf()
		p.sys.Latches = append(p.sys.Latches, aig.Latch{Q: q, Next: aig.False, Init: p.unlike})
		p.add(bad{memory: &p.circuit.Unlike[0]}, q)
	}

	// A run that reads a word which is not kept does not count.
	if p.circuit.Miss != aig.False {
		p.sys.Constraints = append(p.sys.Constraints, r.Lit(p.circuit.Miss).Not())
	}
}

// results moves outputs and statements into the system's graph, in place of the circuit's own.
// Assumptions become constraints.
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

	// From here on the circuit's literals are those of the system.
	p.circuit = &c
}
