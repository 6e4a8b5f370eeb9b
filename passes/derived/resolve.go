package derived

import (
	"errors"
	"fmt"

	"etch/ir"
	"etch/ir/bits"
	"etch/ir/moments"
	"etch/passes"
)

// ErrBlackBox is wrapped by the error for a clock that a black box makes.
var ErrBlackBox = errors.New("a black box makes a clock")

// maxErrors bounds the errors that are collected.
const maxErrors = 20

// Resolve removes derived clocks from a verified design, in place. It returns at most 20
// errors, joined; each begins with the position of the user's text. After an error the
// design is not usable.
func Resolve(d *ir.Design) error {
	dissolve(d)
	found := false
	for _, m := range d.Modules {
		found = found || isLoose(m)
	}
	if !found || d.Top.Extern != nil {
		return nil
	}

	// Black boxes moved by a computed clock are flattened too, if they have models. That
	// may reveal others, so it repeats.
	for {
		if _, err := passes.Flatten(d); err != nil {
			return err
		}
		r := &resolver{m: d.Top, consts: map[ir.ID]*bits.Value{}, inverse: map[ir.ID]ir.ID{},
			levels: map[ir.ID]ir.ID{}, seen: map[string]bool{}}
		if r.dissolveMoved() {
			continue
		}
		r.run()
		return errors.Join(r.errs...)
	}
}

// dissolveMoved makes ordinary modules of the black boxes with models that take a computed
// clock, and reports whether there were any.
func (r *resolver) dissolveMoved() (any bool) {
	for i := range r.m.Insts {
		in := &r.m.Insts[i]
		x := in.Mod.Extern
		if x == nil || !x.Model {
			continue
		}
		for j := range in.Mod.Ports {
			p, id := &in.Mod.Ports[j], in.Conns[j]
			if p.Dir == ir.In && id != ir.None && in.Mod.TypeOf(p.Type).Kind == ir.Clock && r.follow(id, 0).made {
				in.Mod.Extern, any = nil, true
				break
			}
		}
	}
	return any
}

// isLoose reports whether a module computes a clock or uses one as an operand.
func isLoose(m *ir.Module) bool {
	if m.Extern != nil && !m.Extern.Model {
		return false
	}
	clock := func(id ir.ID) bool { return isClock(m, id) }
	// A clock may pass through wires and inverters only.
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		n := m.Node(id)
		plain := n.Op == ir.Wire || n.Op == ir.Not
		for _, a := range m.Args(id) {
			if a != ir.None && clock(a) != clock(id) && m.Op(a) != ir.Const || clock(id) && !plain {
				return true
			}
		}
	}

	// Nor may it leave as a value.
	for i := range m.Ports {
		if p := &m.Ports[i]; p.Dir == ir.Out && p.Node != ir.None && clock(p.Node) && m.TypeOf(p.Type).Kind != ir.Clock {
			return true
		}
	}
	for i := range m.Insts {
		in := &m.Insts[i]
		for j := range in.Mod.Ports {
			p, id := &in.Mod.Ports[j], in.Conns[j]
			if p.Dir == ir.In && id != ir.None && clock(id) && in.Mod.TypeOf(p.Type).Kind != ir.Clock {
				return true
			}
		}
	}
	for i := range m.Regs {
		if clock(m.Regs[i].Next) {
			return true
		}
	}
	return false
}

func isClock(m *ir.Module, id ir.ID) bool { return m.TypeOf(m.Node(id).Type).Kind == ir.Clock }

// resolver is the state of Resolve on the flat module.
type resolver struct {
	m       *ir.Module
	consts  map[ir.ID]*bits.Value
	inverse map[ir.ID]ir.ID // falling edges of inputs
	levels  map[ir.ID]ir.ID // of inputs
	roots   []ir.ID         // input clocks, in order of discovery
	first   ir.ID           // nodes from this one on were made by the resolver
	made    []*made
	w       placing
	errs    []error
	seen    map[string]bool
}

// made is an item that moves with a computed clock: a register, a statement or a write
// port.
type made struct {
	clk  ir.ID
	reg  ir.ID // None: no register
	stmt int   // -1: no statement
	mem  int32 // of a write port
	port int
	pos  ir.Pos
	what string
}

// fail records an error, once per text.
// The same mistake may be met from several sides.
func (r *resolver) fail(pos ir.Pos, err error, format string, args ...any) {
	text := fmt.Sprintf("%v: %s", r.m.Src.At(pos), fmt.Sprintf(format, args...))
	if r.seen[text] || len(r.errs) >= maxErrors {
		return
	}
	r.seen[text] = true
	if err != nil {
		r.errs = append(r.errs, &boxError{text, err})
		return
	}
	r.errs = append(r.errs, errors.New(text))
}

