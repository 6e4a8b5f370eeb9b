//hwvet:ignore -- these mistakes are deliberate

package hw_test

import "etch/hw"

// pins are the ports that most cases use.
type pins struct {
	A, B hw.UInt
	S    hw.SInt
	C, D hw.Bit
	Y    hw.UInt
}

func pinShapes() pins {
	return pins{
		A: hw.In(hw.Unsigned(8)), // at a
		B: hw.In(hw.Unsigned(4)), // at b
		S: hw.In(hw.Signed(8)),
		C: hw.In(hw.Bit{}),
		D: hw.In(hw.Bit{}),
		Y: hw.Out(hw.Unsigned(8)), // at y // want "output y is never set [undriven]" "combinational loop: y <- w <- y [loop]" note "y is on the loop"@y note "w is on the loop"@loopw
	}
}

// dut is a component with pins.
func dut(body func(m *hw.Module, p pins)) hw.Component[pins] {
	return hw.Func("dut", pinShapes(), body)
}

// Shapes, bundles, enumerations, names.
var formMistakes = []mistake{
	{"unset operands", func(m *hw.Module, p pins) {
		p.A.Add(hw.UInt{})                           // want "Add: an operand is unset (a zero value of its type) [unset]"
		hw.UInt{}.Add(p.A)                           // want "Add: an operand is unset"
		m.When(hw.Bit{}, func() { p.Y.Set(p.A) })    // want "When: an operand is unset"
		hw.UInt{}.Lit(3).Add(p.A)                    // want "Lit: an unset value has no width [unset]"
		hw.Reg(m, "r", hw.Bit{}).Set(hw.Bit{}.Not()) // want "Not: an operand is unset"
		hw.Set(p.Y, hw.UInt{}.Add(hw.U(3)))          // want "Add: an operand is unset"
	}},
	{"shapes as signals", func(m *hw.Module, p pins) {
		width := hw.Unsigned(8) // at width
		p.Y.Set(p.A.Add(width)) // want "Add: a shape of 8 bits is not a signal [shape]" note "the shape is written here"@width
		width.Inc().Add(p.A)    // want "Inc: a shape of 8 bits is not a signal"
		p.A.ShlBy(width)        // want "ShlBy: a shape of 8 bits is not a signal"
	}},
	{"signals as shapes", func(m *hw.Module, p pins) {
		r := hw.Reg(m, "r", p.A)                                // want "Reg r: a is a value, not a shape; hw.Like(x) is its shape, hw.Delay registers it [shape]" note "a is 8 bits wide"@a
		w := hw.Wire(m, "w", struct{ X hw.UInt }{p.A.Add(p.A)}) // want "Wire w_x: add(a, a) is a value, not a shape"
		hw.Reg(m, "v", hw.VecOf(2, p.A))                        // want "VecOf: a is a value, not a shape; hw.Like(x) is its shape, hw.Fill(n, x) holds it n times [shape]" note "a is 8 bits wide"@a
		hw.Reg(m, "w", hw.VecOf(2, hw.U(0)))                    // want "VecOf: 0 is a value, not a shape; hw.Fill(n, x) holds it n times [shape]"
		p.Y.Set(r.Add(w.X))
	}},
	{"no width", func(m *hw.Module, p pins) {
		r := hw.Reg(m, "r", thruPorts{})                   // want "Reg: r_in has no width; say hw.Unsigned(w), hw.Signed(w) or hw.EnumOf(…) [shape]" "Reg: r_out has no width"
		hw.Reg(m, "below", hw.Unsigned(-2))                // at below // want "Reg: below has -2 bits [shape]" note "the shape is written here"@below
		hw.Reg(m, "above", hw.Unsigned(1<<21))             // want "Reg: above has 2097152 bits, more than the 1048576 that a value can have [shape]"
		hw.Mem(m, "ram", 4, thruPorts{In: hw.Unsigned(3)}) // want "Mem ram: out has no width"
		hw.Mem(m, "nil", 4, struct{}{})                    // want "Mem nil: an element of no bits [shape]"
		hw.Unpack(thruPorts{}, p.A)                        // want "Unpack: a part of the shape has no width"
		p.Y.Set(r.In)
	}},
	{"bundles of two forms", func(m *hw.Module, p pins) {
		v := hw.Wire(m, "v", hw.VecOf(3, hw.Bit{}))
		hw.Set(v, hw.Vec[hw.Bit]{p.C, p.D})                         // want "Set: the vector has 3 elements on one side and 2 on the other [bundle]"
		hw.Mux(p.C, v, v[:2])                                       // want "Mux: the vector has 3 elements on one side and 2 on the other [bundle]"
		p.Y.Set(point{p.A, 3}.plus(m, point{p.A, 4}).X)             // at plus
		hw.Reg(m, "r", point{hw.Unsigned(8), 3}, point{hw.U(0), 4}) // want "Reg r: point.frac is 3 on one side and 4 on the other"
		ram := hw.Mem(m, "ram", 16, point{hw.Unsigned(8), 3})
		ram.Write(p.B, point{p.A, 4}) // want "Write: point.frac is 4 on one side and 3 on the other"
	}},
	{"types that are no hardware", func(m *hw.Module, p pins) {
		hw.Reg(m, "h", hidden{X: hw.Unsigned(1), y: hw.Unsigned(1)}) // want "Reg h: field y of hidden holds a signal and must be exported [bundle]"
		hw.Pack(viaPointer{&p.A}).Add(p.A)                           // want "Pack: field X of viaPointer is a ptr and holds signals; only structs, slices and arrays can [bundle]"
		hw.Mux(p.C, viaAny{p.A}, viaAny{p.A})                        // want "Mux: field X of viaAny is an hw.Signal; its kind must be known [bundle]"
		hw.Wire(m, "list", list{X: hw.Unsigned(1)})                  // want "Wire list: list contains itself [bundle]"
		hw.Wire(m, "byte", octet(hw.Unsigned(8)))                    // want "Wire byte: octet is defined as a kind of hw; embed the kind in a struct instead [bundle]"
		hw.Unpack(list{}, p.A)                                       // want "Unpack: list contains itself"
		hw.Mem(m, "mem", 4, list{})                                  // want "Mem mem: list contains itself"
		p.Y.Set(p.A)
		hw.Set(list{X: p.Y}, list{X: p.A}) // want "Set: list contains itself"
		hw.Named(m, "l", list{X: p.A})     // want "Named l: list contains itself"
	}},
	{"enumerations", func(m *hw.Module, p pins) {
		s := hw.Reg(m, "es", phases())
		s.Goto("lost")                                     // want "Goto: lost is not one of idle, busy, last [literal]"
		p.Y.Set(hw.Mux(s.Is("gone"), p.A, p.A))            // want "Is: gone is not one of idle, busy, last [literal]"
		other := hw.Reg(m, "other", hw.EnumOf(idle, busy)) // at other
		other.Set(hw.Val(busy))
		s.Eq(hw.Mux(p.C, s, s))
		hw.Reg(m, "none", hw.EnumOf[phase]())                         // want "EnumOf: an enumeration has at least one value [enum]"
		hw.Reg(m, "equal", hw.EnumOf(idle, busy, idle))               // want "EnumOf: a second value idle [enum]"
		bad := hw.Wire(m, "bad", hw.EnumOf(idle, last, busy))         // at bad
		bad.Set(s)                                                    // want "Set: bad and es hold different sets of phase [enum]" note "bad is 2 bits wide"@bad
		bad.Eq(s)                                                     // want "Eq: bad and es hold different sets of phase [enum]"
		other.Eq(s)                                                   // want "Eq: other has 1 bit, es has 2 [width]" note "other is 1 bit wide"@other
		for range hw.Unpack(hw.Enum[phase]{}, p.B.Trunc(2)).Cases() { // want "Unpack: a part of the shape has no width"
		}
		p.A.Add(hw.Val(idle).Bits()) // want "Add: idle meets no enumeration [literal]"
	}},
	{"names", func(m *hw.Module, p pins) {
		for range 2 {
			hw.Delay(m, "old_a", p.A, 1) // at olda // want "the name old_a is taken in dut [name]" note "first used here; in a loop, use m.Scope or hw.Name"@olda
		}
		hw.Delay(m, "a b", p.A, 1)                // want `"a b" is not a name: use letters, digits and _, a letter or _ first [name]`
		hw.Delay(m, "1st", p.A, 1)                // want `"1st" is not a name`
		hw.Delay(m, "", p.A, 1)                   // want `"" is not a name`
		p.B.Not().Named("clk")                    // want "the name clk is taken in dut by the implicit clock and reset [name]"
		p.B.Inc().Named("a")                      // want "the name a is taken in dut [name]" note "first used here"@a
		p.B.Dec().Named("y")                      // want "Named: y has the name of an output that it does not drive [name]" note "the output"@y note "it is set to a here"@yset note "give it another name, or Set the output to it, once and under no condition"
		p.A.Not().Named("x")                      // at x
		p.A.Inc().Named("x")                      // want "the name x is taken in dut" note "first used"@x
		hw.Mem(m, "x", 4, hw.Bit{})               // want "the name x is taken in dut" note "first used"@x
		hw.Inst(m, "u", pass, thruPorts{In: p.A}) // at u
		hw.Inst(m, "u", pass, thruPorts{In: p.A}) // want "the name u is taken in dut" note "first used"@u
		m.Cover(p.C, "x")                         // want "the name x is taken in dut" note "first used"@x
		p.Y.Set(p.A)                              // at yset
	}},
	{"names that give way are taken too", func(m *hw.Module, p pins) {
		hw.Inst(m, "v", pass, thruPorts{In: p.A})   // want "the names v and v_inst are both taken in dut [name]" note "the name v"@v note "the name v_inst"@vinst note "give one of the three another name"
		p.A.Not().Named("v")                        // at v
		p.A.Inc().Named("v_inst")                   // at vinst
		p.A.Dec().Named("y_reg")                    // at yreg
		hw.Reg(m, "y", hw.Unsigned(4)).Set(p.B)     // want "the names y and y_reg are both taken in dut [name]" note "the name y"@y note "the name y_reg"@yreg
		hw.Inst(m, "clk", pass, thruPorts{In: p.A}) // which has the name clk_inst
		p.Y.Set(p.A)
	}},
}

// point is a user's kind: a number with a binary point.
type point struct {
	X    hw.UInt
	frac int
}

func (x point) plus(m *hw.Module, y point) point {
	sum := hw.Wire(m, "sum", point{hw.Like(x.X), x.frac})
	hw.Set(sum, y) // want "Set: point.frac is 3 on one side and 4 on the other [bundle]" via plus
	return sum
}

type hidden struct{ X, y hw.UInt }

type viaPointer struct{ X *hw.UInt }

type viaAny struct{ X hw.Signal }

type list struct {
	X    hw.UInt
	Rest []list
}

type octet hw.UInt
