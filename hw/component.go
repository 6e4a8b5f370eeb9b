package hw

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"etch/ir"
)

// Component is a parameter set that can be built into a module with ports P. It
// may also have the methods of [Validator], [Namer] and [BlackBox].
type Component[P any] interface {
	// Ports returns the shapes of the ports, each marked In or Out.
	Ports() P
	// Build describes the body; p holds the ports as signals.
	Build(m *Module, p P)
}

// Validator is a component that checks its parameters. Validate is called before
// Ports; errors joined by errors.Join are reported one by one.
type Validator interface{ Validate() error }

// Namer is a component that names its module itself. Equal parameters must give
// equal names, others different ones.
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
// instances share a module when they share the value that Func returned.
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

// design is the state of one Build.
type design struct {
	src       *ir.Sources
	insidePC  map[uintptr]bool
	diags     Errors
	reported  map[string]bool
	mods      []*ir.Module // children first
	byValue   map[any]*body
	byKey     map[string]*body
	names     map[string]reflect.Type // module name to the component it stands for
	enums     map[string]*enumInfo
	enumOf    map[*ir.Enum]*enumInfo
	flips     map[flipKey]bool
	paths     ir.Paths
	depth     int
	asyncTop  bool
	exhausted bool
}

// Option changes how [Build] works.
type Option func(*design)

// WithAsyncReset makes the implicit reset of the top, and of every instance that
// takes it from there, asynchronous.
func WithAsyncReset() Option { return func(d *design) { d.asyncTop = true } }

// Build elaborates c as the top of a design and returns its netlist and its
// ports, to be used with a simulator. The error, if any, is an [Errors].
func Build[P any](c Component[P], opts ...Option) (*ir.Design, P, error) {
	d := &design{
		src: ir.NewSources(), insidePC: map[uintptr]bool{}, reported: map[string]bool{},
		byValue: map[any]*body{}, byKey: map[string]*body{}, names: map[string]reflect.Type{},
		enums: map[string]*enumInfo{}, enumOf: map[*ir.Enum]*enumInfo{}, flips: map[flipKey]bool{}, paths: ir.Paths{},
	}
	for _, o := range opts {
		o(d)
	}
	b, ports := elaborate(d, c, topName(c), d.asyncTop)
	if len(d.diags) > 0 {
		return nil, ports, d.diags
	}
	return &ir.Design{Top: b.m, Modules: d.mods, Src: d.src}, ports, nil
}

const maxDepth = 64 // of instances in instances

// elaborate builds one module.
func elaborate[P any](d *design, c Component[P], name string, async bool) (b *body, p P) {
	mod := ir.NewModule(d.freshName(name, c), d.src)
	mod.Origin, mod.Pos = shortType(reflect.TypeOf(c)), d.pos()
	if n, ok := any(c).(Namer); ok {
		mod.Origin = n.ModuleName()
	}
	b = &body{d: d, m: mod, async: async, consts: map[constKey]ir.ID{}, names: map[string]claim{}, sync: map[ir.ID]bool{}}
	for _, reserved := range []string{"clk", "rst"} {
		b.names[reserved] = claim{pos: mod.Pos}
	}
	b.push(nil)
	m := &Module{b: b}
	if !d.valid(m, c) {
		return b, p
	}
	d.depth++
	defer func() { d.depth-- }()
	if !portsOf(m, c, &p) {
		return b, p
	}
	inner := p
	planOf[P]().own(unsafe.Pointer(&inner)) // a body may reuse its slices; the caller keeps its own
	if x, ok := any(c).(BlackBox); ok {
		v := x.Verilog()
		mod.Extern = &ir.Extern{Module: v.Module, Files: v.Files, Params: v.Params}
	}
	run(m, func() { c.Build(m, inner) })
	b.finish()
	d.mods = append(d.mods, mod)
	return b, p
}

// run calls a user's method. A panic after mistakes were reported is most likely
// caused by one of them: it is reported with them instead.
func run(m *Module, f func()) {
	defer func() {
		if len(m.b.d.diags) == 0 {
			return
		}
		if r := recover(); r != nil {
			m.b.d.report(Diag{Code: "panic", Msg: fmt.Sprintf("%s panicked: %v", m.b.m.Origin, r), Pos: m.b.d.src.At(m.b.m.Pos)})
		}
	}()
	f()
}

// valid checks the parameters and the depth of the hierarchy.
func (d *design) valid(m *Module, c any) bool {
	origin := m.b.m.Origin
	if d.depth >= maxDepth {
		m.Errorf("param", "%s: instances nested more than %d deep", origin, maxDepth)
		return false
	}
	v, ok := c.(Validator)
	if !ok {
		return true
	}
	err := v.Validate()
	if err == nil {
		return true
	}
	var many interface{ Unwrap() []error }
	if errors.As(err, &many) {
		for _, e := range many.Unwrap() {
			m.Errorf("param", "%s: %v", origin, e)
		}
		return false
	}
	m.Errorf("param", "%s: %v", origin, err)
	return false
}

// portsOf makes the ports of a module and fills p with their handles.
func portsOf[P any](m *Module, c Component[P], p *P) bool {
	b, pl, ok := m.b, planOf[P](), true
	if pl.err != nil {
		m.Errorf("bundle", "Ports of %s: %v", b.m.Origin, pl.err)
		return false
	}
	*p = c.Ports()
	pl.own(unsafe.Pointer(p))
	pl.named(unsafe.Pointer(p), "", func(path string, k leafKind, s *sig) {
		x := protoOf(k, *s)
		switch {
		case s.x != nil && s.x.is == poison:
			b.meet(*s)
		case x == nil || x.width < 1 || x.width > maxWidth:
			m.Errorf("shape", "Ports of %s: %s has no width from 1 to %d; say hw.Unsigned(w), hw.Signed(w) or hw.EnumOf(…)", b.m.Origin, or(path, "the port"), maxWidth)
		case !x.directed:
			m.Errorf("direction", "Ports of %s: %s has no direction; wrap it in hw.In or hw.Out", b.m.Origin, or(path, "the port"))
		default:
			*s = b.port(path, x)
			return
		}
		*s, ok = poisonOf(b, max(s.Width(), 1)), false
	})
	if len(b.m.Ports) > 0 {
		b.m.Pos = b.m.Ports[0].Pos // the component's own file, whoever uses it
	}
	return ok
}

// maxWidth bounds the width of a signal.
const maxWidth = 1 << 20

// port declares one scalar port.
func (b *body) port(path string, x *proto) sig {
	pos := b.d.shapePos(x)
	if pos == 0 {
		pos = b.m.Pos
	}
	t := b.typeOf(x)
	path = or(path, "port")
	b.claim(path, x.dir == ir.Out)
	s := sig{b: b}
	if x.dir == ir.In {
		s.id = b.m.AddInput(path, x.width, t, pos)
	} else {
		s.id = b.m.Add(ir.Node{Op: ir.Wire, Type: t, Width: int32(x.width), Pos: pos}, ir.None)
		b.m.SetName(s.id, path)
		b.m.AddOutput(path, x.width, t, s.id, pos)
		s.lv = b.addTarget(target{kind: outTarget, id: s.id, port: int32(len(b.m.Ports) - 1)})
	}
	if x.flip {
		b.d.flips[flipKey{b, s.id}] = true
	}
	return s
}

// typeOf is the module's type of a shape.
func (b *body) typeOf(x *proto) ir.TypeID {
	t := x.typ
	if x.enum != nil {
		t.Enum = b.d.intern(x.enum).ir
	}
	return b.m.AddType(t)
}