// boxError is a text that wraps an error.
type boxError struct {
	text string
	err  error
}

func (e *boxError) Error() string { return e.text }
func (e *boxError) Unwrap() error { return e.err }

// run performs the parts in order; later ones see the results of earlier ones.
func (r *resolver) run() {
	// Read ports become registers, clocks are classified, then placed; levels come last.
	r.first = ir.ID(r.m.Len())
	r.readPorts()
	r.sortClocks()
	if len(r.errs) > 0 {
		return
	}
	r.w = placing{r: r, rows: moments.New(r.m, r, true), regs: map[ir.ID]*made{}, writes: map[moments.Port]*made{}}
	r.place()
	if len(r.errs) == 0 {
		r.useLevels()
	}
}

// readPorts replaces the synchronous read ports of computed clocks by registers.
func (r *resolver) readPorts() {
	for i := range r.m.Mems {
		mem := &r.m.Mems[i]
		kept := mem.Reads[:0]
		for _, p := range mem.Reads {
			if k := r.follow(p.Clk, 0); k.made {
				r.readRegister(int32(i), p)
				continue
			}
			r.m.Node(p.Node).Aux2 = int32(len(kept))
			kept = append(kept, p)
		}
		mem.Reads = kept
	}
}

// readRegister replaces a read port by a register on an asynchronous read. The port's node
// becomes the register's.
func (r *resolver) readRegister(mem int32, p ir.ReadPort) {
	m := r.m
	n := *m.Node(p.Node)
	word := m.Add(ir.Node{Op: ir.MemRead, Width: n.Width, Type: n.Type, Pos: p.Pos, Aux: mem}, p.Addr)

	// A port of kind New sees writes on its clock.
	if p.Under == ir.New {
		for _, w := range m.Mems[mem].Writes {
			if w.Clk == p.Clk {
				word = r.Written(w, p.Addr, m.Mems[mem].Depth, word)
			}
		}
	}

	// Without the enable, the register keeps its word.
	if p.En != ir.None {
		word = r.mux(p.En, word, p.Node)
	}

	m.Regs = append(m.Regs, ir.Register{Node: p.Node, Next: word, Clk: p.Clk})
	m.Node(p.Node).Op, m.Node(p.Node).Aux, m.Node(p.Node).Aux2 = ir.Reg, int32(len(m.Regs)-1), 0
}

// sortClocks replaces plain clocks by their input, or its inverse, and lists the items with
// computed clocks.
func (r *resolver) sortClocks() {
	m := r.m
	plain := func(clk *ir.ID, e *made) {
		k := r.follow(*clk, 0)
		if !k.made {
			*clk = r.edge(k)
			return
		}
		e.clk = *clk
		r.made = append(r.made, e)
	}

	// Latches have no clock.
	for i := range m.Regs {
		g := &m.Regs[i]
		if g.Kind == ir.Latch {
			continue
		}
		plain(&g.Clk, &made{reg: g.Node, stmt: -1, pos: m.Node(g.Node).Pos, what: "register " + m.NameOf(g.Node)})
	}

	for i := range m.Mems {
		// The read ports of computed clocks are registers by now.
		for j := range m.Mems[i].Reads {
			p := &m.Mems[i].Reads[j]
			p.Clk = r.edge(r.follow(p.Clk, 0))
		}
		for j := range m.Mems[i].Writes {
			p := &m.Mems[i].Writes[j]
			plain(&p.Clk, &made{stmt: -1, mem: int32(i), port: j, pos: p.Pos, what: "memory " + m.Mems[i].Name})
		}
	}
	for i := range m.Stmts {
		s := &m.Stmts[i]
		plain(&s.Clk, &made{stmt: i, pos: s.Pos, what: "statement " + s.Name})
	}
}

// dissolve makes ordinary modules of black boxes with models that make clocks, since the
// origin of a clock must be known.
func dissolve(d *ir.Design) {
	// By module, as the design is not flat yet.
	for _, m := range d.Modules {
		// Every node that a clock depends on.
		seen := map[ir.ID]bool{}
		var todo []ir.ID
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if isClock(m, id) {
				seen[id] = true
				todo = append(todo, id)
			}
		}
		for len(todo) > 0 {
			id := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if n := m.Node(id); n.Op == ir.InstOut {
				if x := m.Insts[n.Aux].Mod.Extern; x != nil && x.Model {
					m.Insts[n.Aux].Mod.Extern = nil
				}
				continue
			}
			for _, a := range m.Args(id) {
				if a != ir.None && !seen[a] {
					seen[a] = true
					todo = append(todo, a)
				}
			}
		}
	}
}
