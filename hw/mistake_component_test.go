//hwvet:ignore -- these mistakes are deliberate

package hw_test

import (
	"etch/hw"
	"etch/ir"
)

// Components of their own, for what pins cannot show.
var componentMistakes = []failing{
	{"clocks mix", func() error { return build(crossing{}) }, false},
	{"clocks mix through instances", func() error { return build(crossing{Insts: true}) }, false},
	{"clocks mix in a memory", func() error { return build(crossing{Memory: true}) }, false},
	{"clocks mix in a combinational module", func() error {
		return build(hw.Func("comb", crossing{}.Ports(), func(m *hw.Module, p crossPorts) {
			a, b := hw.Delay(m.On(p.Wr), "a", p.In, 1), hw.SyncGray(m.On(p.Rd), "b", p.In)
			u := hw.Inst(m, "u", tangled, tangledPorts{A: a, B: a, X: a, Y: b}) // X and Y do not meet inside
			hw.Inst(m, "v", tangled, tangledPorts{A: a, B: b, X: a, Y: a})      // want "instance v mixes clocks rd_clk and wr_clk [clock]"
			hw.Delay(m.On(p.Wr), "c", u.OX, 1)
			hw.Delay(m.On(p.Wr), "d", u.OY, 1) // want "register d mixes clocks rd_clk and wr_clk [clock]"
			p.Y.Set(u.Sum)
		}))
	}, false},
	{"domains", func() error { return build(hw.Func("domains", crossing{}.Ports(), domainMistakes)) }, false},
	{"port without width", func() error {
		_, _, err := hw.Build(unsized{}) // want "Ports of unsized: out has no width; say hw.Unsigned(w), hw.Signed(w) or hw.EnumOf(…) [shape]"
		return err
	}, false},
	{"equal port names", func() error {
		_, _, err := hw.Build(sameNames{}) // want "the name data_in is taken in same_names [name]" note "first used here"@datain `"größe" is not a name`
		return err
	}, false},
	{"a clock by the name of the implicit one", func() error { return build(ownClock{}) }, false},
	{"black box", func() error { return build(box{}) }, false},
	{"module names", func() error { return build(hw.Func("names", pinShapes(), nameMistakes)) }, false},
	{"parameters of the top", func() error {
		_, _, err := hw.Build(picky{}) // want "picky: Width = 0, want 1..64 [param]" "picky: and more [param]"
		return err
	}, false},
	{"signal as port", func() error {
		return build(hw.Func("keep", pinShapes(), func(m *hw.Module, p pins) {
			p.Y.Set(p.A)
			hw.Inst(m, "u", keeper{p.A}) // want "Ports of keeper in: a is a value, not a shape" "Ports of keeper out: a is a value, not a shape"
		}))
	}, false},
	{"more than are kept", func() error {
		return build(hw.Func("limit", pinShapes(), func(m *hw.Module, p pins) {
			p.Y.Set(p.A)
			for i := range 1300 {
				m.Errorf("param", "mistake %d", i)
			}
		}))
	}, true},
}

type crossPorts struct {
	Wr hw.Domain
	Rd hw.Domain
	In hw.UInt
	Y  hw.UInt
}

// crossing takes a value from one clock to another without a synchroniser.
type crossing struct{ Insts, Memory bool }

func (crossing) Ports() crossPorts {
	return crossPorts{
		Wr: hw.In(hw.Domain{}), // at wr
		Rd: hw.In(hw.Domain{}), // at rd
		In: hw.In(hw.Unsigned(4)),
		Y:  hw.Out(hw.Unsigned(4)),
	}
}

func (c crossing) Build(m *hw.Module, p crossPorts) {
	wr, rd := m.On(p.Wr), m.On(p.Rd)
	switch {
	case c.Insts:
		a := hw.Inst(wr, "a", delayed{}, thruPorts{In: p.In})
		hw.Inst(rd, "b", delayed{}, thruPorts{In: a.Out, Out: p.Y}) // want "instance b mixes clocks rd_clk and wr_clk [clock]" note "wr_clk is declared here"@wr
	case c.Memory:
		ram := hw.Mem(wr, "ram", 16, hw.Unsigned(4))
		at := hw.Delay(rd, "at", p.In, 1)
		ram.Write(at, at) // want "a write to ram mixes clocks rd_clk and wr_clk [clock]"
		p.Y.Set(ram.Read(at))
	default:
		a, b := hw.Delay(wr, "a", p.In, 1), hw.Delay(rd, "b", hw.SyncGray(rd, "s", p.In), 1)
		p.Y.Set(a.Add(b))                    // want "add(a, b) mixes clocks rd_clk and wr_clk [clock]" note "rd_clk is declared here"@rd note "wr_clk is declared here"@wr note "hw.Sync brings a value across"
		r := hw.Reg(rd, "r", hw.Unsigned(4)) // want "register r mixes clocks rd_clk and wr_clk [clock]"
		r.Set(a)
		hw.Delay(rd, "sum", p.Y, 3) // nothing more is said of p.Y
		wr.Assert(b.Any(), "")      // want "a statement mixes clocks rd_clk and wr_clk [clock]"
	}
}

// delayed has a register on its implicit clock.
type delayed struct{}

