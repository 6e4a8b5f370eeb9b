package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// startup finds the values at power-up.
type startup struct {
	*design
	*view
	starts map[ir.ID]bits.Value // see atStart; no bits: not known
	lates  []late
}

// initial is the value of a register at power-up, if the text should give one. In the
// netlist, an asynchronous reset that is high from the start acts at once. In the text it
// would need an edge, and the enable of a latch an event, so the reset value becomes the
// initial value.
func (p *startup) initial(r *ir.Register) (bits.Value, bool) {
	if r.Async {
		if on, ok := p.atStart(r.Rst); ok && on.Bit(0) == 1 {
			if v, ok := p.atStart(r.Reset); ok {
				return v, true
			}
		}
	}
	// The design's own initial value comes next.
	if r.Init != ir.None {
		return p.m.ConstOf(r.Init), true
	}
	never := r.Kind == ir.Latch && p.isFixed(r.Rst, 0) // tools want a driver
	return bits.Zero(p.m.Width(r.Node)), p.o.Zero || never
}

// maxStarts bounds the nodes of a module whose value at power-up is found.
const maxStarts = 1000

// atStart is the value of a node at power-up, if the module alone determines it. A value
// that depends on itself is not determined.
func (p *startup) atStart(id ir.ID) (bits.Value, bool) {
	v, ok := p.starts[id]
	// The empty entry made first ends recursion on loops.
	if !ok && len(p.starts) < maxStarts {
		p.starts[id] = bits.Value{}
		v = p.startOf(id)
		p.starts[id] = v
	}
	return v, v.Width() > 0
}

// startOf computes atStart: constants, initial values of registers, and operations on them.
func (p *startup) startOf(id ir.ID) bits.Value {
	if v, ok := p.fixed(id); ok {
		return v
	}
	m, op := p.m, p.m.Op(id)
	switch {
	case op == ir.Reg:
		v, _ := p.initial(p.reg(id))
		return v
	case op.Info().Leaf, op == ir.MemRead:
		return bits.Value{}
	}

	// An operation is known where all its operands are.
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

// late is an asynchronous reset that comes from outside, with the registers that get a
// value at power-up from it alone.
type late struct {
	rst  ir.ID
	low  bool
	regs []ir.ID
}

// noteLate records the registers of a block that start undefined unless their reset is high
// from the start.
func (p *startup) noteLate(b *block) {
	if !b.async || p.o.Bare {
		return
	}

	// Where the reset is known at power-up, initial has decided.
	if _, known := p.atStart(p.reg(b.regs[0]).Rst); known {
		return
	}
	l := late{rst: b.rst, low: b.low}
	for _, id := range b.regs {
		if _, starts := p.initial(p.reg(id)); !starts {
			l.regs = append(l.regs, id)
		}
	}
	if len(l.regs) > 0 {
		p.lates = append(p.lates, l)
	}
}

// resetStarts gives registers their reset value if the reset is high at power-up, since
// there is no edge to wake their blocks; Verilator sees no edge even from x.
//
// Synthesis does not read this: yosys accepts no initial value that depends on a signal,
// and hardware does not need it. Registers with an initial value keep it. Verilator runs
// initial blocks before the nets of a design have settled, so a reset may look high there
// when it is not; that is harmless only if any value is right.
func (p *module) resetStarts(sim bool) {
	if len(p.lates) == 0 {
		return
	}
	p.Blank()

	// Synthesis must not see the block.
	if !sim {
		p.Line(0, "`ifndef SYNTHESIS")
	}
	p.Line(2, "// A reset that is high from the start has no edge.")

	for i := range p.lates {
		l := &p.lates[i]
		resets := p.resetsOf(l.regs, true)
		p.Str("  initial ")
		on := syntax.NewIf(p.resetOn(l.rst, l.low), resets...)
		p.Stmt(&on, 2)
	}

	if !sim {
		p.Line(0, "`endif")
	}
	p.Blank()
	p.lates = p.lates[:0]
}
