package program

import (
	"fmt"
	"slices"

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

// ModelOption is the Model of the black boxes of a module.
type ModelOption struct {
	Module string
	Make   func() Model
}

// Box is an instance of a black box run by a Model.
type Box struct {
	Inst int32
	Make func() Model
	Ins  []BoxPort
	Outs []BoxPort
	in   []int32 // by port: its position among ins or outs
}

// BoxPort is a port of a black box; a clock is the number of a clock of the top.
type BoxPort struct {
	Port  int
	Width int
	Slot  uint32
	Clock int32 // -1: not a clock of the top
}

// BoxGroup is outputs of a box that depend on the same inputs. They are evaluated together.
type BoxGroup struct {
	Box  int32
	Outs []int32 // positions among the box's outs
	deps []int32 // positions among the box's ins
}

// Needs returns the positions, among the box's ins, of the inputs that the outputs depend on.
func (g *BoxGroup) Needs() []int32 { return g.deps }

// Ticks reports whether the box has a clock of the top.
func (b *Box) Ticks() bool {
	return slices.ContainsFunc(b.Ins, func(in BoxPort) bool { return in.Clock >= 0 })
}

// addBox decides how instance i of a black box runs: by a Model, or by its body. Errors: it has
// neither.
func (c *compiler) addBox(i int32) error {
	in := &c.p.Insts[i]
	m := in.Mod
	opt := c.modelFor(m)

	// Without an option the module's model body runs, if it has one.
	if opt < 0 {
		if m.Extern.Model {
			return nil
		}
		up := c.p.Insts[in.Parent].Mod.Insts[in.At]
		return fmt.Errorf("sim: instance %s%s: black box %s (Verilog module %s) has no behaviour: give it a model body, or WithModel(%q, …)",
			c.p.Path(i), c.p.Line(in.Parent, up.Pos), m.Name, m.Extern.Module, m.Name)
	}

	c.modelUsed[opt] = true
	model := c.opts[opt].Make()
	if model == nil {
		return fmt.Errorf("sim: WithModel(%q, …) made a nil Model", c.opts[opt].Module)
	}

	// Positions of ports among the inputs or outputs.
	b := Box{Inst: i, Make: c.opts[opt].Make}
	for k, port := range m.Ports {
		bp := BoxPort{Port: k, Width: port.Width, Clock: -1}
		if port.Dir == ir.In {
			b.in = append(b.in, int32(len(b.Ins)))
			b.Ins = append(b.Ins, bp)
		} else {
			b.in = append(b.in, int32(len(b.Outs)))
			b.Outs = append(b.Outs, bp)
		}
	}

	in.Box = int32(len(c.p.Boxes))
	c.p.Boxes = append(c.p.Boxes, b)
	c.models = append(c.models, model)
	c.groupOutputs(in.Box, model)
	return nil
}

// modelFor returns the index of the option for module m, or -1. The name of the ir module takes
// precedence over the Verilog module's; of equal names the last option counts.
func (c *compiler) modelFor(m *ir.Module) int {
	found := -1
	for i, o := range c.opts {
		if o.Module == m.Extern.Module {
			found = i
		}
	}
	for i, o := range c.opts {
		if o.Module == m.Name {
			found = i
		}
	}
	return found
}

// groupOutputs groups the outputs of a box by the inputs that they depend on.
func (c *compiler) groupOutputs(boxIndex int32, model Model) {
	b := &c.p.Boxes[boxIndex]
	m := c.p.Mod(b.Inst)
	part, partial := model.(Partial)
	groups := map[string]int32{}
	at := make([]int32, len(b.Outs))

	// The key has a byte per input: 1 if the output depends on it.
	for o := range b.Outs {
		key := make([]byte, len(b.Ins))
		var deps []int32
		for i, in := range b.Ins {
			clock := m.TypeOf(m.Ports[in.Port].Type).Kind == ir.Clock
			if partial && part.Depends(o, i) || !partial && !clock {
				key[i] = 1
				deps = append(deps, int32(i))
			}
		}

		g, ok := groups[string(key)]
		if !ok {
			g = int32(len(c.p.Groups))
			groups[string(key)] = g
			c.p.Groups = append(c.p.Groups, BoxGroup{Box: boxIndex, deps: deps})
		}
		c.p.Groups[g].Outs = append(c.p.Groups[g].Outs, int32(o))
		at[o] = g
	}
	c.groupOf = append(c.groupOf, at)
}

// BoxWords is the number of words that the outputs of all black boxes take.
func (p *Program) BoxWords() (n int) {
	for i := range p.Boxes {
		for _, out := range p.Boxes[i].Outs {
			n += bits.WordCount(out.Width)
		}
	}
	return n
}