func (delayed) Ports() thruPorts {
	return thruPorts{In: hw.In(hw.Unsigned(4)), Out: hw.Out(hw.Unsigned(4))}
}

func (delayed) Build(m *hw.Module, p thruPorts) {
	r := hw.Reg(m, "r", hw.Unsigned(4), hw.U(0))
	r.Set(p.In)
	p.Out.Set(r)
}

type tangledPorts struct {
	A, B, X, Y  hw.UInt
	Sum, OX, OY hw.UInt
}

// tangled adds A and B and passes X and Y, all without a clock.
var tangled = hw.Func("tangled", func() tangledPorts {
	in, out := hw.In(hw.Unsigned(4)), hw.Out(hw.Unsigned(4))
	return tangledPorts{in, in, in, in, out, out, out}
}(), func(m *hw.Module, p tangledPorts) {
	p.Sum.Set(p.A.Add(p.B))
	p.OX.Set(p.X)
	p.OY.Set(p.Y)
})

func domainMistakes(m *hw.Module, p crossPorts) {
	none := m.On(hw.Domain{})                            // want "On: the domain's clock is unset [clock]"
	m.On(hw.Domain{Clk: p.Wr.Clk, Rst: hw.AsyncReset()}) // want "On: a shape of 1 bit is not a signal [shape]"
	bare := m.On(hw.Domain{Clk: p.Wr.Clk})
	r := hw.Reg(bare, "r", hw.Unsigned(4), hw.U(0)) // want "Reg r: it has a reset value and its domain no reset [clock]"
	r.Set(p.In)
	q := hw.Delay(none, "q", p.In, 1)
	hw.Inst(bare, "u", delayed{}, thruPorts{In: p.In}) // want "Inst u: delayed needs a reset and the domain has none [clock]"
	p.Y.Set(q.Add(r))
}

type unsized struct{}

func (unsized) Ports() thruPorts                { return thruPorts{In: hw.In(hw.Unsigned(1))} }
func (unsized) Build(m *hw.Module, p thruPorts) {}

type namesPorts struct {
	Data struct{ In hw.Bit }
	// DataIn has the name that Data.In has in hardware.
	DataIn hw.Bit
	Größe  hw.Bit
	Out    hw.Bit `hw:"and"`
}

type sameNames struct{}

func (sameNames) Ports() (p namesPorts) {
	p.Data.In = hw.In(hw.Bit{}) // at datain
	p.DataIn = hw.In(hw.Bit{})
	p.Größe = hw.In(hw.Bit{})
	p.Out = hw.Out(hw.Bit{})
	return p
}

func (sameNames) Build(m *hw.Module, p namesPorts) { p.Out.Set(p.DataIn) }

type ownClockPorts struct {
	Clk hw.Clock
	In  hw.UInt
	Out hw.UInt
}

// ownClock has a port clk and still uses the implicit clock.
type ownClock struct{}

func (ownClock) Ports() ownClockPorts {
	return ownClockPorts{
		Clk: hw.In(hw.Clock{}), // at ownclk
		In:  hw.In(hw.Unsigned(4)),
		Out: hw.Out(hw.Unsigned(4)),
	}
}

func (ownClock) Build(m *hw.Module, p ownClockPorts) {
	p.Out.Set(hw.Delay(m, "r", p.In, 1)) // want "ownClock uses the implicit clock and reset, and has a port clk of its own [clock]" note "the port of that name"@ownclk
}

// box is a black box whose model uses a clock that the box does not have.
type box struct{}

func (box) Ports() thruPorts {
	return thruPorts{In: hw.In(hw.Unsigned(4)), Out: hw.Out(hw.Unsigned(4))}
}

func (box) Build(m *hw.Module, p thruPorts) {
	p.Out.Set(hw.Delay(m, "r", p.In, 1)) // want "box is a black box and has no implicit clock and reset [clock]" note "give it a port of type hw.Domain"
}

func (box) Verilog() hw.Verilog {
	return hw.Verilog{Module: "box", Params: []ir.Param{{Name: "W", Value: "4"}}}
}

// titled names its modules badly.
type titled struct{ N int }

func (c titled) ModuleName() string {
	if c.N < 0 {
		return "no name"
	}
	return "titled"
}

func (titled) Ports() thruPorts                { return pass.Ports() }
func (titled) Build(m *hw.Module, p thruPorts) { p.Out.Set(p.In) }

func nameMistakes(m *hw.Module, p pins) {
	hw.Inst(m, "i1", titled{1}, thruPorts{In: p.A})
	hw.Inst(m, "again", titled{1}, thruPorts{In: p.A})
	hw.Inst(m, "i2", titled{2}, thruPorts{In: p.A})  // want "ModuleName of titled: titled is another module already; other parameters need another name [name]"
	hw.Inst(m, "i3", titled{-1}, thruPorts{In: p.A}) // want `ModuleName of titled: "no name" is not a name`
	p.Y.Set(p.A)
}

// keeper holds a signal among its parameters and hands it out as a shape.
type keeper struct{ X hw.UInt }

func (k keeper) Ports() thruPorts                { return thruPorts{In: k.X, Out: k.X} }
func (k keeper) Build(m *hw.Module, p thruPorts) {}
