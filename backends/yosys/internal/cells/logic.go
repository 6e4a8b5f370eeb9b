package cells

import (
	"slices"
	"strings"

	"etch/ir"
)

// logic lowers the cells of logic that something needs, each after its inputs.
func (l *lowering) logic() {
	groups := l.sorted()

	// Bits of a wide cell may lie in no circle though the cell does: split such cells, and sort
	// again.
	if l.split(groups) {
		groups = l.sorted()
	}
	for _, g := range groups {
		if len(g) > 1 || l.readsItself(g[0]) {
			l.loopError(g)
			return
		}
		l.lowerCell(&l.j.cells[g[0]])
	}
}

func (l *lowering) lowerCell(c *cell) {
	k := kinds[c.kind]
	l.pos, l.reading = l.posOf(c.attrs), c
	k.lower(l, c)
	l.reading = nil
}

// sorted returns the cells of logic in order, as groups that are connected in a
// circle.
func (l *lowering) sorted() [][]int32 {
	s := newSorter(len(l.j.cells), l.reads)

	// The roots of the sort are all users of logic: outputs of the module,
	root := func(list []bit) {
		for _, b := range list {
			if c, ok := l.logicOf(b); ok {
				s.from(c)
			}
		}
	}

	for i := range l.j.ports {
		if p := &l.j.ports[i]; p.dir == "output" {
			root(p.bits)
		}
	}

	// cells that are not logic, but for their clocks,
	for i := range l.j.cells {
		c := &l.j.cells[i]
		if k, ok := kinds[c.kind]; ok && !k.stmt && !k.skip {
			continue
		}
		clocks := map[bit]bool{}
		l.clockPins(c, func(b bit) { clocks[b] = true })
		for k := range c.conns {
			if len(c.conns[k].bits) != 1 || !clocks[c.conns[k].bits[0]] {
				root(l.inputsOf(c, k))
			}
		}
	}

	// ports of memories,
	for _, m := range l.rams {
		for i := range m.reads {
			root(m.reads[i].addr)
			root([]bit{m.reads[i].en, m.reads[i].arst, m.reads[i].srst})
		}
		for i := range m.writes {
			root(m.writes[i].addr)
			root(m.writes[i].data)
			root(m.writes[i].en)
		}
	}

	// clocks, and nets with names, so that they can be looked at.
	root(l.roots)
	for i := range l.j.names {
		if n := &l.j.names[i]; !n.hidden && !slices.ContainsFunc(n.bits, func(b bit) bool { return b >= firstNet && (l.gating[b] || l.clocks[b]) }) {
			root(n.bits)
		}
	}
	return s.groups
}

// logicOf is the cell of logic that makes a net.
func (l *lowering) logicOf(b bit) (int32, bool) {
	if b < firstNet || l.owner[b] == 0 {
		return 0, false
	}
	i := l.owner[b] - 1
	k, ok := kinds[l.j.cells[i].kind]
	return i, ok && !k.skip && !k.stmt
}

// inputsOf returns the bits that connection k brings into a cell; nil for an output.
func (l *lowering) inputsOf(c *cell, k int) []bit {
	out := false
	l.outputsOf(c, func(port string) { out = out || port == c.conns[k].port })

	// The ports of memories are roots of their own.
	if out || c.kind == "$mem" || c.kind == "$mem_v2" {
		return nil
	}
	return c.conns[k].bits
}

// reads calls f with the cells of logic that a cell of logic reads.
func (l *lowering) reads(i int32, f func(int32)) {
	c := &l.j.cells[i]
	for k := range c.conns {
		for _, b := range l.inputsOf(c, k) {
			if from, ok := l.logicOf(b); ok {
				f(from)
			}
		}
	}
}

func (l *lowering) readsItself(i int32) bool {
	itself := false
	l.reads(i, func(from int32) { itself = itself || from == i })
	return itself
}

// split makes single bits of the wide cells that lie in a circle, if their bits
// do not depend on each other: most such circles are none, bit by bit.
func (l *lowering) split(groups [][]int32) bool {
	any := false
	for _, g := range groups {
		if len(g) == 1 && !l.readsItself(g[0]) {
			continue
		}
		for _, i := range g {
			if c := &l.j.cells[i]; kinds[c.kind].lanes && wide(c, "Y") > 1 {
				l.splitCell(i)
				any = true
			}
		}
	}
	return any
}

