package firrtl_test

import (
	"etch/ir"
	"etch/ir/bits"
)

// FIRRTL has no values at power-up, and firtool's Verilog is made to start as 0.
// For a comparison from the first cycle on, a design is brought to start as 0
// without a change of what it does: a register that starts as v becomes one that
// holds its difference from v, and memories get contents.
func startAtZero(d *ir.Design) {
	for _, m := range d.Modules {
		for i := range m.Regs {
			if r := &m.Regs[i]; r.Init != ir.None {
				v := m.ConstOf(r.Init)
				r.Init = ir.None
				if !v.IsZero() {
					differ(m, i, v)
				}
			}
		}
		for i := range m.Mems {
			if m.Mems[i].Init == nil {
				m.Mems[i].Init = []bits.Value{}
			}
		}
	}
}

// differ makes register i hold its difference from v.
func differ(m *ir.Module, i int, v bits.Value) {
	reg := m.Regs[i].Node
	w := int32(v.Width())
	k := m.Const(v, 0)
	value := m.Add(ir.Node{Op: ir.Xor, Width: w, Type: m.Node(reg).Type}, reg, k)
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if id == value {
			continue
		}
		for j, a := range m.Args(id) {
			if a == reg {
				m.Args(id)[j] = value
			}
		}
	}
	ir.EachRef(m, func(ref *ir.ID) {
		if *ref == reg {
			*ref = value
		}
	})
	r := &m.Regs[i]
	next := r.Next
	r.Next = m.Add(ir.Node{Op: ir.Xor, Width: w}, next, k)
	if r.Reset != ir.None {
		r.Reset = m.Const(m.ConstOf(r.Reset).Xor(v), 0)
	}
}

// startAtReset lets registers start as their reset values, so that a compiler may
// take a register that never holds anything else for a constant.
func startAtReset(d *ir.Design) {
	for _, m := range d.Modules {
		for i := range m.Regs {
			if r := &m.Regs[i]; r.Reset != ir.None {
				r.Init = r.Reset
			}
		}
	}
}

// guardWideQuotients replaces x / 1 of more than 64 bits, which Icarus Verilog 11
// says is 0 if the top bit of x is set.
func guardWideQuotients(d *ir.Design) {
	for _, m := range d.Modules {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			w := m.Width(id)
			if m.Op(id) != ir.Div || w <= 64 {
				continue
			}
			x, y := m.Args(id)[0], m.Args(id)[1]
			one := m.Add(ir.Node{Op: ir.Eq, Width: 1}, y, m.Const(bits.New(w, 1), 0))
			two := m.Const(bits.New(w, 2), 0)
			by := m.Add(ir.Node{Op: ir.Mux, Width: int32(w)}, one, two, y)
			quotient := m.Add(ir.Node{Op: ir.Div, Width: -int32(w)}, x, by) // marked as done
			m.SetArgs(id, ir.Mux, one, x, quotient)
		}
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if n := m.Node(id); n.Width < 0 {
				n.Width = -n.Width
			}
		}
	}
}
