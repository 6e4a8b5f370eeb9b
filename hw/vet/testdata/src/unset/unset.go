package unset

import (
	"etch/hw"
	"etch/hw/stream"
)

type Pair struct{ X, Y hw.UInt }

type Ports struct {
	A, Y hw.UInt
	C    hw.Bit
	Pair Pair
	S    stream.Stream[hw.UInt]
}

type child struct{}

func (child) Ports() Ports                { return Ports{} }
func (child) Build(m *hw.Module, p Ports) {}

func mistakes(m *hw.Module, p Ports) {
	count := hw.Reg(m, "count", hw.Unsigned(8), hw.U(0)) // want `register count is never Set, so it never changes; say count.Set\(…\) \[hwunset\]`
	p.Y.Set(count.Inc().Add(count))
	var w = hw.Wire(m, "w", hw.Bit{}) // want `wire w is never Set, so nothing drives it; say w.Set\(…\)`
	m.When(w, func() {})
	d := hw.Wire(m, "d", hw.Unsigned(8), hw.U(0))                   // want `wire d is never Set, so it always has its default; say d.Set\(…\), or use the default itself`
	held := hw.Reg(m, "held", Pair{hw.Unsigned(8), hw.Unsigned(8)}) // want `register held is never Set, so it never changes; say hw.Set\(held, …\)`
	p.Pair.X.Set(hw.Mux(p.C, held.X, held.Y.Add(d)))
	v := hw.RegInit(m, "v", hw.VecOf(4, hw.Unsigned(8)), nil) // want `register v is never Set`
	p.Pair.Y.Set(v.At(p.A).Add(v[0].Extend(len(v))))
	m.When(v[1].AsSigned().Is(0), func() {})
	mem := hw.Mem(m, "mem", 256, hw.Unsigned(8))
	addr := hw.Reg(m, "addr", hw.Unsigned(8)) // want `register addr is never Set`
	mem.Write(addr, p.A)
	m.Printf("%d", addr)
	_ = addr
	parts := hw.Reg(m, "parts", hw.Unsigned(8)) // want `register parts is never Set`
	p.Y.SetIf(parts.Bit(3), parts.Range(7, 0))
}

func fine(m *hw.Module, p Ports) (result hw.UInt) {
	a := hw.Reg(m, "a", hw.Unsigned(8))
	m.When(p.C, func() { a.Set(p.A) })
	aa := hw.Reg(m, "aa", hw.Unsigned(8))
	aa.SetIf(p.C, p.A)
	ab := hw.Reg(m, "ab", hw.Unsigned(8))
	ab.Bit(3).SetIf(p.C, p.C)
	ac := hw.Reg(m, "ac", hw.Unsigned(8))
	ac.Range(7, 4).Set(hw.U(1))
	ad := hw.Reg(m, "ad", Pair{})
	hw.SetIf(ad, p.C, p.Pair)
	ae := hw.Reg(m, "ae", hw.EnumOf("x", "y"))
	ae.GotoIf(p.C, "x")
	b := hw.Reg(m, "b", hw.EnumOf("x", "y"))
	b.Goto("x")
	c := hw.Reg(m, "c", Pair{})
	c.X.Set(p.A)
	d := hw.Reg(m, "d", Pair{})
	hw.Set(d, p.Pair)
	e := hw.Reg(m, "e", hw.VecOf(2, hw.Unsigned(8)))
	e.At(p.A).Set(p.A)
	f := hw.Wire(m, "f", hw.VecOf(2, hw.Unsigned(8)))
	for _, x := range f {
		x.Set(p.A)
	}
	g := hw.Wire(m, "g", hw.Unsigned(8))
	drive(g)
	h := hw.Wire(m, "h", hw.Unsigned(8))
	hw.Inst(m, "u", child{}, Ports{Y: h})
	i := hw.Wire(m, "i", stream.Of(hw.Unsigned(8)))
	i.Send(p.C, p.A)
	j := hw.Wire(m, "j", stream.Of(hw.Unsigned(8)))
	hw.Set(p.S, j) // Ready goes the other way
	k := hw.Wire(m, "k", hw.Unsigned(8))
	all := []hw.UInt{k}
	all[0].Set(p.A)
	l := hw.Wire(m, "l", hw.Unsigned(8))
	l.AsSigned().Set(hw.S(1))
	set := hw.Wire(m, "n", hw.Unsigned(8)).Set
	set(p.A)
	n := hw.Wire(m, "o", hw.Unsigned(8))
	later := n.Set
	later(p.A)
	o := hw.Wire(m, "p", hw.Unsigned(8))
	alias := o
	alias.Set(p.A)
	regs := make([]hw.UInt, 2)
	regs[0] = hw.Reg(m, "q", hw.Unsigned(8))
	result = hw.Reg(m, "r", hw.Unsigned(8))
	r := hw.Reg(m, "s", hw.Unsigned(8))
	return r
}

func drive(x hw.UInt) { x.Set(hw.U(1)) }
