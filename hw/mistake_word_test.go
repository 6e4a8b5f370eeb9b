//hwvet:ignore -- these mistakes are deliberate

package hw_test

import "etch/hw"

// Short words: conditional Sets, comparisons with numbers, parts, Cases of numbers.
var wordMistakes = []mistake{
	{"comparisons with numbers", func(m *hw.Module, p pins) {
		p.A.IsNot(256)             // want "IsNot: 256 does not fit unsigned of 8 bits [literal]"
		p.A.IsLt(257)              // want "IsLt: 257 does not fit unsigned of 8 bits [literal]"
		p.A.IsLe(256)              // want "IsLe: 256 does not fit unsigned of 8 bits [literal]"
		p.A.IsGt(-1)               // want "IsGt: -1 is negative and the value is unsigned [literal]"
		p.S.IsGe(129)              // want "IsGe: 129 does not fit signed of 8 bits [literal]"
		p.S.IsLt(-129)             // want "IsLt: -129 does not fit signed of 8 bits [literal]"
		hw.UInt{}.IsLt(1).And(p.C) // want "IsLt: an operand is unset"
		p.Y.Set(p.A)
	}},
	{"zeros, pads and copies", func(m *hw.Module, p pins) {
		hw.Cat(p.A, hw.Zeros(0))   // want "Zeros: 0 bits; want 1 to 1048576 [range]"
		hw.Cat(p.A, hw.Ones(-1))   // want "Ones: -1 bits; want 1 to 1048576 [range]"
		p.A.PadLow(-1)             // want "PadLow: -1 zeros; want 0 to 1048576 [range]"
		p.A.PadLow(1 << 20)        // want "PadLow: the result has 1048584 bits, more than the 1048576 that a value can have [range]"
		p.A.Rep(0)                 // want "Rep: 0 copies [range]"
		p.A.Rep(1 << 40)           // want "Rep: the result has 8796093022208 bits, more than"
		p.A.SignExtend(7)          // want "SignExtend: to 7 bits from 8; Trunc cuts [range]"
		p.S.And(p.S.Trunc(2))      // want "And: s has 8 bits, s[1:0] has 2 [width]"
		p.S.Range(8, 1)            // want "Range: bits 8..1 of s, which has bits 7..0 [range]"
		hw.U(1).PadLow(2).Add(p.A) // want "PadLow: only literals; compute it in Go [literal]"
		p.Y.Set(p.A)
	}},
	{"set under a condition", func(m *hw.Module, p pins) {
		r := hw.Reg(m, "r", hw.Unsigned(8))
		r.SetIf(p.C, p.B)                    // want "SetIf: r has 8 bits, b has 4 [width]"
		p.A.SetIf(p.C, p.Y)                  // want "SetIf: a is an input of dut; only its parent drives it [direction]"
		p.A.Not().SetIf(p.C, p.A)            // want "SetIf: !(a) is a value; only registers"
		hw.UInt{}.SetIf(p.C, p.A)            // want "SetIf: the target is unset (a zero value of its type) [unset]"
		r.SetIf(hw.Bit{}, p.A)               // want "SetIf: an operand is unset"
		hw.SetIf(r, p.C, hw.U(256))          // want "SetIf: 256 does not fit unsigned of 8 bits [literal]"
		w := hw.Wire(m, "w", hw.Unsigned(8)) // want "wire w is not set when c is low [latch]"
		w.SetIf(p.C, p.A)
		v := hw.Wire(m, "v", hw.Unsigned(8))
		v.SetIf(p.C, p.A) // at setif
		v.Set(p.A)        // want "Set: v is already set under a condition in this block, and that is lost [twice]" note "first set under a condition here"@setif
		s := hw.Reg(m, "s0", phases(), hw.Val(idle))
		s.GotoIf(p.C, "none")                                        // want "GotoIf: none is not one of idle, busy, last [literal]"
		hw.SetIf(hw.Vec[hw.UInt]{r}, p.C, hw.Vec[hw.UInt]{p.A, p.A}) // want "SetIf: the vector has 1 element on one side and 2 on the other [bundle]"
		p.Y.Set(w)
	}},
}
