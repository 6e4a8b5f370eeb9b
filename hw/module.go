package hw

import (
	"fmt"

	"etch/ir"
)

// Module is a module under construction. [Module.On] and [Module.Scope] give
// views of the same module with another clock or a name prefix.
type Module struct {
	b      *body
	prefix string
	dom    *Domain // nil: the module's implicit clock and reset
}

// Domain is a clock with its reset; as a port it is a bundle like any other.
// The zero Domain is its shape, with a synchronous reset; [AsyncDomain] has an
// asynchronous one.
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
	frame   *frame
	targets []target
	serials int32
	consts  map[constKey]ir.ID
	names   map[string]claim
	alias   []ir.ID // named like the output they must then drive
	mems    []*memory
	sync    map[ir.ID]bool // registers and wires that cross clocks on purpose
	insts   []instInfo     // parallel to m.Insts
	done    bool
	refs    map[ir.ID]ir.ID // after finish: an output's wire → what drives the port
	clocks  portClocks      // after finish: for parents
}

// instInfo is what hw keeps of an instance beside the netlist's.
type instInfo struct{ child *body }

// claim is a name in use.
type claim struct {
	pos    ir.Pos
	output bool
}

// On is m with another clock: registers, memories and instances made through
// it belong to d.
func (m *Module) On(d Domain) *Module {
	if !d.Clk.isLive() {
		m.Errorf("clock", "On: the domain's clock is unset")
		return m
	}
	v := *m
	v.dom = &d
	return &v
}

// Scope is m with a prefix for names: m.Scope("lane%d", i).
func (m *Module) Scope(format string, args ...any) *Module {
	v := *m
	v.prefix = join(m.prefix, fmt.Sprintf(format, args...))
	return &v
}

// Domain is the clock and reset that registers made through m use.
func (m *Module) Domain() Domain { return Domain{Clock{m.clock()}, Reset{m.reset()}} }

// Name is the name of the module under construction.
func (m *Module) Name() string { return m.b.m.Name }

// clock is the clock of this view; the implicit port appears when first used.
func (m *Module) clock() sig {
	if m.dom != nil {
		return m.dom.Clk.sig
	}
	b := m.b
	if b.clk.b == nil {
		b.clk = sig{b: b, id: b.m.AddInput("clk", 1, ir.TypeID(ir.Clock), b.m.Pos)}
	}
	return b.clk
}

// reset is the reset of this view; the implicit port appears when first used.
func (m *Module) reset() sig {
	if m.dom != nil {
		return m.dom.Rst.sig
	}
	b := m.b
	if b.rst.b == nil {
		t := ir.TypeID(ir.Reset)
		if b.async {
			t = ir.TypeID(ir.AsyncReset)
		}
		b.rst = sig{b: b, id: b.m.AddInput("rst", 1, t, b.m.Pos)}
	}
	return b.rst
}

// Errorf records a mistake of the design at the caller's line, for checks that a
// generator makes itself. code is one of [Codes].
func (m *Module) Errorf(code, format string, args ...any) {
	m.b.d.report(newDiag(code, nil, format, args...))
}

// claim takes a name in the module for something declared now. A register or
// value may share the name of an output, which it must then drive: alias is
// true.
func (b *body) claim(name string, output bool) (alias bool) {
	pos := b.d.pos()
	first, taken := b.names[name]
	switch {
	case !isName(name):
		b.d.report(newDiag("name", nil, "%q is not a name: use letters, digits and _, a letter first", name))
	case !taken:
		b.names[name] = claim{pos, output}
	case first.output && !output:
		return true
	default:
		note := Note{b.d.src.At(first.pos), "first used here; in a loop, use m.Scope or hw.Name"}
		b.d.report(newDiag("name", []Note{note}, "the name %s is taken in %s", name, b.m.Name))
	}
	return false
}

func isName(name string) bool {
	for i, r := range name {
		if !(r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || i > 0 && '0' <= r && r <= '9') {
			return false
		}
	}
	return name != ""
}

// give names node id, which is about to be declared.
func (b *body) give(id ir.ID, name string) {
	if b.claim(name, false) {
		b.alias = append(b.alias, id)
	}
	b.m.SetName(id, name)
}

// Name joins a name and indexes: Name("pe", 0, 1) is pe_0_1.
func Name(base string, index ...int) string {
	for _, i := range index {
		base = fmt.Sprintf("%s_%d", base, i)
	}
	return base
}
