package fuzz

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// remaker makes a smaller design: it applies edits, changes widths, and leaves out nodes on
// which no output and no statement depends. Values are cut or zero-extended where they no longer
// fit.
type remaker struct {
	d     *ir.Design
	edits map[edit]bool
	width func(w int) int // new width of a value of w bits; nil: unchanged
	plain bool            // without names, types and positions
	live  map[*ir.Module]*liveness
	made  map[*ir.Module]*remade
	// added has the inputs that stand for nodes of the top, by node.
	added map[ir.ID]string
}

// liveness is the parts of a module that are needed.
type liveness struct {
	nodes, insts, mems, outs []bool
	said                     bool // it or a module below has statements
}

// remade is a new module.
type remade struct {
	m    *ir.Module
	port []int // new index by old, -1: gone
}

// remake returns the smaller design. It may be invalid; the caller verifies it.
func (r *remaker) remake() *ir.Design {
	r.live, r.made, r.added = map[*ir.Module]*liveness{}, map[*ir.Module]*remade{}, map[ir.ID]string{}

	// A module with statements is live for itself; children come first in the list.
	for k, m := range r.d.Modules {
		l := &liveness{nodes: make([]bool, m.Len()), insts: make([]bool, len(m.Insts)), mems: make([]bool, len(m.Mems)), outs: make([]bool, len(m.Ports))}
		for i := range m.Stmts {
			l.said = l.said || !r.edits[edit{kind: dropStmt, mod: k, i: i}]
		}
		for i := range m.Insts {
			l.said = l.said || r.live[m.Insts[i].Mod].said
		}
		r.live[m] = l
	}

	// Parents before children: they say which outputs of a child are needed.
	for k := len(r.d.Modules) - 1; k >= 0; k-- {
		r.mark(k)
	}

	// Children before parents: a copy needs the copies of its children.
	out := &ir.Design{Src: r.d.Src}
	for k, m := range r.d.Modules {
		if m == r.d.Top || r.used(m) {
			out.Modules = append(out.Modules, r.module(k))
		}
	}
	out.Top = r.made[r.d.Top].m
	return out
}

// used reports whether a live instance of a module exists.
func (r *remaker) used(child *ir.Module) bool {
	for _, m := range r.d.Modules {
		for i := range m.Insts {
			if m.Insts[i].Mod == child && r.live[m].insts[i] && (m == r.d.Top || r.used(m)) {
				return true
			}
		}
	}
	return false
}

// to returns the node that takes the place of another one after the edits; cut reports that it
// becomes an input or a constant.
func (r *remaker) to(k int, id ir.ID) (_ ir.ID, cut bool) {
	m := r.d.Modules[k]
	for {
		// An edit that cuts the node off is final; toArg leads on to the argument's own edits.
		for _, kind := range []editKind{toInput, toZero, toOnes} {
			if r.edits[edit{kind: kind, mod: k, node: id}] {
				return id, true
			}
		}
		next := id
		for j, a := range m.Args(id) {
			if r.edits[edit{kind: toArg, mod: k, node: id, j: j}] {
				next = a
				break
			}
		}
		if next == id {
			return id, false
		}
		id = next
	}
}

// write returns a write port after the edits, nil if it is gone. read, stmt and register do the
// same for their tables.
func (r *remaker) write(k, i, j int) *ir.WritePort {
	if r.edits[edit{kind: dropWrite, mod: k, i: i, j: j}] {
		return nil
	}
	w := r.d.Modules[k].Mems[i].Writes[j]
	if r.edits[edit{kind: dropMask, mod: k, i: i, j: j}] {
		w.Mask = ir.None
	}
	if r.edits[edit{kind: dropWriteEn, mod: k, i: i, j: j}] {
		w.En = ir.None
	}
	return &w
}

// read returns a read port after the edits.
func (r *remaker) read(k, i, j int) *ir.ReadPort {
	p := r.d.Modules[k].Mems[i].Reads[j]
	if r.edits[edit{kind: dropReadEn, mod: k, i: i, j: j}] {
		p.En = ir.None
	}
	if r.edits[edit{kind: readOld, mod: k, i: i, j: j}] {
		p.Under = ir.Old
	}
	return &p
}

// stmt returns a statement after the edits, nil if it is gone.
func (r *remaker) stmt(k, i int) *ir.Stmt {
	if r.edits[edit{kind: dropStmt, mod: k, i: i}] {
		return nil
	}
	s := r.d.Modules[k].Stmts[i]
	if r.edits[edit{kind: dropArgs, mod: k, i: i}] {
		s.Format, s.Args = "", nil
	}
	if r.edits[edit{kind: dropEnable, mod: k, i: i}] {
		s.En = ir.None
	}
	return &s
}

// register returns a register after the edits.
func (r *remaker) register(k, i int) *ir.Register {
	g := r.d.Modules[k].Regs[i]

	// Without a reset, an asynchronous one makes no sense, and a latch has no enable.
	if r.edits[edit{kind: noReset, mod: k, i: i}] {
		g.Kind, g.Rst, g.Reset, g.Async = ir.FlipFlop, ir.None, ir.None, false
	}
	if r.edits[edit{kind: noAsync, mod: k, i: i}] {
		g.Async = false
	}
	if r.edits[edit{kind: noInit, mod: k, i: i}] {
		g.Init = ir.None
	}
	return &g
}

// depth returns the depth of memory i after the edits.
func (r *remaker) depth(k, i int) int {
	n := r.d.Modules[k].Mems[i].Depth
	if r.edits[edit{kind: halveDepth, mod: k, i: i}] {
		n /= 2
	}
	if r.edits[edit{kind: lessDepth, mod: k, i: i}] {
		n--
	}
	return max(n, 1)
}

// fitted returns a value cut or extended to w bits.
func fitted(v bits.Value, w int) bits.Value {
	if v.Width() > w {
		return v.Trunc(w)
	}
	return v.ZExt(w)
}

// inputName returns the name of the input that stands for a node.
func inputName(m *ir.Module, id ir.ID) string {
	name := fmt.Sprintf("cut%d", id)
	for m.PortIndex(name) >= 0 {
		name += "_"
	}
	return name
}
