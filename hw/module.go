package hw

import (
	"etch/ir"
)

// Module is a module under construction. [Module.On], [Module.Enabled],
// [Module.Scope] and [Module.With] give views of the same module with another
// clock, a clock enable, a name prefix or an attribute.
type Module struct {
	b      *body
	prefix string
	dom    *Domain // nil: the module's implicit clock and reset
	gate   ir.ID   // clock enable, None for none
	attrs  []ir.Attr
}

// Domain is a clock with its reset; as a port it is a bundle like any other.
// The zero Domain is its shape, with a synchronous reset; [AsyncDomain] has an
// asynchronous one. For [Module.On], a Domain whose Rst is unset has no reset.
type Domain struct {
	Clk Clock
	Rst Reset
}

// AsyncDomain is the shape of a clock with an asynchronous reset.
func AsyncDomain() Domain { return Domain{Rst: AsyncReset()} }

// body is the state of a module while it is built.
type body struct {
	d       *design
	m       *ir.Module
	async   bool // the implicit reset is asynchronous
	clk     sig  // implicit clock and reset, zero until used
	rst     sig
	ports   any    // the struct of ports as the body got it, for instances
	portsAt ir.Pos // of the method Ports
	frame   *frame
	serials int32 // of blocks
	targets targetList
	consts  map[constKey]ir.ID
	parts   parts // of targets
	names   claimTable
	form    form    // of the scalar being declared
	alias   []ir.ID // named like the output they must then drive
	yields  []yielded
	wishes  []suggestion
	mems    []*memory
	sync    map[ir.ID]crossing // registers and wires that cross clocks on purpose
	insts   []*body            // the module of each instance
	open    bool               // Build is under way
	done    bool               // Build is over
	hasPads bool               // some port is an InOut
	enabled map[ir.ID]bool     // registers that a view's enable holds
	history *history           // nil: nothing looks back
	outs    map[ir.ID]int32    // when done: the wire of an output → its port
	clocks  portClocks         // when done: for parents

	doubts
}

// On is m with another clock: registers, memories and instances made through
// it belong to d.
func (m *Module) On(d Domain) *Module {
	if m.finished("On") {
		return m
	}
	xs := []sig{d.Clk.sig}

	switch {
	case !xs[0].isSet():
		m.Errorf("clock", "On: the domain's clock is unset")
	case m.b.resolve("On", xs, false):
	case d.Rst.isSet() && m.b.resolve("On", []sig{d.Rst.sig}, false):
	default:
		v := *m
		v.dom, v.gate = &d, ir.None
		return &v
	}

	// The view keeps the old clock. Crossings are not checked then, since all of its signals would
	// be reported.
	m.b.unsure = true
	return m
}

// NoReset is m without its reset: registers made through it have none, and
// statements are evaluated in reset too. A module that uses no other view has no port for a
// reset.
func (m *Module) NoReset() *Module {
	if m.finished("NoReset") {
		return m
	}
	v := *m
	v.dom = &Domain{Clk: Clock{m.clockSig()}}
	return &v
}

// Scope is m with a prefix for names, made as by [Name]: with m.Scope("lane", i)
// they begin with lane_0, lane_1, ….
func (m *Module) Scope(name string, index ...int) *Module {
	v := *m
	v.prefix = join(m.prefix, Name(name, index...))
	return &v
}

// Domain is the clock and reset that registers made through m use.
func (m *Module) Domain() Domain {
	if m.finished("Domain") {
		return Domain{}
	}
	return Domain{Clock{m.clockSig()}, Reset{m.reset()}}
}

// Name is the name of the module under construction; where modules of two packages
// would have one name, Build puts the package in front of both in the end.
func (m *Module) Name() string { return m.b.m.Name }

// clock is the node of this view's clock.
func (m *Module) clock() ir.ID { return m.clockSig().id }

