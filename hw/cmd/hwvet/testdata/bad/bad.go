// Package bad has one mistake for each check of hwvet; the test looks for the
// names in its comments.
package bad

import (
	"reflect"

	"etch/hw"
)

// Ports are the ports of [Part].
type Ports struct{ A, Y, Z hw.UInt }

type phase string

const (
	idle phase = "idle"
	busy phase = "busy"
)

// Part has a Validate that is never called.
type Part struct{}

func (Part) Ports() Ports {
	return Ports{A: hw.In(hw.Unsigned(8)), Y: hw.Out(hw.Unsigned(8)), Z: hw.Out(hw.Unsigned(8))}
}

// Validate has the wrong receiver.
func (*Part) Validate() error { return nil } // hwcomponent

// Build describes the body.
func (Part) Build(m *hw.Module, p Ports) {
	count := hw.Reg(m, "count", hw.Unsigned(8)) // hwunset
	count.Inc()                                 // hwdiscard
	p.Y = p.A.Add(count)                        // hwassign
	m.When(p.A.Is(256), func() {                // hwconst
		p.Z.Set(p.A)
	})
	hw.Inst(m, "inner", hw.Func("inner", p, func(m *hw.Module, q Ports) {
		q.Y.Set(p.A) // hwcapture
	}))
	state := hw.Reg(m, "state", hw.EnumOf(idle), hw.Val(idle)) // hwenum
	state.Goto(idle)
	var d struct{ next hw.Enum[phase] }
	d.next.Goto(busy)                // hwhandle
	if reflect.DeepEqual(p.A, p.Y) { // hwcompare
		p.Z.Set(p.A)
	}
}
