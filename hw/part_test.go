package hw_test

import (
	"testing"

	"etch/hw"
)

// Bits that follow from others of the same wire are no loop: a ripple of carries.
func TestPartsRipple(t *testing.T) {
	type ports struct{ A, B, Sum, Carry hw.UInt }
	w8 := hw.Unsigned(8)
	s, p := run(t, hw.Func("ripple", ports{hw.In(w8), hw.In(w8), hw.Out(w8), hw.Out(hw.Unsigned(9))}, func(m *hw.Module, p ports) {
		carry := hw.Wire(m, "carry", hw.Unsigned(9))
		carry.Bit(0).Set(hw.Low)
		for i := range 8 {
			a, b, c := p.A.Bit(i), p.B.Bit(i), carry.Bit(i)
			p.Sum.Bit(i).Set(a.Xor(b, c))
			carry.Bit(i + 1).Set(a.And(b).Or(c.And(a.Or(b))))
		}
		p.Carry.Set(carry)
	}))
	for a := uint64(0); a < 256; a += 7 {
		for b := uint64(0); b < 256; b += 5 {
			s.put(p.A, a)
			s.put(p.B, b)
			s.expect(p.Sum, (a+b)&255, "sum")
			s.expect(p.Carry, (a^b^(a+b))|(a+b)&256, "carries")
		}
	}
}

// Several pieces read as one, halves of halves, a named part, an instance's input
// and a part seen as another kind.
func TestPartsOfParts(t *testing.T) {
	type ports struct{ A, Y, Z, Pair hw.UInt }
	w8 := hw.Unsigned(8)
	s, p := run(t, hw.Func("parts", ports{hw.In(w8), hw.Out(w8), hw.Out(w8), hw.Out(w8)}, func(m *hw.Module, p ports) {
		w := hw.Wire(m, "w", w8, hw.U(0x50))
		low := w.Range(3, 0)
		low.Range(1, 0).Set(p.A.Range(7, 6))
		top := low.Bit(3).Named("top")
		top.Set(p.A.Bit(0))
		p.Y.Set(hw.Cat(w.Range(7, 2), w.Range(1, 0)))
		u := hw.Inst(m, "u", pass)
		u.In.Range(7, 4).Set(p.A.Range(3, 0))
		u.In.Range(3, 0).Set(w.Range(4, 1)) // reads across pieces
		p.Z.Set(u.Out)
		fields := hw.Unpack(hw.VecOf(2, hw.Unsigned(4)), p.Pair)
		fields[0].Set(p.A.Range(7, 4))
		fields[1].Set(p.A.Range(3, 0))
	}))
	for a := range uint64(256) {
		s.put(p.A, a)
		w := 0x50 | a>>6 | a&1<<3
		s.expect(p.Y, w, "y")
		s.expect(p.Z, a&15<<4|w>>1&15, "z")
		s.expect(p.Pair, a>>4|a&15<<4, "pair")
	}
}

// A switch over all numbers of a selector has no default, and sets everything.
func TestCasesOfAllNumbers(t *testing.T) {
	type ports struct{ Op, A, Y hw.UInt }
	w8 := hw.Unsigned(8)
	turns := 0
	s, p := run(t, hw.Func("unit", ports{hw.In(hw.Unsigned(2)), hw.In(w8), hw.Out(w8)}, func(m *hw.Module, p ports) {
		for op := range p.Op.Cases(0, 1, 2, 3) {
			turns++
			switch op {
			case 0:
				p.Y.Set(p.A)
			case 1:
				p.Y.Set(p.A.Inc())
			case 2:
				p.Y.Set(p.A.Not())
			case 3:
				p.Y.Set(hw.Zeros(8))
			}
		}
	}))
	if turns != 4 {
		t.Errorf("%d turns, want 4", turns)
	}
	s.put(p.A, 9)
	for op, want := range []uint64{9, 10, 246, 0} {
		s.put(p.Op, uint64(op))
		s.expect(p.Y, want, "y")
	}
}