// clockSig is the clock of this view; the implicit port appears when first used.
func (m *Module) clockSig() sig {
	if m.dom != nil {
		return m.dom.Clk.sig
	}
	return m.b.implicitPort(&m.b.clk, "clk", ir.Clock)
}

// reset is the reset of this view, zero where its domain has none; the implicit
// port appears when first used.
func (m *Module) reset() sig {
	switch {
	case m.dom != nil:
		return m.dom.Rst.sig
	case m.b.async:
		return m.b.implicitPort(&m.b.rst, "rst", ir.AsyncReset)
	}
	return m.b.implicitPort(&m.b.rst, "rst", ir.Reset)
}

// implicitPort makes the implicit clock or reset port when it is first used. A port of the
// design with that name is a mistake, as is the use in a black box.
func (b *body) implicitPort(s *sig, name string, k ir.Kind) sig {
	if s.b != nil {
		return *s
	}

	// The name is reserved when a body begins: another kind of claim means that a port has taken
	// it.
	first, _ := b.names.of(name, reserved, b.m.Pos)
	switch {

	case first.kind != reserved:
		note := Note{b.d.src.At(first.pos), "the port of that name; m.On takes a clock from ports"}
		b.d.report(newDiag("clock", []Note{note}, "%s uses the implicit clock and reset, and has a port %s of its own", b.m.Origin, name))
		b.unsure = true
	case b.m.Extern != nil:
		b.d.report(newDiag("clock", []Note{{Msg: "give it a port of type hw.Domain and use m.On"}},
			"%s is a black box and has no implicit clock and reset", b.m.Origin))
	}

	// The port is made even after a mistake, so that registers have a clock.
	*s = sig{b: b, id: b.m.AddInput(name, 1, ir.TypeID(k), b.m.Pos)}
	return *s
}

// Errorf records a mistake of the design at the caller's line, for checks that a
// generator makes itself. code is one of [Codes].
func (m *Module) Errorf(code, format string, args ...any) {
	m.b.d.report(newDiag(code, nil, format, args...))
}

// finished reports the use of a module outside its Build.
func (m *Module) finished(what string) bool {
	if m.b.done {
		m.Errorf("module", "%s: module %s is finished", what, m.b.m.Name)
	}
	return m.b.done
}

// claim takes a name in the module for something of the given kind, declared at pos. id is
// its node if it is a register. A register or value may share the name of an output, which
// it must then drive: alias is true.
func (b *body) claim(name string, kind claimKind, pos ir.Pos, id ir.ID) (alias bool) {
	first, taken := b.names.of(name, kind, pos)
	switch {
	// Of two claims, either may give way: the new one, or the one that came first.
	case !taken && isName(name):
	case !isName(name):
		b.d.report(newDiag("name", nil, "%q is not a name: use letters, digits and _, a letter or _ first", name))
	case first.kind == output && (kind == claimed || kind == register):
		return true
	case kind.yields(first.kind):
		b.yields = append(b.yields, yielded{name, kind, id, pos, first.pos})
	case first.kind.yields(kind):
		b.yields = append(b.yields, yielded{name, first.kind, b.holder(name), first.pos, pos})
		first.kind, first.pos = kind, pos
	case first.kind == reserved && kind != claimed:
		first.kind, first.pos = kind, pos
	case first.kind == reserved:
		b.d.report(newDiag("name", nil, "the name %s is taken in %s by the implicit clock and reset", name, b.m.Name))
	default:
		note := Note{b.d.src.At(first.pos), "first used here; in a loop, use m.Scope or hw.Name"}
		b.d.report(newDiag("name", []Note{note}, "the name %s is taken in %s", name, b.m.Name))
	}
	return false
}

// give names node id, which is declared at pos, and notes it if it must drive the output of
// its name.
func (b *body) give(id ir.ID, name string, kind claimKind, pos ir.Pos) {
	if b.claim(name, kind, pos, id) {
		b.alias = append(b.alias, id)
	}
	b.m.SetName(id, name)
}
