package capture

import "etch/hw"

type Ports struct{ A, Y hw.UInt }

var shape = Ports{A: hw.In(hw.Unsigned(8)), Y: hw.Out(hw.Unsigned(8))}

var (
	leak  Ports
	taken hw.UInt
	width hw.UInt // a shape
)

type Outer struct{}

func (Outer) Ports() Ports { return shape }

func (Outer) Build(m *hw.Module, p Ports) {
	count := hw.Reg(m, "count", hw.Unsigned(8))
	count.Set(p.A)
	word := hw.Unsigned(8)
	mem := hw.Mem(m, "mem", 256, word)
	sum := count.Add(p.A)
	carried := hw.U(0)
	bits := p.A.BitVec()
	inner := hw.Func("inner", shape, func(im *hw.Module, ip Ports) {
		ip.Y.Set(p.A)                     // want `p is a signal of the body around this one; bring it in through a port \[hwcapture\]`
		r := hw.Reg(m, "r", hw.Like(p.A)) // want `m is the module of the body around this one`
		r.Set(count)                      // want `count is a signal of the body around`
		s := hw.Reg(im, "s", word)
		s.Set(ip.A.Extend(count.Width()))
		s.Set(hw.Zero(sum))
		im.When(ip.A.Any(), func() { ip.Y.Set(sum) }) // want `sum is a signal`
		ip.Y.Set(mem.Read(ip.A))                      // want `mem is a memory of the body`
		carried = ip.A                                // want `carried carries a signal of this module into another body; bring it out through a port`
		for range hw.WidthOf(p) {
		}
		for range sum.BitVec() { // want `sum is a signal`
		}
		for i := range bits { // only how many
			ip.Y.Set(hw.U(i))
		}
		for _, b := range bits { // want `bits is a signal`
			im.When(b, func() {})
		}
	})
	u := hw.Inst(m, "u", inner, Ports{A: p.A})
	p.Y.Set(carried.Add(u.Y))
	leak = p        // want `the package variable leak keeps a signal of this module, and the next module that is built finds it; pass signals through ports`
	taken = p.A     // want `the package variable taken keeps a signal`
	leak.A = sum    // want `the package variable leak keeps a signal`
	width = word    // a shape
	width = hw.U(3) // a literal
}

// body is a body by its use.
func body(m *hw.Module, p Ports) {
	taken = p.A.Add(hw.U(1)) // want `the package variable taken keeps a signal`
	p.Y.Set(p.A)
}

var byName = hw.Func("by_name", shape, body)

// wrap helps a body and makes a component in it.
func wrap(m *hw.Module, x hw.UInt) hw.Component[Ports] {
	scale := hw.Delay(m, "scale", x, 1)
	return hw.Func("wrapped", shape, func(im *hw.Module, ip Ports) {
		ip.Y.Set(ip.A.Add(scale)) // want `scale is a signal`
	})
}

// Parameters of helpers may be shapes.
func lane(elem hw.UInt) hw.Component[Ports] {
	return hw.Func("lane", shape, func(m *hw.Module, p Ports) {
		r := hw.Reg(m, "r", elem)
		r.Set(p.A)
		p.Y.Set(r)
	})
}

// Closures of one body share its signals.
type Fine struct{}

func (Fine) Ports() Ports { return shape }

func (Fine) Build(m *hw.Module, p Ports) {
	next := hw.Wire(m, "next", hw.Unsigned(8), hw.U(0))
	step := func(x hw.UInt) { next.Set(x) }
	m.When(p.A.Any(), func() { step(p.A) })
	var last hw.UInt
	each := func(m *hw.Module, x hw.UInt) { last = x.Inc() }
	each(m.Scope("one"), p.A)
	p.Y.Set(last)
}
