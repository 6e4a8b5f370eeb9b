package assertion

import "etch/hw"

type Ports struct{ A, Y hw.UInt }

type Said struct{}

var _ hw.Component[Ports] = Said{}

func (Said) Ports() Ports                { return Ports{} }
func (Said) Build(m *hw.Module, p Ports) {}

type Unsaid struct{} // want `Unsaid is a component and does not say so; say var _ hw.Component\[Ports\] = Unsaid{}`

func (Unsaid) Ports() Ports                { return Ports{} }
func (Unsaid) Build(m *hw.Module, p Ports) {}

type hidden struct{}

func (hidden) Ports() Ports                { return Ports{} }
func (hidden) Build(m *hw.Module, p Ports) {}
