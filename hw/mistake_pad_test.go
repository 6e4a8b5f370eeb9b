//hwvet:ignore -- these mistakes are deliberate

package hw_test

import "etch/hw"

// bus is a pad of one bit and one of eight.
type bus struct {
	En  hw.Bit
	SDA hw.Pad[hw.Bit]
	D   hw.Pad[hw.UInt]
}

func busShapes() bus {
	return bus{
		En:  hw.In(hw.Bit{}),
		SDA: hw.InOut(hw.Bit{}, hw.PullUp), // want "combinational loop: sda <- sda [loop]"
		D:   hw.InOut(hw.Unsigned(8)),
	}
}

// padCell drives its pad while Clk is high.
type padCell struct{}

func (padCell) Ports() bus { return busShapes() }

func (padCell) Build(m *hw.Module, p bus) {
	p.SDA.DriveLow(p.En)
	p.D.Drive(hw.U(7), p.En)
}

// pulled is a pad with a pull to low.
var pulled = hw.Func("pulled", struct{ Line hw.Pad[hw.Bit] }{hw.InOut(hw.Bit{}, hw.PullDown)}, func(*hw.Module, struct{ Line hw.Pad[hw.Bit] }) {})

var foreignPad hw.Pad[hw.Bit]

var padMistakes = []struct {
	name string
	body func(m *hw.Module, p bus)
}{
	{"a pad is no value", func(m *hw.Module, p bus) {
		hw.Reg(m, "r", p.SDA)                                // want "Reg r: sda is a pad, which only ports and hw.Net are; a register or wire takes its Value() [pad]"
		hw.Wire(m, "w", hw.InOut(hw.Bit{}))                  // want "Wire w: the shape of a pad of 1 bit is a pad"
		hw.Delay(m, "d1", p.SDA, 1)                          // want "Delay d1: sda is a pad"
		hw.Mux(p.En, p.SDA, p.SDA)                           // want "Mux: sda is a pad, not a value; Value() reads it, Drive drives it" note "sda is declared here"
		hw.Set(p.SDA, p.SDA)                                 // want "Set: sda is a pad, not a value"
		hw.Pack(p)                                           // want "Pack: sda is a pad, not a value" "Pack: d is a pad, not a value"
		hw.Mem(m, "ram", 4, p.SDA)                           // want "Mem ram : the shape of a pad of 1 bit is a pad"
		hw.Named(m, "other", p.SDA)                          // want "Named: sda is a pad, not a value"
		m.Printf("%d", p.D)                                  // want "Printf: d is a pad, not a value"
		hw.Vec[hw.Pad[hw.Bit]]{p.SDA, p.SDA}.At(p.D.Value()) // want "At: sda is a pad, not a value"
	}},
	{"driven wrongly", func(m *hw.Module, p bus) {
		p.D.Drive(hw.U(256), p.En)            // want "Drive: 256 does not fit unsigned of 8 bits [literal]"
		p.D.Drive(p.D.Value().Trunc(4), p.En) // want "Drive: d has 8 bits, d[3:0] has 4 [width]"
		p.SDA.Drive(hw.Bit{}, p.En)           // want "Drive: an operand is unset"
		p.SDA.DriveLow(hw.Bit{})              // want "DriveLow: an operand is unset"
		var none hw.Pad[hw.Bit]
		none.Drive(p.SDA.Value(), p.En)      // want "Drive: the pad is unset (a zero value of its type); hw.InOut makes the shape of one, hw.Net one inside of a module [unset]"
		p.SDA.DriveLow(none.Value())         // want "Value: the pad is unset"
		hw.InOut(hw.Bit{}).Drive(p.En, p.En) // want "Drive: the shape of a pad of 1 bit is not a pad of a module [shape]"
	}},
	{"a value that depends on itself", func(m *hw.Module, p bus) {
		p.SDA.Drive(p.SDA.Value().Not(), p.En)
	}},
	{"a loop through an instance", func(m *hw.Module, p bus) {
		n := hw.Net(m, "n", hw.Bit{}) // want "combinational loop"
		hw.Inst(m, "c", padCell{}, bus{En: n.Value(), SDA: n})
	}},
	{"nets", func(m *hw.Module, p bus) {
		hw.Net(m, "a", hw.Bit{}, hw.PullUp, hw.PullDown) // want "Net a: it is pulled one way, not up and down [pad]"
		hw.Net(m, "sda", hw.Bit{})                       // want "the name sda is taken in"
		hw.Net(m, "b", hw.UInt{})                        // want "Net: b has no width"
		n := hw.Net(m, "n", hw.Bit{}, hw.PullUp)
		hw.Inst(m, "u", pulled, struct{ Line hw.Pad[hw.Bit] }{n}) // want "Inst u: n is pulled up, the pad of the instance down [pad]" note "n is declared here" note "the pad of pulled"
	}},
	{"instances", func(m *hw.Module, p bus) {
		foreignPad = p.SDA
		u := hw.Inst(m, "u", padCell{}, bus{En: p.En, SDA: p.SDA}, bus{SDA: p.SDA})       // want "Inst u: the pad sda is connected already; one wire is one pad or hw.Net for both [twice]"
		hw.Inst(m, "v", padCell{}, bus{En: p.En, SDA: hw.InOut(hw.Bit{})})                // want "Inst v: the shape of a pad of 1 bit is not a pad of"
		hw.Inst(m, "w", padCell{}, bus{En: p.En, D: hw.Net(m, "nibble", hw.Unsigned(4))}) // want "Inst w: nibble has 4 bits, the pad d has 8 [width]" note "nibble is declared here"
		hw.Inst(m, "x", padCell{}, bus{En: p.En, SDA: u.SDA, D: u.D})                     // the wire that u has of its own
	}},
	{"elsewhere", func(m *hw.Module, p bus) {
		foreignPad.DriveLow(p.En)                                  // want "DriveLow: sda belongs to the finished module dut [module]"
		hw.Inst(m, "u", padCell{}, bus{En: p.En, SDA: foreignPad}) // want "Inst u: sda belongs to the finished module dut, not to dut [module]"
		p.SDA.DriveLow(foreignPad.Value())                         // want "Value: sda belongs to the finished module dut"
	}},
}

// padFailures is the cases as they are run.
func padFailures() (all []failing) {
	for _, c := range padMistakes {
		all = append(all, failing{name: c.name, err: func() error { return build(hw.Func("dut", busShapes(), c.body)) }})
	}
	for kind := range 2 {
		all = append(all, failing{name: "shapes", err: func() error { return build(padShape{kind}) }})
	}
	return all
}

type padShape struct{ Kind int }

type padShapePorts struct{ X hw.Pad[hw.UInt] }

func (s padShape) Ports() (p padShapePorts) {
	if s.Kind == 0 {
		p.X = hw.InOut(hw.UInt{}) // want "InOut: the shape has no width [shape]"
	} else {
		p.X = hw.InOut(hw.Unsigned(2), hw.PullDown, hw.PullUp) // want "InOut: a pad is pulled one way, not down and up [pad]"
	}
	return p
}

func (padShape) Build(*hw.Module, padShapePorts) {}
