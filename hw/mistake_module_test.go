//hwvet:ignore -- these mistakes are deliberate

package hw_test

import (
	"errors"
	"fmt"
	"slices"

	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/stream"
)

// Modules, instances, clocks.
var moduleMistakes = []mistake{
	{"of another module", func(m *hw.Module, p pins) {
		var leak pins
		var leakMod *hw.Module
		var leakRAM *hw.Memory[hw.UInt]
		outer := hw.Mem(m, "outer", 16, hw.Unsigned(8))
		inner := dut(func(m *hw.Module, q pins) {
			leak, leakMod = q, m
			leakRAM = hw.Mem(m, "ram", 16, hw.Unsigned(8))
			outer.ReadPort(m, "r", hw.Old) // want "ReadPort: outer belongs to module dut, not to dut_2 [module]"
			q.Y.Set(q.A.Add(p.A))          // want "Add: a belongs to module dut, not to dut_2 [module]" note "a is declared here"@a
		})
		hw.Inst(m, "u", inner, p.inputs())
		p.Y.Set(leak.A)                   // want "Set: a belongs to the finished module dut_2, not to dut [module]" note "a is declared here"@a
		leak.Y.Set(p.A)                   // want "Set: module dut_2 is finished; y cannot be set any more [module]"
		leak.A.Add(leak.A)                // want "Add: a belongs to the finished module dut_2 [module]"
		hw.Reg(leakMod, "r", hw.Bit{})    // want "Reg r: module dut_2 is finished [module]"
		hw.Inst(leakMod, "v", pass)       // want "Inst v: module dut_2 is finished [module]"
		hw.Mem(leakMod, "x", 4, hw.Bit{}) // want "Mem x: module dut_2 is finished [module]"
		leakMod.When(p.C, func() {})      // want "When: module dut_2 is finished [module]"
		leakMod.Assert(p.C, "")           // want "Assert: module dut_2 is finished [module]"
		leakMod.On(hw.Domain{})           // want "On: module dut_2 is finished [module]"
		hw.Named(leakMod, "n", p.A)       // want "Named n: module dut_2 is finished [module]"
		leak.A.Named("n").Add(p.A)        // want "Named: a belongs to the finished module dut_2"
		leakRAM.Read(p.B)                 // want "Read: ram belongs to the finished module dut_2 [module]"
		leakRAM.Write(p.B, p.A)           // want "Write: ram belongs to the finished module dut_2 [module]"
		leakRAM.WritePort(m, "w")         // want "WritePort: ram belongs to the finished module dut_2 [module]"
		leakMod.Domain()                  // want "Domain: module dut_2 is finished [module]"
	}},
	{"parameters", func(m *hw.Module, p pins) {
		bad := hw.Inst(m, "bad", picky{Width: -1}) // want "picky: Width = -1, want 1..64 [param]" "picky: and more [param]"
		bad.In.Set(p.A)
		hw.Inst(m, "again", picky{Width: -1}, thruPorts{In: p.A, Out: p.Y})
		m.Errorf("param", "of %d things", 3) // want "of 3 things [param]"
		wide := goodKnobs()
		wide.Width, wide.Lanes = 65, 3
		hw.Inst(m, "wide", wide, thruPorts{In: p.A}) // want "knobs: Width = 65, want 1 to 64 [param]" "knobs: Lanes = 3, want 1, 2 or 4 [param]"
	}},
	{"a component in itself", func(m *hw.Module, p pins) {
		p.Y.Set(hw.Inst(m, "u", nested{Self: true}, thruPorts{In: p.A}).Out)
		hw.Inst(m, "v", nested{Depth: 1}, thruPorts{In: p.A})
	}},
	{"directions of ports", func(m *hw.Module, p pins) {
		hw.Inst(m, "u", undirected{}, thruPorts{In: p.C.UInt()}) // want "Ports of undirected: out has no direction; wrap it in hw.In or hw.Out, or tag"
		p.Y.Set(p.A)
	}},
	{"helpers and generics", func(m *hw.Module, p pins) {
		half := sumOf(p.A, p.B) // at sum
		p.Y.Set(choose(p.C, half, p.A))
		choose(p.C, p.A, p.B)     // at choose
		deep(m, p, 3)             // at deep
		each(p, func(x hw.UInt) { // at each
			x.Add(p.A) // want "Add: b has 4 bits, a has 8 [width]" via callback via each
		})
		m.When(p.C, func() {
			m.When(p.D, func() {
				p.A.Bit(9) // want "Bit: bit 9 of a"
			})
		})
		kind[hw.UInt]{p.A}.grow(m) // at kind
	}},
	{"packages of the language", func(m *hw.Module, p pins) {
		s := hw.Wire(m, "st", stream.Of(hw.Unsigned(8))) // at st // want "wire st_ready is never set [undriven]"
		s.Send(p.C, p.B)                                 // want "Set: st_data has 8 bits, b has 4 [width]" note "st_data is 8 bits wide"@st
		x := fixed.FromInt(p.S)
		x.Add(x).Mul(fixed.Q(2, 2).Lit(9))         // want "Extend: 36 does not fit signed of 4 bits [literal]"
		hw.Set(hw.Wire(m, "fx", fixed.Q(4, 4)), x) // want "Set: Num.frac is 4 on one side and 0 on the other [bundle]"
		p.Y.Set(p.A)
	}},
	{"many in one place", func(m *hw.Module, p pins) {
		for i := range 3 {
			p.A.Bit(8 + i) // want "Bit: bit 8 of a" "Bit: bit 9 of a" "Bit: bit 10 of a"
			p.A.Bit(11)    // want "Bit: bit 11 of a"
		}
		p.Y.Set(p.A)
	}},
	{"no cascades", func(m *hw.Module, p pins) {
		x := p.A.Add(p.B) // want "Add: a has 8 bits, b has 4"
		y := x.Mul(p.B).Trunc(3).Extend(9).AsSigned().Abs().PopCount()
		z := hw.Mux(x.Is(3), y.Bit(2), x.All()).Named("z")
		m.When(z, func() { p.Y.Set(x) }).Else(func() { p.Y.Set(x.Inc()) })
		r := hw.Reg(m, "r", hw.Like(x), x.Lit(3))
		r.Set(hw.Cat(x, p.B).RotL(2))
		s := hw.Reg(m, "es", phases(), hw.Val(idle))
		t := hw.Mux(z, s, hw.Val[phase]("odd")) // want "Mux: odd is not one of"
		w := hw.Wire(m, "w", hw.Bit{})
		for v := range t.Cases() {
			s.Goto(v)
			w.Set(x.Bit(20))
			p.A.Bit(20) // want "Bit: bit 20 of a"
		}
		ram := hw.Mem(m, "ram", 0, thruPorts{In: hw.Unsigned(2), Out: hw.Unsigned(3)}) // want "Mem ram: 0 elements of 5 bits"
		got := ram.Read(x)
		ram.Write(got.In, got)
		ram.WritePort(m, "w").WriteMask(x, got, p.A)
		ram.SyncRead("s", x, hw.Old).In.Add(p.A)
		u := hw.Inst(m, "u", picky{Width: 99}, thruPorts{In: x}) // want "picky: Width = 99" "picky: and more"
		u.In.Set(u.Out)
		for _, b := range x.BitVec() {
			m.Assert(b, "%d", x)
		}
	}},
	{"a panic first", func(m *hw.Module, p pins) {
		p.Y.Set(p.A)
		table := make([]int, 4)
		_ = table[p.A.Width()] // want "dut panicked: runtime error: index out of range [8] with length 4 [panic]"
	}},
	{"a panic of a nil memory", func(m *hw.Module, p pins) {
		var none *hw.Memory[hw.UInt]
		none.Write(p.A, p.A) // want "dut panicked: runtime error: invalid memory address or nil pointer dereference [panic]" note "it was given a nil module, memory or port"
	}},
	{"a panic in a sort", func(m *hw.Module, p pins) {
		slices.SortFunc([]int{2, 1}, func(x, y int) int { // at sorting
			panic("cannot compare") // want "dut panicked: cannot compare [panic]" via sorting
		})
	}},
	{"a stray Set after others", func(m *hw.Module, p pins) {
		var d struct{ r hw.UInt }
		p.Y.Set(p.A.Add(p.B)) // want "Add: a has 8 bits, b has 4"
		d.r.Set(hw.U(1))      // want "Set: the target is unset (a zero value of its type) [unset]"
		p.B.Set(p.B)          // the Build has stopped
	}},
	{"a stray Goto", func(m *hw.Module, p pins) {
		var d struct{ state hw.Enum[string] }
		d.state.Goto("idle") // want "Goto: the target is unset (a zero value of its type) [unset]"
	}},
	{"a stray Set of a bundle", func(m *hw.Module, p pins) {
		hw.Set(hw.Unsigned(4), hw.U(3)) // want "Set: the target is a shape of 4 bits [target]"
	}},
	{"stray Cases", func(m *hw.Module, p pins) {
		var d struct{ state hw.Enum[string] }
		for range d.state.Cases() { // want "Cases: an operand is unset (a zero value of its type) [unset]"
			p.Y.Set(p.A)
		}
	}},
	{"a stray Set below", func(m *hw.Module, p pins) {
		u := hw.Inst(m, "u", hw.Func("below", thruPorts{In: hw.In(hw.Unsigned(8)), Out: hw.Out(hw.Unsigned(8))}, func(m *hw.Module, q thruPorts) {
			helpless(hw.UInt{}) // at helpless
			q.Out.Set(q.In)
		}), thruPorts{In: p.A})
		p.Y.Set(u.Out)
	}},
	{"a panic after a mistake", func(m *hw.Module, p pins) {
		w := hw.Wire(m, "w", hw.Unsigned(8))
		m.When(p.C, func() {
			w.Set(p.A.Add(p.B)) // want "Add: a has 8 bits"
			table := make([]int, 4)
			_ = table[p.A.Width()] // want "dut panicked: runtime error: index out of range [8] with length 4 [panic]" note "most likely because of a mistake above"
		})
	}},
}

