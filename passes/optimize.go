package passes

import "etch/ir"

// Options are the options of Optimize.
type Options struct {
	KeepNames bool   // keep named values that nothing reads, and the width of those that are
	Flatten   bool   // make one module of the hierarchy first; one that is too large for [Flatten] stays
	Count     *Count // where to add up the changes; may be nil
	Debug     Debug  // see [Debug]
}

// maxRounds bounds the passes through the table. Each pass makes room for others, but less
// each time: three rounds are usual.
const maxRounds = 20

// Optimize returns an optimised copy of a verified design: it repeats the passes of [Table]
// until none changes anything. d itself is not changed. Modules that are no longer used are
// left out.
func Optimize(d *ir.Design, o Options) *ir.Design {
	// A wrong table is a bug in this package.
	if err := checkTable(); err != nil {
		panic(err)
	}
	out := Clone(d)
	run := newRunner(out, &o)
	for round := range maxRounds {
		if changed := run.round(round); changed == 0 || run.stopped {
			break
		}
	}
	run.report()
	out.Modules = append(used(out.Modules, out.Top), out.Top)
	return out
}

// Clone returns a copy of a design with the same node IDs. It shares only positions,
// enumerations and values with d.
func Clone(d *ir.Design) *ir.Design {
	to := map[*ir.Module]*ir.Module{}
	out := &ir.Design{Src: d.Src}
	for _, m := range d.Modules {
		// Children come first, so instances find their copies.
		c := cloneModule(m)
		for i := range c.Insts {
			c.Insts[i].Mod = to[c.Insts[i].Mod]
		}
		to[m] = c
		out.Modules = append(out.Modules, c)
	}
	out.Top = to[d.Top]
	return out
}

func cloneModule(m *ir.Module) *ir.Module {
	out := emptyLike(m)
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		copyNode(out, m, id, m.Args(id))
	}
	// The IDs stay, so references are copied unchanged.
	same := func(id ir.ID) ir.ID { return id }
	refs := refMap{value: same, typed: same}
	out.Ports = append(out.Ports, m.Ports...)
	out.Regs = append(out.Regs, m.Regs...)
	for i := range m.Mems {
		out.Mems = append(out.Mems, refs.memory(&m.Mems[i]))
	}
	for _, inst := range m.Insts {
		out.Insts = append(out.Insts, refs.instance(inst))
	}
	for _, n := range m.Nets {
		out.Nets = append(out.Nets, refs.net(n))
	}
	for _, s := range m.Stmts {
		out.Stmts = append(out.Stmts, refs.stmt(s))
	}
	return out
}
