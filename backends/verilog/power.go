package verilog

import (
	"etch/ir"
	"etch/ir/bits"
)

// initial is the value of a register at power-up, if the text is to give one. An
// asynchronous reset that is high from the start acts at once in the netlist; in
// the text it would want an edge, and what opens a latch an event.
func (p *module) initial(r *ir.Register) (bits.Value, bool) {
	if r.Async {
		if on, ok := p.atStart(r.Rst); ok && on.Bit(0) == 1 {
			if v, ok := p.atStart(r.Reset); ok {
				return v, true
			}
		}
	}
	if r.Init != ir.None {
		return p.m.ConstOf(r.Init), true
	}
	never := p.m.IsLatch(r) && p.isFixed(r.Rst, 0) // tools want a driver
	return bits.Zero(p.m.Width(r.Node)), p.o.Zero || never
}

// maxStarts bounds the nodes of a module whose value at power-up is found.
const maxStarts = 1000

// atStart is the value of a node at power-up, if the module alone says it. Of what
// follows from itself it knows nothing.
func (p *module) atStart(id ir.ID) (bits.Value, bool) {
	v, ok := p.starts[id]
	if !ok && len(p.starts) < maxStarts {
		p.starts[id] = bits.Value{}
		v = p.startOf(id)
		p.starts[id] = v
	}
	return v, v.Width() > 0
}

func (p *module) startOf(id ir.ID) bits.Value {
	if v, ok := p.fixed(id); ok {
		return v
	}
	m, op := p.m, p.m.Op(id)
	switch {
	case op == ir.Reg:
		v, _ := p.initial(&m.Regs[m.Node(id).Aux])
		return v
	case op.Info().Leaf, op == ir.MemRead:
		return bits.Value{}
	}
	var values []bits.Value
	for _, a := range m.Args(id) {
		v, ok := p.atStart(a)
		if !ok {
			return bits.Value{}
		}
		values = append(values, v)
	}
	return ir.Eval(m, id, values)
}
