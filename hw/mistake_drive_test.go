//hwvet:ignore -- these mistakes are deliberate

package hw_test

import "etch/hw"

// Targets: what must be set, once, on every path, from the right side.
var driveMistakes = []mistake{
	{"nothing is set", func(m *hw.Module, p pins) {
		hw.Wire(m, "w", hw.Unsigned(8)) // want "wire w is never set [undriven]"
		hw.Reg(m, "r", hw.Unsigned(8))  // want "register r is never set [undriven]"
		hw.Inst(m, "u", pass)           // want "input in of u is never set [undriven]" note "the input of pass"@pass
		ram := hw.Mem(m, "ram", 16, hw.Bit{})
		ram.ReadPort(m, "r0", hw.Old)                          // want "read port r0 of ram is never used [undriven]"
		s := hw.Wire(m, "s", flipShape())                      // want "wire s_valid is never set" "wire s_ready is never set" "wire s_data is never set"
		hw.Set(hw.Wire(m, "t", flipShape()), hw.Like(s))       // want "Set: the target is a shape of 1 bit [target]" "Set: a shape of 1 bit is not a signal" "Set: a shape of 8 bits is not a signal"
		p.Y.Set(hw.Mux(p.C, p.A, hw.Reg(m, "w2", p.A.Lit(0)))) // want "register w2 is never set"
	}},
	{"an output is not set", func(m *hw.Module, p pins) {}}, // and see pinShapes: the line of the port
	{"latch", func(m *hw.Module, p pins) {
		w := hw.Wire(m, "w", hw.Unsigned(8)) // want "wire w is not set when c is low [latch]" note "set under a condition here"@latchw note "set it before the When, or in an Else"
		m.When(p.C, func() { w.Set(p.A) })   // at latchw
		p.Y.Set(w)
	}},
	{"latch of two conditions", func(m *hw.Module, p pins) {
		w := hw.Wire(m, "w", hw.Unsigned(8)) // want "wire w is not set when c is high and d is low [latch]"
		m.When(p.C, func() {
			m.When(p.D, func() { w.Set(p.A) })
		}).Else(func() { w.Set(hw.U(0)) })
		v := hw.Wire(m, "v", hw.Unsigned(8)) // want "wire v is not set when c is low and d is low [latch]"
		m.When(p.C, func() { v.Set(p.A) }).ElseWhen(p.D, func() { v.Set(p.A) })
		x := hw.Wire(m, "x", hw.Unsigned(8)) // want "wire x is not set when a < 3 is low [latch]"
		m.When(p.A.Lt(hw.U(3)), func() { x.Set(p.A) })
		p.Y.Set(w.Add(v).Add(x))
	}},
	{"latch in a case", func(m *hw.Module, p pins) {
		state := hw.Reg(m, "state", phases(), hw.Val(idle))
		line := hw.Wire(m, "line", hw.Bit{}) // want "wire line is not set when state is busy and c is low [latch]"
		word := hw.Wire(m, "word", hw.Bit{}) // want "wire word is not set when state is last [latch]"
		for s := range state.Cases() {
			switch s {
			case idle:
				state.Goto(busy)
				line.Set(p.C)
				word.Set(p.C)
			case busy:
				m.When(p.C, func() { line.Set(p.D) })
				word.Set(p.D)
			case last:
				line.Set(p.D)
			}
		}
		p.Y.Set(hw.Cat(line.UInt(), word.UInt()).Extend(8))
	}},
	{"latch through an index", func(m *hw.Module, p pins) {
		v := hw.Wire(m, "v", hw.VecOf(2, hw.Unsigned(8))) // want "wire v_0 is not set when b == 0 is low [latch]" "wire v_1 is not set when b == 1 is low [latch]"
		v.At(p.B).Set(p.A)
		p.Y.Set(v[0].Add(v[1]))
	}},
	{"set through an index", func(m *hw.Module, p pins) {
		v := hw.Wire(m, "v", hw.VecOf(9, hw.Unsigned(8)))
		v.At(p.B).Set(p.B)       // want "Set: an element chosen by b has 8 bits, b has 4 [width]" note "b is 4 bits wide"@b
		v.At(p.B).Set(hw.U(256)) // want "Set: 256 does not fit unsigned of 8 bits [literal]"
		p.Y.Set(v[0])
	}},
	{"latch of an instance's input", func(m *hw.Module, p pins) {
		u := hw.Inst(m, "u", pass) // want "input in of u is not set when c is low [latch]" note "the input of pass"@pass note "it is set under"@latchu
		m.When(p.C, func() {
			u.In.Set(p.A) // at latchu
		})
		p.Y.Set(u.Out)
	}},
	{"set twice", func(m *hw.Module, p pins) {
		p.Y.Set(p.A)     // at twice
		p.Y.Set(hw.U(0)) // want "Set: y is already set in this block, and that is lost [twice]" note "first set here"@twice
		w := hw.Wire(m, "w", hw.Unsigned(8))
		m.When(p.C, func() { w.Set(p.A) }) // at twicew
		w.Set(p.A)                         // want "Set: w is already set under a condition in this block" note "first set under a condition here"@twicew
		m.When(p.C, func() {
			w.Set(p.A)
			w.Set(p.B.Extend(8)) // want "Set: w is already set in this block"
		})
		d := hw.Delay(m, "dd", p.A, 1)
		d.Set(p.A) // want "Set: dd is already set in this block"
	}},
	{"the wrong direction", func(m *hw.Module, p pins) {
		p.A.Set(p.Y) // want "Set: a is an input of dut; only its parent drives it [direction]" note "a is declared here"@a note "the other way round: y.Set(a)"
	}},
	{"an instance's output", func(m *hw.Module, p pins) {
		u := hw.Inst(m, "u", pass, thruPorts{In: p.A})      // at uout
		u.Out.Set(p.A)                                      // want "Set: u.out is an output of an instance [direction]" note "u.out is declared here"@uout
		hw.Inst(m, "v", pass, thruPorts{In: p.A, Out: p.B}) // want "Inst v: b is an input of dut; only its parent drives it [direction]"
		p.Y.Set(u.Out)
	}},
	{"set a value", func(m *hw.Module, p pins) {
		p.A.Not().Set(p.A)      // want "Set: !(a) is a value; only registers, wires, outputs and inputs of instances can be set [target]"
		hw.U(3).Set(p.A)        // want "Set: the target is 3 [target]"
		hw.Unsigned(8).Set(p.A) // want "Set: the target is a shape of 8 bits [target]"
		hw.UInt{}.Set(p.A)      // want "Set: the target is unset (a zero value of its type) [unset]"
		p.Y.Set(p.A)
	}},
	{"loop", func(m *hw.Module, p pins) {
		w := hw.Wire(m, "w", hw.Unsigned(8)) // want "combinational loop: w <- next <- w [loop]" note "next is on the loop"@loopnext
		w.Set(w.Inc().Named("next"))         // at loopnext
		p.Y.Set(w)
	}},
	{"loop through outputs", func(m *hw.Module, p pins) {
		w := hw.Wire(m, "w", hw.Unsigned(8)) // at loopw
		p.Y.Set(w)
		w.Set(p.Y)
	}},
	{"loop through an instance", func(m *hw.Module, p pins) {
		u := hw.Inst(m, "u", pass) // want "combinational loop: u.out <- u.out [loop]"
		u.In.Set(u.Out)
		p.Y.Set(u.Out)
	}},
	{"loop through a memory", func(m *hw.Module, p pins) {
		ram := hw.Mem(m, "ram", 256, hw.Unsigned(8), hw.Contents(1))
		at := hw.Wire(m, "at", hw.Unsigned(8)) // want "combinational loop: at <- at [loop]"
		at.Set(ram.Read(at))
		p.Y.Set(at)
	}},
	{"two write ports", func(m *hw.Module, p pins) {
		ram := hw.Mem(m, "ram", 16, hw.Unsigned(8))
		w := ram.WritePort(m, "w")
		w.Write(p.B, p.A)                         // at port
		m.When(p.C, func() { w.Write(p.B, p.A) }) // want "Write: port w of ram may be in use by another write at the same time [port]" note "the other write is here"@port
		p.Y.Set(p.A)
	}},
	{"else out of place", func(m *hw.Module, p pins) {
		w := hw.Wire(m, "w", hw.Unsigned(8), hw.U(0))
		ch := m.When(p.C, func() { w.Set(p.A) }) // at chain
		p.Y.Set(w)
		ch.ElseWhen(p.D, func() { // want "ElseWhen: it must follow its When at once, and nothing may follow Else [when]" note "the When is here"@chain
			w.Set(p.B) // want "Set: w has 8 bits, b has 4 [width]"
			m.Printf("here")
		})
		other := m.When(p.D, func() {})
		other.Else(func() {})
		other.Else(func() {})                         // want "Else: it must follow its When at once, and nothing may follow Else [when]"
		m.When(p.C, func() { other.Else(func() {}) }) // want "Else: it must follow its When at once"
		m.When(p.C, nil)                              // want "When: there is no body [when]"
	}},
	{"cases left early", func(m *hw.Module, p pins) {
		state := hw.Reg(m, "state", phases(), hw.Val(idle))
		for s := range state.Cases() { // want "Cases: the loop was left early; every case must run [when]"
			state.Goto(busy)
			p.Y.Set(p.A)
			if s == busy {
				break
			}
		}
	}},
	{"reset with a signal", func(m *hw.Module, p pins) {
		r := hw.Reg(m, "r", hw.Unsigned(8), p.A) // want "Reg r: the value at the start, a, is not a literal [reset]" note "a is 8 bits wide"@a
		r.Set(p.A)
		v := hw.RegInit(m, "v", hw.Unsigned(8), p.A) // want "RegInit v: the value at the start, a, is not a literal [reset]"
		v.Set(p.A)
		s := hw.Reg(m, "rs", hw.Unsigned(8), hw.U(256)) // want "Reg: 256 does not fit unsigned of 8 bits [literal]"
		s.Set(p.A)
		p.Y.Set(r)
	}},
}

type phase string

const (
	idle phase = "idle"
	busy phase = "busy"
	last phase = "last"
)

func phases() hw.Enum[phase] { return hw.EnumOf(idle, busy, last) }

// flipped is a bundle with a field that travels against it.
type flipped struct {
	Valid hw.Bit
	Ready hw.Bit
	Data  hw.UInt
}

func flipShape() flipped {
	return flipped{Ready: hw.Flip(hw.Bit{}), Data: hw.Unsigned(8)}
}

type thruPorts struct {
	In  hw.UInt
	Out hw.UInt
}

// pass hands its input on.
var pass = hw.Func("pass", thruPorts{
	In:  hw.In(hw.Unsigned(8)), // at pass
	Out: hw.Out(hw.Unsigned(8)),
}, func(m *hw.Module, p thruPorts) { p.Out.Set(p.In) })
