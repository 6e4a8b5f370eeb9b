package fuzz

import (
	"etch/ir"
	"etch/ir/bits"
)

// FIRRTL leaves values at power-up open. firtool's Verilog is made to start as 0, and firtool
// takes a register that only ever holds its reset value for a constant. So a design is brought
// to a form in which both are right: a register with a reset starts as its reset value, a
// register that starts as v holds its difference from v, and a memory without contents is one of
// zeros.

// startingAtZero returns a case whose design starts as 0. It behaves as c, except for registers
// that did not start as they are reset.
func (c *Case) startingAtZero() *Case {
	d := c.Design.Clone()
	for _, m := range d.Modules {
		for i := range m.Regs {
			r := &m.Regs[i]
			start := r.Init

			// A register with a reset starts at its reset's value, unless it is a latch.
			if r.Reset != ir.None && r.Kind != ir.Latch {
				start = r.Reset
			}
			r.Init = ir.None
			if start != ir.None && !m.ConstOf(start).IsZero() {
				holdDifference(m, i, m.ConstOf(start))
			}
		}

		// Memories without contents start open in Verilog and as 0 with empty ones.
		for i := range m.Mems {
			if m.Mems[i].Init == nil {
				m.Mems[i].Init = []bits.Value{}
			}
		}
	}
	return c.again(d, c.Stim)
}

// holdDifference makes register i hold its value xor v: readers get the register xor v, and its
// inputs are xored too. It then starts as 0.
func holdDifference(m *ir.Module, i int, v bits.Value) {
	// v is held by the wires around the register, which itself starts as 0.
	reg := m.Regs[i].Node
	n := ir.Node{Op: ir.Xor, Width: int32(v.Width()), Type: m.Node(reg).Type}
	k := m.Const(v, 0)
	value := m.Add(n, reg, k)
	swap := func(ref *ir.ID) {
		if *ref == reg {
			*ref = value
		}
	}

	// Readers of the register, before the register's own inputs change.
	for id := ir.ID(1); id < value; id++ {
		args := m.Args(id)
		for j := range args {
			swap(&args[j])
		}
	}
	ir.EachRef(m, swap)

	// A latch holds itself in Next; its data are in Reset.
	switch r := &m.Regs[i]; {
	case r.Kind == ir.Latch:
		r.Next, r.Reset = reg, m.Add(n, r.Reset, k)
	case r.Reset != ir.None:
		r.Next, r.Reset = m.Add(n, r.Next, k), m.Const(m.ConstOf(r.Reset).Xor(v), 0)
	default:
		r.Next = m.Add(n, r.Next, k)
	}
}

// guardWideQuotients replaces x / 1 of more than 64 bits by x: Icarus Verilog 11 gives 0 if the
// top bit of x is set. Emitted Verilog has such a guard; firtool's text needs this one. The
// divisor becomes 2 where it is 1, for the wrong quotient not to be computed.
func guardWideQuotients(m *ir.Module) {
	for id, last := ir.ID(1), ir.ID(m.Len()); id < last; id++ {
		w := m.Width(id)
		if m.Op(id) != ir.Div || w <= 64 {
			continue
		}
		x, y := m.Args(id)[0], m.Args(id)[1]

		// The nodes come after last, so the loop does not meet them.
		one := m.Add(ir.Node{Op: ir.Eq, Width: 1}, y, m.Const(bits.New(w, 1), 0))
		by := m.Add(ir.Node{Op: ir.Mux, Width: int32(w)}, one, m.Const(bits.New(w, 2), 0), y)
		quotient := m.Add(ir.Node{Op: ir.Div, Width: int32(w)}, x, by)
		m.SetArgs(id, ir.Mux, one, x, quotient)
	}
}