// helpless sets a target in a helper.
func helpless(x hw.UInt) {
	x.Set(hw.U(3)) // want "Set: the target is unset (a zero value of its type) [unset]" via helpless
}

// inputs are p's inputs, for an instance.
func (p pins) inputs() pins { return pins{A: p.A, B: p.B, S: p.S, C: p.C, D: p.D} }

func sumOf(x, y hw.UInt) hw.UInt {
	return x.Add(y) // want "Add: a has 8 bits, b has 4 [width]" via sum
}

func choose[T any](c hw.Bit, x, y T) T {
	return hw.Mux(c, x, y) // want "Mux: a has 8 bits, b has 4 [width]" via choose
}

func deep(m *hw.Module, p pins, n int) {
	if n > 0 {
		deep(m, p, n-1) // at deeper
		return
	}
	m.When(p.C, func() {
		p.A.Trunc(20) // want "Trunc: bits 19..0 of a" via deeper via deeper via deeper via deep
	})
}

func each(p pins, f func(hw.UInt)) {
	f(p.B) // at callback
}

// kind is a generic helper with a method.
type kind[T any] struct{ X T }

func (k kind[T]) grow(m *hw.Module) {
	hw.Reg(m, "kind", k.X) // want "Reg kind: a is a value" via kind
}

