package hw

import (
	"reflect"
	"strings"

	"etch/hw/internal/caller"
	"etch/ir"
)

// design is the state of one Build.
type design struct {
	src       *ir.Sources
	places    [1024]place // the latest of byStack
	byStack   map[caller.Stack]ir.Pos
	diags     Errors
	count     int // mistakes, also those past the limit
	reported  map[string]bool
	mods      []*ir.Module // children first
	byValue   map[variant]*slot
	lastValue variant // the key of lastSlot: equal instances mostly come in a row
	lastSlot  *slot
	byParams  map[identity]*slot
	slots     []*slot
	chosen    map[string]bool // names of modules by [Namer]
	enums     map[enumKey]*enumInfo
	enumOf    map[*ir.Enum]*enumInfo
	enumNames map[string]bool
	paths     ir.Paths
	flows     map[*ir.Module]*flow
	depth     int
	asyncTop  bool
	strict    bool // warnings are mistakes
}

// Option changes how [Build] works; nil is none.
type Option func(*design)

// WithAsyncReset makes the implicit reset of the top, and of every instance that
// takes it from there, asynchronous.
func WithAsyncReset() Option { return func(d *design) { d.asyncTop = true } }

// Build elaborates c as the top of a design and returns its netlist and its
// ports, to be used with a simulator. The top's module is named after its type
// alone. The error, if any, is an [Errors].
func Build[P any](c Component[P], opts ...Option) (*ir.Design, P, error) {
	d := &design{
		src: ir.NewSources(), byStack: map[caller.Stack]ir.Pos{}, reported: map[string]bool{}, byValue: map[variant]*slot{}, byParams: map[identity]*slot{}, chosen: map[string]bool{},
		enums: map[enumKey]*enumInfo{}, enumOf: map[*ir.Enum]*enumInfo{}, enumNames: map[string]bool{}, paths: ir.Paths{}, flows: map[*ir.Module]*flow{},
	}
	for _, o := range opts {
		if o != nil {
			o(d)
		}
	}

	if isNil(c) {
		d.report(newDiag("param", nil, "Build: the component is nil"))
		var p P
		return nil, p, d.errors()
	}

	// The top gets a slot like any module, so that a part that contains the top is noticed.
	s := d.slot(c, d.asyncTop, "", "top")
	s.names = []string{snake(baseName(c))} // a top needs no parameters to be told apart
	if n, ok := c.(Namer); ok {
		s.names[0] = n.ModuleName()
	}

	elaborate(d, c, s, d.asyncTop)

	// A build without ports must have a mistake, or the caller would get neither a design nor an
	// error.
	if s.b.ports == nil && len(d.diags) == 0 {
		d.report(newDiag("shape", nil, "Build: the ports hold a mistaken value of another design"))
	}

	// With mistakes there is no design, but the ports are returned if they could be made,
	// for tests of messages.
	if len(d.diags) > 0 {
		var p P
		if s.b.ports != nil {
			p = *s.b.ports.(*P)
		}
		return nil, p, d.errors()
	}

	// Modules get their names once all of them are known.
	d.settleNames()
	out, p := &ir.Design{Top: s.b.m, Modules: d.mods, Src: d.src}, *s.b.ports.(*P)
	if d.strict {
		if w := Warnings(out); len(w) > 0 {
			return nil, p, w
		}
	}
	return out, p, nil
}

