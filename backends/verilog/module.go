package verilog

import (
	"etch/ir"
	"etch/ir/bits"
)

// module writes one module: it runs the steps of write, each on the data of its own type, and
// prints the trees.
type module struct {
	*design
	*view
	*naming
	*uses
	*forest
	*choices
	*bodies
	*linker
	*startup
	*declarations

	simulating bool    // statements for simulators are being printed
	pending    []ir.ID // of settle
	instDone   []bool
	instDecl   []bool
}

// newModule makes the parts of a writer of modules and joins them.
func newModule(w *design) *module {
	// Each part knows those above it and none below.
	v, f := &view{}, &forest{}
	n := &naming{design: w, view: v}
	w.Names = &n.table
	u, st := &uses{view: v, naming: n}, &startup{design: w, view: v}
	e := &exprs{view: v, naming: n, uses: u, forest: f}
	c := &choices{design: w, view: v}
	l := &linker{view: v, naming: n, uses: u, forest: f}
	d := &declarations{design: w, view: v, naming: n, uses: u, choices: c, linker: l, startup: st}
	return &module{design: w, view: v, naming: n, uses: u, forest: f, choices: c, linker: l, startup: st,
		bodies: &bodies{exprs: e, choices: c, view: v}, declarations: d}
}

// reset prepares the tables for the nodes of m. Memory of the module before is reused.
func (p *module) reset(m *ir.Module) {
	n := m.Len()
	p.view.reset(m)
	p.naming.reset(n)
	p.uses.reset(n)
	p.forest.reset(n)
	p.bodies.reset()
	p.indexDone, p.simulating, p.starts = false, false, map[ir.ID]bits.Value{}
	p.instDone, p.instDecl = grown(p.instDone, len(m.Insts)), grown(p.instDecl, len(m.Insts))
}

func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// write prints m: names of the user's and of state, trees, wires, names of wires, text.
func (p *module) write(m *ir.Module) {
	// Names that depend on nothing but the netlist come first, so that trees can refer to them.
	p.nameState(m)
	p.bindCovers()
	p.bindEnums()

	p.findSimOnly()
	p.countRaw()
	p.findBases()
	p.findBig()
	p.makeTrees()
	p.noteResetUse()

	// The uses are complete: wires, and the names that depend on them.
	p.sizeAll()
	p.bindHelpers()
	(&labeler{view: p.view, naming: p.naming, uses: p.uses}).label()
	p.print()
	p.noteHiding()
}

// nameState runs the steps up to the names of all state.
func (p *module) nameState(m *ir.Module) {
	p.reset(m)
	p.bind()
	p.reach()
	p.simplifyAll()
	p.bindMemories()
}