// picky checks its parameters.
type picky struct{ Width int }

func (c picky) Validate() error {
	if c.Width < 1 || c.Width > 64 {
		return errors.Join(fmt.Errorf("Width = %d, want 1..64", c.Width), errors.New("and more"))
	}
	return nil
}

func (c picky) Ports() thruPorts {
	_ = make([]int, c.Width) // panics where Validate fails
	return thruPorts{In: hw.In(hw.Unsigned(c.Width)), Out: hw.Out(hw.Unsigned(c.Width))}
}

func (c picky) Build(m *hw.Module, p thruPorts) { p.Out.Set(p.In) }

// nested instantiates itself, or ever deeper ones.
type nested struct {
	Self  bool
	Depth int
}

func (c nested) Ports() thruPorts {
	return thruPorts{In: hw.In(hw.Unsigned(8)), Out: hw.Out(hw.Unsigned(8))}
}

func (c nested) Build(m *hw.Module, p thruPorts) {
	next := c
	if !c.Self {
		next.Depth++
	}
	for i := range 2 {
		hw.Inst(m, hw.Name("u", i), next, thruPorts{In: p.In}) // want "nested contains itself [param]" "nested: instances nested more than 64 deep [param]"
	}
	p.Out.Set(p.In)
}

type undirected struct{}

func (undirected) Ports() thruPorts {
	return thruPorts{In: hw.In(hw.Unsigned(1)), Out: hw.Unsigned(1)}
}

func (undirected) Build(m *hw.Module, p thruPorts) {}
