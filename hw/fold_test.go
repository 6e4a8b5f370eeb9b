package hw_test

import (
	"math/rand/v2"
	"testing"

	"etch/hw"
	"etch/ir/bits"
	"etch/testbench"
)

// foldCases are operations on two numbers of five bits and one signed one, each
// with a result of any width. They are written once and get signals or literals.
var foldCases = map[string]func(x, y hw.UInt, z hw.SInt) hw.UInt{
	"add":     func(x, y hw.UInt, _ hw.SInt) hw.UInt { return x.Add(y) },
	"addGrow": func(x, y hw.UInt, _ hw.SInt) hw.UInt { return x.AddGrow(y) },
	"sub":     func(x, y hw.UInt, _ hw.SInt) hw.UInt { return x.Sub(hw.U(3)).Sub(y) },
	"mul":     func(x, y hw.UInt, _ hw.SInt) hw.UInt { return x.Mul(y) },
	"div":     func(x, y hw.UInt, _ hw.SInt) hw.UInt { return hw.Cat(x.Div(y), x.Rem(y)) },
	"logic":   func(x, y hw.UInt, _ hw.SInt) hw.UInt { return x.And(y.Not()).Or(x.Xor(y)) },
	"shift":   func(x, y hw.UInt, _ hw.SInt) hw.UInt { return hw.Cat(x.Shl(2), x.Shr(1), x.ShlBy(y), x.RotL(3)) },
	"compare": func(x, y hw.UInt, z hw.SInt) hw.UInt { return hw.Cat(x.Lt(y), x.Is(7), x.Eq(y), z.IsNeg(), z.IsLt(-3)) },
	"reduce":  func(x, y hw.UInt, _ hw.SInt) hw.UInt { return hw.Cat(x.Any(), y.All(), x.Parity(), x.PopCount()) },
	"place":   func(x, y hw.UInt, _ hw.SInt) hw.UInt { return hw.Cat(x.BitLen(), y.FirstOne(), x.BitAt(y)) },
	"form": func(x, y hw.UInt, _ hw.SInt) hw.UInt {
		return hw.Cat(x.Reverse(), y.Rep(2), x.PadLow(1), y.Range(3, 1))
	},
	"mux":    func(x, y hw.UInt, _ hw.SInt) hw.UInt { return hw.Mux(x.Bit(0), x, y) },
	"choose": func(x, y hw.UInt, _ hw.SInt) hw.UInt { return hw.Choose(x, y, map[int]hw.UInt{1: hw.U(9), 2: x}) },
	"at":     func(x, y hw.UInt, _ hw.SInt) hw.UInt { return hw.Vec[hw.UInt]{x, y, x}.At(x.Trunc(2)) },
	"gate":   func(x, y hw.UInt, _ hw.SInt) hw.UInt { return hw.Gate(y.Bit(1), x) },
	"lut":    func(x, y hw.UInt, _ hw.SInt) hw.UInt { return hw.Lut(bits.New(4, 0b0110), x.Bit(0), y.Bit(0)).Rep(2) },
	"signed": func(_, _ hw.UInt, z hw.SInt) hw.UInt {
		return hw.Cat(z.Abs(), z.Minus(), z.Shr(1), z.Extend(9), z.Mul(z))
	},
	"unsigned": func(x, _ hw.UInt, z hw.SInt) hw.UInt { return hw.Cat(x.AsSigned().Add(z), x.SignExtend(7)) },
	"wide":     func(x, y hw.UInt, z hw.SInt) hw.UInt { return hw.Cat(z.AddGrow(z), x.SubGrow(y), x.Dec()) },
}

// folded has an operation on its inputs beside the same one on literals.
type folded struct {
	Op      string
	X, Y, Z uint64
}

type foldedPorts struct {
	X, Y         hw.UInt
	Z            hw.SInt
	Signals, Lit hw.UInt
}

func (f folded) literals() (x, y hw.UInt, z hw.SInt) {
	return hw.Unsigned(5).Lit(int(f.X)), hw.Unsigned(5).Lit(int(f.Y)), hw.UVal(bits.New(5, f.Z)).AsSigned()
}

func (f folded) Ports() foldedPorts {
	w := foldCases[f.Op](f.literals()).Width()
	return foldedPorts{X: hw.In(hw.Unsigned(5)), Y: hw.In(hw.Unsigned(5)), Z: hw.In(hw.Signed(5)), Signals: hw.Out(hw.Unsigned(w)), Lit: hw.Out(hw.Unsigned(w))}
}

func (f folded) Build(m *hw.Module, p foldedPorts) {
	op := foldCases[f.Op]
	p.Signals.Set(op(p.X, p.Y, p.Z))
	p.Lit.Set(op(f.literals()))
}

func TestFold(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for op := range foldCases {
		t.Run(op, func(t *testing.T) {
			for range 5 {
				f := folded{op, rnd.Uint64N(32), rnd.Uint64N(32), rnd.Uint64N(32)}
				s, p := testbench.New(t, f)
				s.Set(p.X, int(f.X))
				s.Set(p.Y, int(f.Y))
				s.Set(p.Z, int(int64(f.Z<<59)>>59))
				if got, want := s.Get(p.Lit), s.Get(p.Signals); got != want {
					t.Errorf("%+v: of literals %d, of signals %d", f, got, want)
				}
			}
		})
	}
}