// splitCell replaces a cell by one for each bit.
func (l *lowering) splitCell(i int32) {
	c := l.j.cells[i]
	y := c.port("Y")

	// Operands are extended by their sign only if both are signed.
	signed := c.flag("A_SIGNED") && (c.port("B") == nil || c.flag("B_SIGNED"))

	// A part has its lane of every wide port and all of the selects.
	for k, b := range y {
		part := cell{name: c.name, hidden: true, kind: c.kind, attrs: c.attrs}
		for _, p := range c.conns {
			switch p.port {
			case "Y":
				part.conns = append(part.conns, conn{"Y", []bit{b}})
			case "S", "EN":
				part.conns = append(part.conns, p)
			default:
				part.conns = append(part.conns, conn{p.port, []bit{laneOf(p.bits, k, signed)}})
			}
		}
		part.absorb()
		l.j.cells = append(l.j.cells, part)
		if b >= firstNet {
			l.owner[b] = int32(len(l.j.cells))
		}
	}

	// The old cell becomes one that means nothing.
	l.j.cells[i].kind, l.j.cells[i].conns = "$scopeinfo", nil
}

// absorb drops the other operand of an and with 0 or an or with 1: a mask of constants
// often decides that a bit lies in no circle.
func (c *cell) absorb() {
	constant := map[string]bit{"$and": bit0, "$or": bit1}
	x, ok := constant[c.kind]
	if a, b := c.port("A"), c.port("B"); ok && (a[0] == x || b[0] == x) {
		a[0], b[0] = x, x
	}
}

// laneOf is bit k of an operand that is extended.
func laneOf(list []bit, k int, signed bool) bit {
	switch {
	case k < len(list):
		return list[k]
	case signed && len(list) > 0:
		return list[len(list)-1]
	}
	return bit0
}

// loopError reports a combinational loop with the places on it.
func (l *lowering) loopError(g []int32) {
	text := ""
	for n, i := range g {
		if n == 5 {
			text += ", …"
			break
		}
		c := &l.j.cells[i]
		if n > 0 {
			text += ", "
		}
		text += strings.TrimSuffix(l.place(c.attrs), ": ") + " (" + c.kind + ")"
	}
	l.r.fail(l.place(l.j.cells[g[0]].attrs), "combinational loop in module %s through %s", userName(l.j), text)
}

// children lowers the modules that this one instantiates.
func (l *lowering) children() {
	for i := range l.j.cells {
		c := &l.j.cells[i]
		if _, ok := kinds[c.kind]; ok {
			continue
		}
		if f, _ := flipFlop(c); f != nil {
			continue
		}

		// A cell that is neither logic nor state is an instance.
		j := l.r.mods[c.kind]
		switch {
		case j == nil && c.kind != "" && c.kind[0] == '$':
			l.fail(c, "cell %s of type %s is not known", c.name, c.kind)
		case j == nil:
			l.fail(c, "instance %s: module %s is not defined", c.name, c.kind)
		case !isBlackBox(j):
			l.r.module(j)
			c.splitConns(j.split)
		}
	}
}

// instances adds the instances, whose inputs are connected later.
func (l *lowering) instances() {
	for i := range l.j.cells {
		c := &l.j.cells[i]
		j := l.r.mods[c.kind]
		if j == nil {
			continue
		}
		child := l.r.done[c.kind]

		// Each set of parameters of a black box has a module of its own.
		if isBlackBox(j) {
			child = l.r.box(j, c, func(b bit) bool { return b >= firstNet && l.clocks[b] })
		}
		if child == nil || child.mod == nil {
			return
		}
		l.pos = l.posOf(c.attrs)
		l.connectInstance(c, child)
	}
}

func (l *lowering) connectInstance(c *cell, child *lowered) {
	at := l.m.AddInst(c.name, child.mod, l.pos)

	// Outputs exist now; inputs may depend on logic that comes later.
	for k, p := range child.mod.Ports {
		list := c.port(p.Name)
		if len(list) != p.Width && len(list) > 0 {
			l.fail(c, "instance %s: port %s of %d bits is connected to %d", c.name, p.Name, p.Width, len(list))
			return
		}
		switch p.Dir {
		case ir.Out:
			l.drive(l.m.Insts[at].Conns[k], list)
		case ir.InOut:
			l.m.Insts[at].Conns[k] = l.connectPad(c, p, list)
		}
	}
	l.later = append(l.later, func() {
		l.pos, l.reading = l.posOf(c.attrs), c
		defer func() { l.reading = nil }()
		for k, p := range child.mod.Ports {
			if p.Dir == ir.In {
				l.m.Insts[at].Conns[k] = l.instanceInput(c, child, k, p)
			}
		}
	})
}

func (l *lowering) instanceInput(c *cell, child *lowered, k int, p ir.Port) ir.ID {
	list := c.port(p.Name)
	switch {
	case p.Type == ir.TypeID(ir.Clock):
		k := l.clockNode(only(list), true, c)

		// A port takes a clock as it is: a gate or a made clock has to be inside with its
		// registers.
		if k.gate != ir.None || k.made != ir.None {
			l.r.dissolve(c.kind)
			l.fail(c, "instance %s: its clock %s is made of logic; flatten the design", c.name, p.Name)
		}
		return k.clk
	case !child.used[k] || len(list) == 0: // it may even be a clock
		return l.value(constBits(make([]bit, p.Width)))
	}
	return l.signal(list)
}
