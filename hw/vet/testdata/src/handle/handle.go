package handle

import "etch/hw"

type phase string

const (
	idle phase = "idle"
	busy phase = "busy"
)

type datapath struct {
	r     hw.UInt
	state hw.Enum[phase]
	pair  struct{ x, y hw.UInt }
	vec   hw.Vec[hw.UInt]
	at    *datapath
}

type Ports struct{ A, Y hw.UInt }

func mistakes(m *hw.Module, p Ports) {
	var d struct {
		r     hw.UInt
		state hw.Enum[phase]
	}
	d.r.Set(hw.U(1))                 // want `d.r was never made, so Set drives nothing; make it with hw.Reg or hw.Wire, or take a port \[hwhandle\]`
	d.state.Goto(idle)               // want `d.state was never made, so Goto drives nothing`
	for s := range d.state.Cases() { // want `d.state was never made, so Cases runs for no value`
		switch s {
		case idle, busy:
		}
	}
	var x hw.UInt
	x.Set(p.A)         // want `x was never made, so Set drives nothing`
	hw.Set(x, hw.U(1)) // want `x was never made, so Set drives nothing`
	e := datapath{r: p.Y}
	e.r.Set(p.A)
	m.When(p.A.Any(), func() {
		e.state.Goto(busy) // want `e.state was never made`
		e.pair.x.Set(p.A)  // want `e.pair.x was never made`
	})
	hw.Set(e.pair, e.pair) // want `e.pair was never made`
	f := datapath{pair: struct{ x, y hw.UInt }{x: p.Y}}
	f.pair.x.Set(p.A)
	f.pair.y.Set(p.A) // want `f.pair.y was never made`
}

func fine(m *hw.Module, p Ports, given datapath) (out datapath) {
	given.r.Set(p.A)
	out.r.Set(p.A)
	var d datapath
	d.r = hw.Reg(m, "r", hw.Unsigned(8))
	d.r.Set(p.A)
	m.When(p.A.Any(), func() { d.state = hw.Reg(m, "state", hw.EnumOf(idle, busy)) })
	d.state.Goto(idle)
	d.pair.x, d.pair.y = p.Y, p.Y
	hw.Set(d.pair, d.pair)
	var whole datapath
	whole.pair.x.Set(p.A)
	whole.pair = d.pair
	var all datapath
	all = given
	all.state.Goto(busy)
	var byAddress datapath
	fill(&byAddress)
	byAddress.r.Set(p.A)
	var byField datapath
	fillState(&byField.state)
	byField.state.Goto(idle)
	var byMethod datapath
	byMethod.make(m)
	byMethod.state.Goto(idle)
	var elements datapath
	elements.vec[0].Set(p.A)
	elements.at.r.Set(p.A)
	for _, d := range []datapath{given} {
		d.r.Set(p.A)
	}
	made := given
	made.r.Set(p.A)
	var late hw.UInt
	late = hw.Wire(m, "late", hw.Unsigned(8))
	late.Set(p.A)
	var regs [2]hw.UInt
	regs[0].Set(p.A)
	return d
}

func fill(d *datapath)                { d.r = hw.UInt{} }
func fillState(s *hw.Enum[phase])     { *s = hw.Enum[phase]{} }
func (d *datapath) make(m *hw.Module) { d.state = hw.Reg(m, "state", hw.EnumOf(idle, busy)) }
