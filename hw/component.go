package hw

import "etch/ir"

// Component is a parameter set that can be built into a module with ports P. It
// may also have the methods of [Validator], [Namer] and [BlackBox].
type Component[P any] interface {
	// Ports returns the shapes of the ports. The direction of each stands at its
	// field, dir:"in" or dir:"out", or is given here by In and Out; a field whose
	// zero value is a shape and that has a tag needs nothing here.
	Ports() P
	// Build describes the body; p holds the ports as signals.
	Build(m *Module, p P)
}

// Validator is a component that checks its parameters, beyond the [Limits] in the
// tags of their fields. Validate is called before Ports; errors joined by
// errors.Join are reported one by one.
type Validator interface{ Validate() error }

// Namer is a component that names its module itself. Equal parameters must give
// equal names, others different ones. Without it the name is made of the type and
// the parameters: counter_8.
type Namer interface{ ModuleName() string }

// BlackBox is a component that stands for a Verilog module written elsewhere.
// Its Build may be a model of it, for simulation only; a Build that sets no
// output means that there is none.
type BlackBox interface{ Verilog() Verilog }

// Verilog refers to a Verilog module.
type Verilog struct {
	Module string     // its name
	Files  []string   // files that hold it, for tools
	Params []ir.Param // parameters, values written as Verilog
}

// Func is a component without a type of its own, for small parts and tests. Two
// instances share a module when they share the value that Func returned; others
// of the same name get a number.
func Func[P any](name string, ports P, body func(m *Module, p P)) Component[P] {
	return &funcComponent[P]{name, ports, body}
}

type funcComponent[P any] struct {
	name  string
	ports P
	body  func(m *Module, p P)
}

func (f *funcComponent[P]) Ports() P             { return f.ports }
func (f *funcComponent[P]) Build(m *Module, p P) { f.body(m, p) }
func (f *funcComponent[P]) ModuleName() string   { return f.name }
func (f *funcComponent[P]) isFunc()              {}
