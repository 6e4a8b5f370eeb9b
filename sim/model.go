package sim

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// Model is the behaviour of one instance of a black box. Parameter in holds the values of the
// input ports in order, clocks as 0; out has an element per output port. Both slices belong to
// the simulator: a Model may keep the values but not the slices.
type Model interface {
	// Eval sets every element of out, with its port's width, from in and the Model's state. It
	// does not change the state, and may be called any number of times, also with inputs that
	// are not settled.
	Eval(in, out []bits.Value)
	// Tick is a rising edge of the clock at input port in[clock]: the Model computes its new
	// state from the values before the edge. If several of its clocks rise at once, Tick is
	// called for each, in order.
	Tick(clock int, in []bits.Value)
}

// Partial is a Model with outputs that do not depend on all inputs within the cycle. Otherwise
// every output is assumed to depend on every input that is no clock, so a path from an output
// back to an input is a combinational loop.
type Partial interface {
	Model
	// Depends reports whether out[out] depends on in[in] within the cycle.
	Depends(out, in int) bool
}

// Saver is a Model whose state can be in a Snapshot. Save returns a copy of the state, which
// Load restores any number of times.
type Saver interface {
	Model
	Save() any
	Load(state any)
}

type modelOption struct {
	module string
	make   func() Model
}

// box is an instance of a black box run by a Model.
type box struct {
	inst int32
	make func() Model
	ins  []boxPort
	outs []boxPort
	in   []int32 // by port: its position among ins or outs
}

type boxPort struct {
	port  int
	width int
	slot  uint32
	clock int32 // -1: not a clock of the top
}

// boxGroup is outputs of a box that depend on the same inputs. They are evaluated together.
type boxGroup struct {
	box  int32
	outs []int32 // positions among the box's outs
	deps []int32 // positions among the box's ins
}

// addBox decides how instance i of a black box runs: by a Model, or by its body. Errors: it has
// neither.
func (c *compiler) addBox(i int32) error {
	in := &c.p.insts[i]
	m := in.mod
	opt := c.modelFor(m)

	if opt < 0 {
		if m.Extern.Model {
			return nil
		}
		up := c.p.insts[in.parent].mod.Insts[in.at]
		return fmt.Errorf("sim: instance %s%s: black box %s (Verilog module %s) has no behaviour: give it a model body, or WithModel(%q, …)",
			c.p.path(i), c.p.line(in.parent, up.Pos), m.Name, m.Extern.Module, m.Name)
	}

	c.modelUsed[opt] = true
	model := c.opts[opt].make()
	if model == nil {
		return fmt.Errorf("sim: WithModel(%q, …) made a nil Model", c.opts[opt].module)
	}

	// Positions of ports among the inputs or outputs.
	b := box{inst: i, make: c.opts[opt].make}
	for k, port := range m.Ports {
		bp := boxPort{port: k, width: port.Width, clock: -1}
		if port.Dir == ir.In {
			b.in = append(b.in, int32(len(b.ins)))
			b.ins = append(b.ins, bp)
		} else {
			b.in = append(b.in, int32(len(b.outs)))
			b.outs = append(b.outs, bp)
		}
	}

	in.box = int32(len(c.p.boxes))
	c.p.boxes = append(c.p.boxes, b)
	c.models = append(c.models, model)
	c.groupOutputs(in.box, model)
	return nil
}

// modelFor returns the index of the option for module m, or -1. The name of the ir module takes
// precedence over the Verilog module's; of equal names the last option counts.
func (c *compiler) modelFor(m *ir.Module) int {
	found := -1
	for i, o := range c.opts {
		if o.module == m.Extern.Module {
			found = i
		}
	}
	for i, o := range c.opts {
		if o.module == m.Name {
			found = i
		}
	}
	return found
}

// groupOutputs groups the outputs of a box by the inputs that they depend on.
func (c *compiler) groupOutputs(boxIndex int32, model Model) {
	b := &c.p.boxes[boxIndex]
	m := c.p.mod(b.inst)
	part, partial := model.(Partial)
	groups := map[string]int32{}
	at := make([]int32, len(b.outs))

	// The key has a byte per input: 1 if the output depends on it.
	for o := range b.outs {
		key := make([]byte, len(b.ins))
		var deps []int32
		for i, in := range b.ins {
			clock := m.TypeOf(m.Ports[in.port].Type).Kind == ir.Clock
			if partial && part.Depends(o, i) || !partial && !clock {
				key[i] = 1
				deps = append(deps, int32(i))
			}
		}

		g, ok := groups[string(key)]
		if !ok {
			g = int32(len(c.p.groups))
			groups[string(key)] = g
			c.p.groups = append(c.p.groups, boxGroup{box: boxIndex, deps: deps})
		}
		c.p.groups[g].outs = append(c.p.groups[g].outs, int32(o))
		at[o] = g
	}
	c.groupOf = append(c.groupOf, at)
}

// boxWords is the number of words that the outputs of all black boxes take.
func (p *program) boxWords() (n int) {
	for i := range p.boxes {
		for _, out := range p.boxes[i].outs {
			n += bits.WordCount(out.width)
		}
	}
	return n
}
