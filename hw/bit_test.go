package hw_test

import (
	"testing"

	"etch/hw"
	"etch/ir/bits"
)

// What a generator leaves out may be a literal: literal bits are computed in
// place, and a delay of one is itself.
func TestLiteralBits(t *testing.T) {
	type ports struct{ X, Y hw.Bit }
	for _, c := range []struct {
		text string
		of   func(m *hw.Module, x hw.Bit) hw.Bit
		want [2]uint64 // for X low and high
	}{
		{"none of nothing", func(m *hw.Module, x hw.Bit) hw.Bit { return hw.AnyOf().Or(x) }, [2]uint64{0, 1}},
		{"all of nothing", func(m *hw.Module, x hw.Bit) hw.Bit { return hw.AllOf().And(hw.B(true)).And(x) }, [2]uint64{0, 1}},
		{"or", func(m *hw.Module, x hw.Bit) hw.Bit { return hw.B(false).Or(hw.B(false), hw.B(true)).And(x) }, [2]uint64{0, 1}},
		{"and", func(m *hw.Module, x hw.Bit) hw.Bit { return hw.B(true).And(hw.B(false)).Or(x) }, [2]uint64{0, 1}},
		{"xor", func(m *hw.Module, x hw.Bit) hw.Bit { return hw.B(true).Xor(hw.B(true), hw.B(true)).Xor(x) }, [2]uint64{1, 0}},
		{"not", func(m *hw.Module, x hw.Bit) hw.Bit { return hw.B(true).Not().Or(x) }, [2]uint64{0, 1}},
		{"and not", func(m *hw.Module, x hw.Bit) hw.Bit { return x.AndNot(hw.B(false)) }, [2]uint64{0, 1}},
		{"neither", func(m *hw.Module, x hw.Bit) hw.Bit { return hw.B(true).AndNot(hw.B(true)) }, [2]uint64{0, 0}},
		{"mixed", func(m *hw.Module, x hw.Bit) hw.Bit { return hw.B(true).And(x, hw.B(true)) }, [2]uint64{0, 1}},
		{"concatenation", func(m *hw.Module, x hw.Bit) hw.Bit {
			return hw.Cat(hw.U(5).Extend(3), hw.UVal(bits.New(2, 2)).Extend(4)).Range(5, 0).Eq(hw.Cat(hw.U(9).Extend(5), x.UInt())) // 010010 = 01001x
		}, [2]uint64{1, 0}},
		{"extension", func(m *hw.Module, x hw.Bit) hw.Bit {
			return hw.S(-2).Extend(3).Extend(5).Trunc(4).AsUnsigned().Eq(hw.Cat(hw.U(7).Extend(3), x.UInt()))
		}, [2]uint64{1, 0}},
		{"delay", func(m *hw.Module, x hw.Bit) hw.Bit { return hw.Delay(m, "late", hw.B(true), 3).And(x) }, [2]uint64{0, 1}},
	} {
		s, p := run(t, hw.Func("bits", ports{hw.In(hw.Bit{}), hw.Out(hw.Bit{})}, func(m *hw.Module, p ports) { p.Y.Set(c.of(m, p.X)) }))
		for x, want := range c.want {
			s.put(p.X, uint64(x))
			s.expect(p.Y, want, c.text)
		}
	}
}

// A literal is its own delay, but where it has another value in reset it comes as
// late as a signal would.
func TestDelayOfLiterals(t *testing.T) {
	type ports struct {
		Valid, Free hw.Bit
		Word, Same  hw.UInt
	}
	s, p := run(t, hw.Func("late", ports{hw.Out(hw.Bit{}), hw.Out(hw.Bit{}), hw.Out(hw.Unsigned(4)), hw.Out(hw.Unsigned(4))}, func(m *hw.Module, p ports) {
		p.Valid.Set(hw.Delay(m, "valid", hw.B(true), 3, hw.B(false)))
		p.Free.Set(hw.Delay(m, "free", hw.B(true), 3))
		p.Word.Set(hw.Delay(m, "word", hw.U(9).Extend(4), 2, hw.U(5)))
		p.Same.Set(hw.Delay(m, "same", hw.U(9).Extend(4), 2, hw.U(9).Extend(4)))
	}))
	s.Reset()
	for _, want := range [][4]uint64{{0, 1, 5, 9}, {0, 1, 5, 9}, {0, 1, 9, 9}, {1, 1, 9, 9}} {
		s.expect(p.Valid, want[0], "valid")
		s.expect(p.Free, want[1], "free")
		s.expect(p.Word, want[2], "word")
		s.expect(p.Same, want[3], "same")
		s.Step(1)
	}
}