// A bit chosen by hardware is a target: of a register, behind another Set of it, of a
// wire whose bits are set one by one, and past the width, where nothing is set.
func TestBitAtIsTarget(t *testing.T) {
	type ports struct {
		En, V              hw.Bit
		Index              hw.UInt
		Reg, Clear, Wire   hw.UInt
		Nested, Read, Wide hw.UInt
	}
	w6 := hw.Unsigned(6)
	s, p := run(t, hw.Func("bits", ports{
		hw.In(hw.Bit{}), hw.In(hw.Bit{}), hw.In(hw.Unsigned(3)),
		hw.Out(w6), hw.Out(w6), hw.Out(w6), hw.Out(w6), hw.Out(hw.Unsigned(1)), hw.Out(hw.Unsigned(300)),
	}, func(m *hw.Module, p ports) {
		reg := hw.Reg(m, "reg", w6, hw.U(0))
		m.When(p.En, func() { reg.BitAt(p.Index).Set(p.V) })
		p.Reg.Set(reg)

		clear := hw.Reg(m, "clear", w6, hw.U(0))
		clear.Set(hw.Ones(6))
		clear.BitAt(p.Index).Set(hw.Low)
		m.When(p.V, func() { clear.BitAt(hw.Cat(p.Index.Range(2, 1), hw.Low)).Set(hw.High) })
		p.Clear.Set(clear)

		for i := range 6 {
			p.Wire.Bit(i).Set(p.En)
		}
		p.Wire.BitAt(p.Index).Set(p.V)

		nested := hw.Reg(m, "nested", w6, hw.U(0))
		nested.Bit(0).Set(hw.Low)
		nested.Bit(5).Set(hw.Low)
		nested.Range(4, 1).BitAt(p.Index).SetIf(p.En, p.V)
		p.Nested.Set(nested)
		p.Read.Set(reg.BitAt(p.Index).UInt())

		wide := hw.Reg(m, "wide", hw.Unsigned(300), hw.U(0))
		wide.BitAt(p.Index.Extend(9).Add(hw.U(290))).Set(p.V)
		p.Wide.Set(wide)
	}))
	reg, nested := uint64(0), uint64(0)
	put := func(x *uint64, i, v uint64, limit uint64) {
		if i < limit {
			*x = *x&^(1<<i) | v<<i
		}
	}
	for k := range uint64(200) {
		en, v, i := k*7/3%2, k*5/2%2, k*11%8
		s.put(p.En, en)
		s.put(p.V, v)
		s.put(p.Index, i)
		wire, clear := en*63, uint64(63)
		put(&wire, i, v, 6)
		s.expect(p.Wire, wire, "wire")
		s.expect(p.Read, reg>>i&1, "read")
		put(&clear, i, 0, 6)
		if v == 1 {
			put(&clear, i&^1, 1, 6)
		}
		if en == 1 {
			put(&reg, i, v, 6)
			put(&nested, i+1, v, 5)
		}
		s.Step(1)
		s.expect(p.Reg, reg, "reg")
		s.expect(p.Clear, clear, "clear")
		s.expect(p.Nested, nested, "nested")
	}
}

// Some bits of an element chosen by hardware are a target.
func TestPartOfElementIsTarget(t *testing.T) {
	type ports struct {
		Index, V hw.UInt
		Out      hw.Vec[hw.UInt]
	}
	s, p := run(t, hw.Func("elements", ports{
		hw.In(hw.Unsigned(2)), hw.In(hw.Unsigned(4)), hw.Out(hw.VecOf(3, hw.Unsigned(8))),
	}, func(m *hw.Module, p ports) {
		shape := hw.VecOf(3, hw.Unsigned(8))
		v := hw.Reg(m, "v", shape, hw.Zero(shape))
		hw.Set(v, v)
		v.At(p.Index).Range(6, 1).Range(4, 1).Set(p.V)
		v.At(p.Index).Bit(0).Set(p.V.Bit(3))
		hw.Set(p.Out, v)
	}))
	var want [3]uint64
	for k := range uint64(60) {
		i, v := k*7%4, k*5%16
		s.put(p.Index, i)
		s.put(p.V, v)
		s.Step(1)
		if i < 3 {
			want[i] = want[i]&^0x3d | v<<2 | v>>3
		}
		for j := range want {
			s.expect(p.Out[j], want[j], "element")
		}
	}
}
