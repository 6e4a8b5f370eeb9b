// Package refused does not compile: every line of mix is a mistake that the
// types of hw leave to the compiler.
package refused

import "etch/hw"

type phase string

const (
	idle phase = "idle"
	busy phase = "busy"
)

func mix(m *hw.Module, a, b hw.UInt, s hw.SInt, c hw.Bit, e hw.Enum[phase]) {
	a.Add(s)
	s.Set(a)
	_ = a == b
	a.Add(hw.S(1))
	hw.Cat(a, 3)
	m.When(a, func() {})
	hw.Mux(c, a, s)
	for p := range e.Cases() {
		switch p {
		case idle:
		case idle:
		}
	}
}
