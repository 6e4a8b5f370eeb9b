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
		hw.Cat(p.A, hw.Zeros(0))                     // want "Zeros: 0 bits; want 1 to 1048576 [range]"
		hw.Cat(p.A, hw.Ones(-1))                     // want "Ones: -1 bits; want 1 to 1048576 [range]"
		p.A.PadLow(-1)                               // want "PadLow: -1 zeros; want 0 to 1048576 [range]"
		p.A.PadLow(1 << 20)                          // want "PadLow: the result has 1048584 bits, more than the 1048576 that a value can have [range]"
		p.A.Rep(0)                                   // want "Rep: 0 copies [range]"
		p.A.Rep(1 << 40)                             // want "Rep: the result has 8796093022208 bits, more than"
		p.A.SignExtend(7)                            // want "SignExtend: to 7 bits from 8; Trunc cuts [range]"
		p.S.And(p.S.Trunc(2))                        // want "And: s has 8 bits, s[1:0] has 2 [width]"
		p.S.Range(8, 1)                              // want "Range: bits 8..1 of s, which has bits 7..0 [range]"
		p.A.Bit(0).And(hw.Unsigned(4).Lit(1).Bit(9)) // want "Bit: bit 9 of 1, which has bits 3..0 [range]"
		hw.U(1).PadLow(2).Add(p.A)                   // want "PadLow: the literal 1 has nothing to take its width from; say Lit or Extend [literal]"
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
	{"parts are set once, on every path", func(m *hw.Module, p pins) {
		w := hw.Wire(m, "w", hw.Unsigned(8)) // want "bits 7..4 of wire w are never set [undriven]" "bit 3 of wire w is not set when c is low [latch]" note "set under a condition here"@partlatch
		w.Range(2, 0).Set(hw.U(5))
		w.Bit(3).SetIf(p.C, p.D)            // at partlatch
		r := hw.Reg(m, "r", hw.Unsigned(8)) // want "bit 0 of register r is never set [undriven]" "bits 7..3 of register r are never set [undriven]"
		r.Range(2, 1).Set(hw.U(3))          // at partonce
		r.Bit(2).Set(p.C)                   // want "Set: bit 2 of r is already set in this block, and that is lost [twice]" note "first set here"@partonce
		v := hw.Wire(m, "v", hw.Unsigned(8))
		v.Range(7, 4).Set(p.B) // at partwhole
		v.Set(p.A)             // want "Set: v is already set in this block, and that is lost [twice]" note "first set here"@partwhole
		x := hw.Wire(m, "x", hw.Unsigned(8))
		x.Set(p.A)                 // at wholepart
		x.Range(4, 3).Set(hw.U(0)) // want "Set: bits 4..3 of x are already set in this block, and that is lost [twice]" note "first set here"@wholepart
		m.When(p.C, func() { x.Bit(0).Set(p.D) })
		p.Y.Set(w.Add(v).Add(x))
	}},
	{"parts in cases", func(m *hw.Module, p pins) {
		state := hw.Reg(m, "state", phases(), hw.Val(idle))
		w := hw.Wire(m, "w", hw.Unsigned(8)) // want "bits 3..0 of wire w are not set when state is busy [latch]"
		for s := range state.Cases() {
			switch s {
			case idle:
				w.Set(p.A)
				state.Goto(busy)
			case busy:
				w.Range(7, 4).Set(p.B)
			case last:
				w.Range(7, 4).Set(p.B)
				w.Range(3, 0).Set(p.B)
			}
		}
		p.Y.Set(w)
	}},
	{"parts of what cannot be set", func(m *hw.Module, p pins) {
		p.A.Bit(3).Set(p.C)            // want "Set: a is an input of dut; only its parent drives it [direction]" note "a is declared here"@a
		p.A.Inc().Range(3, 0).Set(p.B) // want "Set: add(a, 1)[3:0] is a value; only registers"
		u := hw.Inst(m, "u", pass, thruPorts{In: p.A})
		u.Out.Bit(0).Set(p.C) // want "Set: u.out is an output of an instance [direction]"
		r := hw.Reg(m, "r", hw.Unsigned(8))
		r.Range(7, 4).Set(p.A)      // want "Set: r[7:4] has 4 bits, a has 8 [width]"
		r.Range(3, 0).Set(hw.U(16)) // want "Set: 16 does not fit unsigned of 4 bits [literal]"
		state := hw.Reg(m, "state", phases(), hw.Val(idle))
		state.Goto(busy)
		state.Bits().Bit(0).Set(p.C) // want "Set: state[0] is a value; only registers"
		p.Y.Set(p.A)
	}},
	{"a loop through bits", func(m *hw.Module, p pins) {
		w := hw.Wire(m, "w", hw.Unsigned(8))
		w.Range(7, 1).Set(w.Range(6, 0)) // want "combinational loop: w[6:0] <- w[6:0] [loop]"
		w.Bit(0).Set(w.Bit(7).Not())
		p.Y.Set(w)
	}},
	{"cases of numbers", func(m *hw.Module, p pins) {
		w := hw.Wire(m, "w", hw.Unsigned(8)) // want "wire w is not set when b is 3 [latch]"
		v := hw.Wire(m, "v", hw.Unsigned(8)) // want "wire v is not set when b is another value [latch]"
		for n := range p.B.Cases(0, 3) {
			switch n {
			case 0:
				w.Set(p.A)
				v.Set(p.A)
			case 3:
				v.Set(p.A)
			default:
				w.Set(p.A)
			}
		}
		for range p.B.Cases(16, 1, 1, -1) { // want "Cases: case 16 of b, which has 4 bits [range]" "Cases: case -1 of b" "Cases: 1 is given twice [when]"
		}
		for range p.B.Cases() { // want "Cases: no numbers are given; name those that are cases of their own [when]"
		}
		for range (hw.UInt{}).Cases(1) { // reported where it meets a module
		}
		p.Y.Set(w.Add(v))
	}},
	{"cases of numbers, left early", func(m *hw.Module, p pins) {
		p.Y.Set(p.A)
		for range p.B.Cases(1) { // want "Cases: the loop was left early; every case must run [when]"
			break
		}
	}},
	{"choices", func(m *hw.Module, p pins) {
		hw.OneHotMux(p.B, []hw.UInt{p.A, p.A})            // want "OneHotMux: b has 4 bits for 2 elements [width]" note "b is 4 bits wide"@b
		hw.PriorityMux(p.B, p.A, nil)                     // want "PriorityMux: b has 4 bits for 0 elements [width]"
		hw.OneHotMux(p.B.Trunc(2), []hw.UInt{p.A, p.B})   // want "OneHotMux: a has 8 bits, b has 4 [width]"
		hw.PriorityMux(p.B.Trunc(1), p.A, []hw.UInt{p.B}) // want "PriorityMux: b has 4 bits, a has 8 [width]"
		hw.Gate(p.C, hw.U(3))                             // want "Gate: the literal 3 has nothing to take its width from"
		hw.Reduce([]hw.UInt{}, hw.UInt.Add).Add(p.A)      // want "Reduce: of nothing [range]"
		hw.Reduce([]hw.UInt{p.A, p.B}, hw.UInt.Add)       // want "Add: a has 8 bits, b has 4 [width]"
		hw.Cat(p.A, nil)                                  // want "Cat: an operand is unset"
		hw.RisingEdge(m, "start", p.C, p.D)               // want "RisingEdge start_was: the value at the start, d, is not a literal [reset]" note "d is 1 bit wide"
		m.Scope("lane%d").Scope("x", 3)
		hw.Reg(m.Scope("lane%d"), "r", hw.Bit{}).Set(p.C) // want `"lane%d_r" is not a name`
		p.Y.Set(p.A)
	}},
}
