package hw

import (
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// view is the clock, reset and enable that a register takes from the module view that makes
// it. Its edges are the edges of clk at which gate is high.
type view struct {
	clk   ir.ID
	rst   ir.ID // None: no reset
	gate  ir.ID // None: always
	async bool  // the reset is asynchronous
}

func (m *Module) view() view {
	v := view{clk: m.clock(), gate: m.gate}
	if rst := m.reset(); rst.b != nil {
		v.rst, v.async = rst.id, rst.typ().Kind == ir.AsyncReset
	}
	return v
}

// history holds the registers of a module that only look back, for statements, and the
// flags that say whether they hold a true value yet.
//
// The first value of a register of the past is made up. Beside the register, in the same
// view, stands a flag. Reset clears it; at each edge it takes the conjunction of the flags
// of the pasts that the register's value depends on (high if there are none). Thus the flag
// is high exactly when the register holds the value of that many edges ago, counted from
// the reset. A statement is enabled only while all flags of the pasts in its cone are high,
// and only statements may read the past: a made-up value is never seen.
type history struct {
	list  []past
	at    map[pastKey]int // in list
	of    map[ir.ID]int   // by register
	flags map[flagKey]ir.ID
	made  map[ir.ID]flag
	order []ir.ID // the flags in the order in which they were made

	implied map[[2]ir.ID]bool
	counts  []counter
	counted map[countKey]ir.ID
}

// past is a register that holds its argument as it was one edge of its view ago.
type past struct {
	pastKey
	reg   ir.ID
	root  ir.ID  // the first of the chain of pasts up to here
	stem  string // root's name when its past was asked for
	depth int    // registers in the chain up to here
	set   int32  // of its flag, see cones
}

type pastKey struct {
	view
	arg ir.ID
	typ ir.TypeID
}

// flagKey is a flag by its view and by its input, None for high.
type flagKey struct {
	view
	next ir.ID
}

// flag describes a flag: it is high depth edges after the last reset, if the flags of below
// allow it.
type flag struct {
	view
	depth int
	below []ir.ID
}

// pastOf is the register that holds id, as type t, as it was one edge of v ago.
func (b *body) pastOf(id ir.ID, t ir.TypeID, v view) ir.ID {
	h := b.looksBack()
	key := pastKey{v, id, t}
	if i, ok := h.at[key]; ok {
		return h.list[i].reg
	}

	p := past{pastKey: key, depth: 1, root: id, stem: b.nameOf(id)}

	// A past of a past continues its chain.
	if i, ok := h.of[id]; ok {
		before := &h.list[i]
		p.root, p.stem, p.depth = before.root, before.stem, before.depth+1
	}

	// Reset is for proofs only: a pipeline of flags that is reset and the past of its
	// input are then the same registers.
	p.reg = b.zeroReg(v, b.m.Width(id), t, b.d.pos())
	b.m.Regs[b.m.Node(p.reg).Aux].Next = b.gated(p.reg, id, v.gate)

	h.at[key], h.of[p.reg] = len(h.list), len(h.list)
	h.list = append(h.list, p)
	return p.reg
}

func (b *body) looksBack() *history {
	if b.history == nil {
		b.history = &history{at: map[pastKey]int{}, of: map[ir.ID]int{}, flags: map[flagKey]ir.ID{}, made: map[ir.ID]flag{}, implied: map[[2]ir.ID]bool{}, counted: map[countKey]ir.ID{}}
	}
	return b.history
}

// describePast is the text of a past for messages, "" for another register.
func (b *body) describePast(id ir.ID, depth int) string {
	if b.history == nil {
		return ""
	}
	i, ok := b.history.of[id]
	if !ok {
		return ""
	}
	return "the past of " + b.describe(b.history.list[i].root, depth)
}

// checkPast adds the flags of the past to the enables of statements that look back, and
// reports hardware that reads the past.
func (b *body) checkPast() {
	h := b.history
	if h == nil {
		return
	}

	// Names come before flags, since a flag is named after the pasts that it guards.
	b.namePasts()
	c := &cones{b: b, of: make([]int32, b.m.Len()), state: make([]uint8, b.m.Len()), sets: make([][]ir.ID, 1),
		singles: map[ir.ID]int32{}, unions: map[[2]int32]int32{}, anded: map[int32]ir.ID{}}

	if !b.blind {
		c.reportPast()
	}

	// A statement is enabled only once every past in its condition, enable and arguments exists.
	for i := range b.m.Stmts {
		s := &b.m.Stmts[i]
		set := c.union(c.flags(s.En), c.flags(s.Cond))
		for _, a := range s.Args {
			set = c.union(set, c.flags(a))
		}
		s.En = b.and(c.all(set, s.Pos), s.En)
	}
	b.nameFlags()
}

// flagAfter is the flag of view v whose input is next, the conjunction of the flags of
// below; None stands for always high. Flags with one view and input are shared.
func (b *body) flagAfter(v view, next ir.ID, below []ir.ID, pos ir.Pos) ir.ID {
	h := b.looksBack()

	key := flagKey{v, next}
	if f, ok := h.flags[key]; ok {
		return f
	}

	// The depth orders flags: implies compares two flags of one view by it.
	info := flag{view: v, depth: 1, below: below}
	for _, f := range below {
		info.depth = max(info.depth, h.made[f].depth+1)
	}

	if next == ir.None {
		next = b.high()
	}
	f := b.zeroReg(v, 1, ir.TypeID(ir.Bool), pos)
	b.m.Regs[b.m.Node(f).Aux].Next = b.gated(f, next, v.gate)

	h.flags[key], h.made[f] = f, info
	h.order = append(h.order, f)
	return f
}

// zeroReg is a register of a view that is 0 in reset, or at power-up in a domain
// without reset.
func (b *body) zeroReg(v view, width int, t ir.TypeID, pos ir.Pos) ir.ID {
	id := b.m.AddReg("", width, t, v.clk, pos)

	zero := b.constant(bits.Zero(width), t)
	r := &b.m.Regs[len(b.m.Regs)-1]
	if v.rst == ir.None {
		r.Init = zero
	} else {
		r.Rst, r.Reset, r.Async = v.rst, zero, v.async
	}
	return id
}

// implies reports whether g high implies f high: g is the conjunction of flags below it,
// directly or indirectly of f, and one reset clears both.
func (h *history) implies(g, f ir.ID) bool {
	x, y := h.made[g], h.made[f]

	// A flag implies only flags of the same clock and reset that are high earlier.
	if x.clk != y.clk || x.rst != y.rst || x.depth <= y.depth {
		return false
	}

	// The answer is kept: flags form a graph with shared parts, in which the number of paths can
	// grow exponentially.
	key := [2]ir.ID{g, f}
	is, ok := h.implied[key]
	if !ok {
		is = slices.ContainsFunc(x.below, func(z ir.ID) bool { return z == f || h.implies(z, f) })
		h.implied[key] = is
	}
	return is
}
