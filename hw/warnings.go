package hw

import (
	"etch/ir"
)

// Warnings lists the unused parts of a design that Build accepted: inputs, registers,
// wires, memories and outputs of instances whose value reaches none of an output, a memory
// that is read, an instance or a statement. Of several that only feed one another, the last
// ones are named. [Unused] marks values that are unread on purpose. Models of black boxes
// are not checked.
func Warnings(d *ir.Design) Errors {
	var out Errors
	if d == nil {
		return nil
	}
	for _, m := range d.Modules {
		if m.Extern == nil {
			out = append(out, newReaders(m).warnings()...)
		}
	}
	return out
}

// WarningsAreErrors makes Build fail where there are [Warnings].
func WarningsAreErrors() Option { return func(d *design) { d.strict = true } }

// Unused marks values, signals or bundles, that are unread on purpose: they give no
// warning.
//
//	hw.Unused(m, p.Strobe, fifo.Count)
func Unused[T any](m *Module, xs ...T) {
	if m.finished("Unused") {
		return
	}
	for _, x := range xs {
		for _, s := range scalars(&x) {
			one := [1]sig{s}
			if !m.b.resolve("Unused", one[:], false) {
				m.b.m.Unused = append(m.b.m.Unused, one[0].id)
			}
		}
	}
}

// readers knows which values of a module reach something.
type readers struct {
	m    *ir.Module
	live []bool // by node: its value reaches something that can be seen
	mems []bool // by memory: so do its words
	work []ir.ID
}

func newReaders(m *ir.Module) *readers {
	r := &readers{m: m, live: make([]bool, m.Len()), mems: make([]bool, len(m.Mems))}
	r.observe()
	return r
}

// observe marks the values that can be seen from outside or by a statement, and everything
// they depend on. A work list replaces recursion.
func (r *readers) observe() {
	r.roots()
	for len(r.work) > 0 {
		id := r.work[len(r.work)-1]
		r.work = r.work[:len(r.work)-1]
		r.follow(id)
	}
}

// see marks nodes and puts them on the work list; None is none.
func (r *readers) see(ids ...ir.ID) {
	for _, id := range ids {
		if id != ir.None && !r.live[id] {
			r.live[id] = true
			r.work = append(r.work, id)
		}
	}
}

// roots marks outputs, inputs of instances, operands of statements, drivers of nets, and values
// marked as unused.
func (r *readers) roots() {
	m := r.m

	// Seen from outside, through outputs and through instances: a module below warns of the inputs
	// that it does not read by itself.
	for _, p := range m.Ports {
		if p.Dir == ir.Out {
			r.see(p.Node)
		}
	}
	for i := range m.Insts {
		for j, p := range m.Insts[i].Mod.Ports {
			if p.Dir != ir.Out {
				r.see(m.Insts[i].Conns[j])
			}
		}
	}

	// Seen by statements and nets, or left unused on purpose.
	for i := range m.Stmts {
		s := &m.Stmts[i]
		r.see(s.Clk, s.En, s.Cond)
		r.see(s.Args...)
	}
	for i := range m.Nets {
		for _, d := range m.Nets[i].Drivers {
			r.see(d.Value, d.En)
		}
	}
	r.see(m.Unused...)
}

// follow marks the sources of a live value. A memory is live once one of its reads is, and then
// all of its writes are.
func (r *readers) follow(id ir.ID) {
	m := r.m
	r.see(m.Args(id)...)
	switch n := m.Node(id); n.Op {
	case ir.Reg:
		g := &m.Regs[n.Aux]
		r.see(g.Next, g.Clk, g.Rst, g.Reset)
	case ir.MemRead:
		r.memory(n.Aux)
	case ir.MemOut:
		r.memory(n.Aux)
		p := &m.Mems[n.Aux].Reads[n.Aux2]
		r.see(p.Clk, p.Addr, p.En)
	}
}

// memory marks the writes of a memory.
func (r *readers) memory(i int32) {
	if r.mems[i] {
		return
	}
	r.mems[i] = true
	for _, w := range r.m.Mems[i].Writes {
		r.see(w.Clk, w.Addr, w.Data, w.En, w.Mask)
	}
}
