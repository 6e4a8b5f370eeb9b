package fuzz

import (
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// again returns a case with another design or stimulus and the name of c.
func (c *Case) again(d *ir.Design, st *Stimulus) *Case {
	return &Case{Name: c.Name, Design: d, Stim: st.fit(d.Top)}
}

// fit adapts a stimulus to a top: values get the width of their inputs, and inputs and clocks
// that the top lacks are left out.
func (st *Stimulus) fit(top *ir.Module) *Stimulus {
	out := &Stimulus{Seed: st.Seed, Long: st.Long}

	// Names stand in the order of the stimulus; those that the top lacks drop out.
	bind := st.bind(top)
	for i, port := range bind.inputs {
		if port >= 0 {
			out.Inputs = append(out.Inputs, st.Inputs[i])
		}
	}
	for i, port := range bind.clocks {
		if port >= 0 {
			out.Clocks = append(out.Clocks, st.Clocks[i])
		}
	}

	// Each step anew: the bits of Rise move to the places of the clocks that are left.
	for _, step := range st.Steps {
		var fresh Step
		at := 0
		for i, port := range bind.clocks {
			if port >= 0 {
				fresh.Rise |= step.Rise >> i & 1 << at
				at++
			}
		}
		for i, port := range bind.inputs {
			if port >= 0 {
				fresh.In = append(fresh.In, fitted(step.In[i], top.Ports[port].Width))
			}
		}
		out.Steps = append(out.Steps, fresh)
	}
	return out
}

// remade returns a case after some edits; nil if the edits cannot be made together.
func (s *shrinker) remade(base *Case, edits []edit, width func(int) int, plain bool) (c *Case) {
	defer func() {
		if recover() != nil { // an edit led to an impossible node
			c = nil
		}
	}()

	// Edits are looked up by value, as any set of them may be made together.
	r := &remaker{d: base.Design, edits: map[edit]bool{}, width: width, plain: plain}
	inputs := false
	for _, e := range edits {
		r.edits[e] = true
		inputs = inputs || e.kind == toInput
	}
	d := r.remake()

	// A new input needs the values that its node had, or the mistake would be gone.
	st := base.Stim
	if inputs {
		st = st.with(r, base)
	}
	return base.again(d, st)
}

// with adds the inputs that stand for nodes, with the values of the nodes just before each edge
// in the case's own run.
func (st *Stimulus) with(r *remaker, c *Case) *Stimulus {
	out := *st
	out.Inputs = append([]string(nil), st.Inputs...)
	out.Steps = append([]Step(nil), st.Steps...)
	for id := ir.ID(1); int(id) < c.Design.Top.Len(); id++ {
		name, ok := r.added[id]
		if !ok {
			continue
		}
		out.Inputs = append(out.Inputs, name)

		// Each step gets a fresh slice: the other candidates share the old one.
		for i, v := range c.values(id) {
			out.Steps[i].In = append(append([]bits.Value(nil), out.Steps[i].In...), v)
		}
	}
	return &out
}

// values returns the values of a node of the top just before each edge. One run of the
// interpreter collects them for all nodes.
func (c *Case) values(id ir.ID) []bits.Value {
	// Made once and kept, as hundreds of candidates of one case ask for it.
	if c.nodes == nil {
		c.nodes = make([][]bits.Value, c.Design.Top.Len())
		watch(c.Design, c.Stim, func(s *sim.Sim) {
			for id := ir.ID(1); int(id) < c.Design.Top.Len(); id++ {
				c.nodes[id] = append(c.nodes[id], s.GetBits(s.Node(id)))
			}
		}, c.options(fromZero, sim.Interpreter)...)
	}
	return c.nodes[id]
}
