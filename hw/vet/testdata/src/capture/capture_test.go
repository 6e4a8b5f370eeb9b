package capture

import (
	"testing"

	"etch/hw"
	"etch/testbench"
)

var peeked hw.UInt

type peek struct{}

func (peek) Ports() Ports { return shape }

func (peek) Build(m *hw.Module, p Ports) {
	peeked = p.A.Inc() // a test looks at it later
	p.Y.Set(peeked)
}

func TestPeek(t *testing.T) {
	var inside hw.UInt
	_, p := testbench.New(t, hw.Func("dut", shape, func(m *hw.Module, p Ports) {
		inside = p.A.Inc()
		p.Y.Set(inside)
	}))
	_, _, _ = inside.Width(), peeked.Width(), p.Y.Width()
}

func TestTwo(t *testing.T) {
	var stolen hw.UInt
	a := hw.Func("a", shape, func(m *hw.Module, p Ports) {
		stolen = p.A // want `stolen carries a signal of this module into another body`
	})
	b := hw.Func("b", shape, func(m *hw.Module, p Ports) { p.Y.Set(stolen) })
	_, _ = a, b
}