// isNil reports whether a component is nil, or a nil pointer.
func isNil(c any) bool {
	v := reflect.ValueOf(c)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

const maxDepth = 64 // of instances in instances

// elaborate builds the module of a slot: it checks the parameters, makes the ports, runs
// Build and finishes the body. Each step runs only if those before it succeeded. The slot's
// body is set first, so that a component that contains itself is noticed.
func elaborate[P any](d *design, c Component[P], s *slot, async bool) {
	b := newBody(d, c, s.names[0], async)
	s.b, b.open = b, true

	before := d.count
	d.depth++
	defer func() {
		b.open = false
		d.depth--
	}()

	// The outermost block has no condition.
	b.push(nil)
	m := &Module{b: b}
	p, ok := new(P), false

	// Parameters come before Ports: invalid ones could make Ports panic.
	valid := false
	run(m, func() { valid = d.valid(m, c) })
	if b.invalid = !valid; b.invalid {
		return
	}

	if !run(m, func() { ok = portsOf(m, c, p) }) || !ok {
		return
	}

	// Build gets a copy, since the caller keeps p and a body may overwrite elements of its
	// slices.
	b.ports = p
	inner := *p
	planOf[P]().own(ptr(&inner)) // a body may reuse its slices

	if x, ok := c.(BlackBox); ok {
		v := x.Verilog()
		b.m.Extern = &ir.Extern{Module: v.Module, Files: v.Files, Params: v.Params}
	}

	// A body whose Build has panicked is not finished.
	if run(m, func() { c.Build(m, inner) }) {
		b.finish()
		d.flows[b.m] = &flow{enabled: b.enabled, still: b.sync}
		// A body with mistakes may lack paths, so its latency is not checked.
		if x, ok := c.(Timed); ok && d.count == before && !b.blind && !hasHandshake(p) {
			b.checkLatency(x.Latency())
		}
	}

	b.done = true
	b.release()
	d.mods = append(d.mods, b.m)
}

// newBody makes an empty body for component c.
func newBody(d *design, c any, name string, async bool) *body {
	mod := ir.NewModule(name, d.src)
	mod.Origin, mod.Pos = shortType(reflect.TypeOf(c)), d.pos()
	if n, ok := c.(Namer); ok {
		mod.Origin = n.ModuleName()
	}
	b := &body{d: d, m: mod, async: async,
		outs: map[ir.ID]int32{}, consts: map[constKey]ir.ID{}, sync: map[ir.ID]crossing{}}

	// The names of the implicit clock and reset are held until a port takes them.
	for _, name := range []string{"clk", "rst"} {
		b.names.of(name, reserved, 0)
	}
	return b
}

// valid checks the depth of the hierarchy and the parameters: first each against its own limits; if
// all keep them, Validate, which may relate parameters to each other.
func (d *design) valid(m *Module, c any) bool {
	origin := m.b.m.Origin
	if d.depth > maxDepth {
		m.Errorf("param", "%s: instances nested more than %d deep", origin, maxDepth)
		return false
	}

	if errs := outOfLimits(c); len(errs) > 0 {
		for _, e := range errs {
			m.Errorf("param", "%s: %v", origin, e)
		}
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

	// errors.Join is reported error by error.
	errs := []error{err}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		errs = many.Unwrap()
	}
	for _, e := range errs {
		m.Errorf("param", "%s: %v", origin, e)
	}
	return false
}

// portsOf makes the ports of a module and fills p with their handles.
func portsOf[P any](m *Module, c Component[P], p *P) bool {
	b, plan, good := m.b, planOf[P](), true
	what := "Ports of " + b.m.Origin

	if plan.err != nil {
		m.Errorf("bundle", "%s: %v", what, plan.err)
		return false
	}

	*p = c.Ports()
	if b.portsAt = b.m.Pos; portsPC(c) != 0 {
		b.portsAt = b.d.src.PC(portsPC(c), 0)
	}

	plan.own(ptr(p))
	if !plan.direct(m, what, "", ptr(p), "") {
		return false
	}

	// The walk goes on behind a mistaken port, so that all of them are reported.
	plan.named(ptr(p), "", func(path string, k leafKind, s *sig) {
		f := form{what: what, path: or(flat(path), "port"), place: path, pads: true}
		switch {
		case !b.formOf(k, *s, false, &f):
		case !s.is(shape) || !s.x.directed:
			m.Errorf("direction", "%s: %s has no direction; wrap it in hw.In or hw.Out, or tag the field dir:\"in\" or dir:\"out\"", what, f.path)
		default:
			*s = b.port(f, s.x)
			return
		}
		*s, good = poisonLike(b, *s), false
	})

	if len(b.m.Ports) > 0 {
		b.m.Pos = b.m.Ports[0].Pos // the component's own file, whoever uses it
	}
	return good
}

// port declares one scalar port.
func (b *body) port(f form, x *proto) sig {
	// A shape that was written has a line of its own, a zero value that of the method Ports.
	pos := b.d.shapePos(x)
	if pos == 0 {
		pos = b.portsAt
	}
	s := sig{b: b}

	// A pad is a net.
	if x.dir == ir.InOut {
		b.claim(f.path, input, pos, ir.None)
		id := b.m.AddPad(f.path, f.width, f.typ, pos)
		b.m.Nets[b.m.Node(id).Aux].Pull = x.pull
		b.hasPads = true
		return b.padOf(id)
	}

	if x.dir == ir.In {
		b.claim(f.path, input, pos, ir.None)
		s.id = b.m.AddInput(f.path, f.width, f.typ, pos)
	} else {
		// An output is a wire until the body is finished; its driver then takes its place.
		b.claim(f.path, output, pos, ir.None)
		s.id = b.undriven(pos, f.typ, f.width)
		b.m.SetName(s.id, f.path)
		b.m.AddOutput(f.path, f.width, f.typ, s.id, pos)
		s.lv = b.addTarget(target{kind: outTarget, id: s.id, port: int32(len(b.m.Ports) - 1)})
	}

	s.lv.flip(f.flip)

	// A port inside of a bundle keeps its path.
	if strings.Contains(f.place, ".") {
		b.m.Ports[len(b.m.Ports)-1].Path = f.place
	}
	if x.dir == ir.In {
		b.place(s, f.place)
	}
	return s
}
