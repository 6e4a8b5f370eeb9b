package assign

import rtl "etch/hw"

type Pair struct{ X, Y rtl.UInt }

type Ports struct {
	A    rtl.UInt
	Y    rtl.UInt
	Pair Pair
}

type Part struct{}

func (Part) Ports() Ports { return Ports{A: rtl.In(rtl.Unsigned(8))} }

func (Part) Build(m *rtl.Module, p Ports) {
	count := rtl.Reg(m, "count", rtl.Unsigned(8))
	m.When(p.A.Any(), func() { count = count.Inc() }) // want `say count.Set\(…\)`
	p.Y = count                                       // want `say p.Y.Set\(…\)`
	p.Pair = Pair{count, p.A}                         // want `say rtl.Set\(p.Pair, …\)`
	p.Pair.X, p.Pair.Y = count, count                 // want `p.Pair.X` `p.Pair.Y`
}
