// Package good has nothing to report.
package good

import "etch/hw"

// Ports are the ports of [Part].
type Ports struct{ A, Y hw.UInt }

// Part counts.
type Part struct{}

func (Part) Ports() Ports {
	return Ports{A: hw.In(hw.Unsigned(8)), Y: hw.Out(hw.Unsigned(8))}
}

// Build describes the body.
func (Part) Build(m *hw.Module, p Ports) {
	count := hw.Reg(m, "count", hw.Unsigned(8))
	m.When(p.A.Is(255), func() { count.Set(count.Inc()) })
	p.Y.Set(count)
}
