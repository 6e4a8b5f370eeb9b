package passes

import (
	"etch/ir"
	"etch/ir/bits"
)

// constantRegisters finds the registers that hold their initial value for ever:
// it is also their reset value, and what they take next is themselves, that
// value, or a choice between such things.
func constantRegisters(m *ir.Module) map[ir.ID]bits.Value {
	f := &fixedFinder{m: m, state: make([]uint8, len(m.Regs))}
	found := map[ir.ID]bits.Value{}
	for i := range m.Regs {
		if f.register(i) {
			found[m.Regs[i].Node] = f.init(i)
		}
	}
	return found
}

const (
	fixedUnknown = iota
	fixedYes
	fixedNo
)

type fixedFinder struct {
	m     *ir.Module
	state []uint8 // by register
	depth int
}

func (f *fixedFinder) init(i int) bits.Value { return f.m.ConstOf(f.m.Regs[i].Init) }

// register reports whether register i is constant. A register that is being
// looked at counts as not, so that what is found holds by induction over time
// without guessing; deep chains are cut for the stack's sake.
func (f *fixedFinder) register(i int) bool {
	const deep = 10_000
	reg := &f.m.Regs[i]
	if f.state[i] != fixedUnknown {
		return f.state[i] == fixedYes
	}
	if reg.Init == ir.None || reg.Reset != ir.None && !f.init(i).Equal(f.m.ConstOf(reg.Reset)) || f.depth > deep {
		f.state[i] = fixedNo
		return false
	}
	f.state[i] = fixedNo
	f.depth++
	if f.holds(reg.Next, reg.Node, f.init(i), 4) {
		f.state[i] = fixedYes
	}
	f.depth--
	return f.state[i] == fixedYes
}

// holds reports whether node id is v whenever register self is.
func (f *fixedFinder) holds(id, self ir.ID, v bits.Value, levels int) bool {
	id = strip(f.m, id)
	if id == self {
		return true
	}
	switch f.m.Op(id) {
	case ir.Const:
		return f.m.ConstOf(id).Equal(v)
	case ir.Reg:
		i := int(f.m.Node(id).Aux)
		return f.register(i) && f.init(i).Equal(v)
	case ir.Mux:
		args := f.m.Args(id)
		return levels > 0 && f.holds(args[1], self, v, levels-1) && f.holds(args[2], self, v, levels-1)
	}
	return false
}
