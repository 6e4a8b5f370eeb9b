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
