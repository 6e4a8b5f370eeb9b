package component

import "etch/hw"

type Ports struct{ A, Y hw.UInt }

type Other struct{ A, Y hw.UInt }

type WrongPorts struct{}

func (WrongPorts) Ports() Ports                { return Ports{} }
func (WrongPorts) Build(m *hw.Module, p Other) {} // want `WrongPorts.Build has the wrong signature for a component with these Ports; want func\(m \*hw.Module, p Ports\), not func\(\*hw.Module, Other\) \[hwcomponent\]`

type NoModule struct{}

func (NoModule) Ports() Ports  { return Ports{} }
func (NoModule) Build(p Ports) {} // want `NoModule.Build has the wrong signature .* not func\(Ports\)`

type ByValue struct{}

func (ByValue) Ports() Ports               { return Ports{} }
func (ByValue) Build(m hw.Module, p Ports) {} // want `ByValue.Build has the wrong signature`

type PointerPorts struct{}

func (PointerPorts) Ports() Ports                 { return Ports{} }
func (PointerPorts) Build(m *hw.Module, p *Ports) {} // want `PointerPorts.Build has the wrong signature`

type Returns struct{}

func (Returns) Ports() Ports                      { return Ports{} }
func (Returns) Build(m *hw.Module, p Ports) error { return nil } // want `Returns.Build has the wrong signature .* not func\(\*hw.Module, Ports\) error`

type Swapped struct{}

func (Swapped) Ports() Ports                { return Ports{} }
func (Swapped) Build(p Ports, m *hw.Module) {} // want `Swapped.Build has the wrong signature`

type Generic[T any] struct{ Elem T }

type GenericPorts[T any] struct {
	A T
	C hw.Bit
}

func (g Generic[T]) Ports() GenericPorts[T]                      { return GenericPorts[T]{} }
func (g Generic[U]) Build(m *hw.Module, p GenericPorts[hw.UInt]) {} // want `Generic.Build has the wrong signature .* want func\(m \*hw.Module, p GenericPorts\[T\]\), not func\(\*hw.Module, GenericPorts\[hw.UInt\]\)`

type TakesSize struct{}

func (TakesSize) Ports(n int) Ports           { return Ports{} } // want `TakesSize.Ports has the wrong signature for a component; want func\(\) P, P its ports struct`
func (TakesSize) Build(m *hw.Module, p Ports) {}

type ToPointer struct{}

func (ToPointer) Ports() *Ports                { return nil } // want `ToPointer.Ports returns a pointer, which holds no ports; return the struct`
func (ToPointer) Build(m *hw.Module, p *Ports) {}

type Mixed struct{}

func (Mixed) Ports() Ports                 { return Ports{} }
func (*Mixed) Build(m *hw.Module, p Ports) {} // want `Ports and Build of Mixed have receivers of two kinds, so Mixed is no hw.Component; use a value receiver for both`

type OnlyPorts struct{}

func (OnlyPorts) Ports() Ports { return Ports{} } // want `OnlyPorts has Ports but no method Build\(m \*hw.Module, p Ports\), so it is no component`

type OnlyBuild struct{}

func (OnlyBuild) Build(m *hw.Module, p Ports) {} // want `OnlyBuild has Build but no method Ports\(\) Ports, so it is no component`

// Methods that hw looks for.
type Options struct{ Width int }

func (Options) Ports() Ports                 { return Ports{} }
func (Options) Build(m *hw.Module, p Ports)  {}
func (o *Options) Validate() error           { return nil }      // want `Validate has a pointer receiver, so hw does not call it for a component Options; use a value receiver`
func (o Options) ModuleName() (string, bool) { return "", true } // want `hw calls the method ModuleName of a component only as func\(\) string; this one is never called`
func (o Options) Verilog() *hw.Verilog       { return nil }      // want `hw calls the method Verilog of a component only as func\(\) hw.Verilog`

// What follows is fine.

type Value struct{ Width int }

func (Value) Ports() Ports                { return Ports{} }
func (Value) Build(m *hw.Module, p Ports) {}
func (Value) Validate() error             { return nil }
func (Value) ModuleName() string          { return "" }
func (Value) Verilog() hw.Verilog         { return hw.Verilog{} }

type Pointer struct{}

func (*Pointer) Ports() Ports                { return Ports{} }
func (*Pointer) Build(m *hw.Module, p Ports) {}
func (*Pointer) Validate() error             { return nil }

type Both struct{}

var _ hw.Component[Ports] = (*Both)(nil)

func (Both) Ports() Ports                 { return Ports{} }
func (*Both) Build(m *hw.Module, p Ports) {}

// base is for embedding.
type base struct{}

func (base) Ports() Ports { return Ports{} }

type Derived struct{ base }

func (Derived) Build(m *hw.Module, p Ports) {}

type Queue[T any] struct{ Elem T }

func (q Queue[T]) Ports() GenericPorts[T]                { return GenericPorts[T]{} }
func (q Queue[E]) Build(m *hw.Module, p GenericPorts[E]) {}

// server has ports of another kind.
type server struct{}

func (server) Ports() []int { return nil }
func (server) Build() error { return nil }

// step builds a part of a module.
type step struct{}

func (step) Build(m *hw.Module, x hw.UInt) hw.UInt { return x }

type source interface{ Ports() Ports }
