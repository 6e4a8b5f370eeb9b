package passes

import (
	"fmt"
	"sort"

	"etch/ir"
	"etch/ir/bits"
)

// thermometers knows which one-bit values are comparisons of a wider value with a
// constant, at once or behind registers, and which combinations of several of
// them can occur together.
type thermometers struct {
	m    *ir.Module
	lits map[ir.ID]*literal // nil: not a comparison
}

// literal is a one-bit value that is a function of base: node computes it from
// base, then it passes through levels of registers, inverted where inverted says.
type literal struct {
	base   ir.ID
	node   ir.ID
	invert bool    // from node to the end, an odd number of inverters
	levels []level // registers, the one nearest to the end first
	group  string  // what literals must agree in to be related
	breaks []bits.Value
}

// level is a register on the way: what the end of the way is when the register
// holds its initial and its reset value.
type level struct {
	init, reset uint64
	hasReset    bool
}

func newThermometers(m *ir.Module) *thermometers {
	return &thermometers{m: m, lits: map[ir.ID]*literal{}}
}

// restrict marks addresses of t that cannot occur and reports whether there are
// any. pins are old nodes, None where there is none.
func (th *thermometers) restrict(t lutTable, pins []ir.ID) (changed bool) {
	lits := make([]*literal, len(pins))
	for i, p := range pins {
		if p != ir.None {
			lits[i] = th.literal(p)
		}
	}
	done := make([]bool, len(pins))
	for i := range pins {
		if lits[i] == nil || done[i] {
			continue
		}
		var members []int
		for j := i; j < len(pins); j++ {
			if lits[j] != nil && lits[j].group == lits[i].group {
				members, done[j] = append(members, j), true
			}
		}
		if len(members) > 1 && t.restrict(members, th.combinations(lits, members)) {
			changed = true
		}
	}
	return changed
}

// combinations returns the values that literals of one group can have together.
func (th *thermometers) combinations(lits []*literal, members []int) []uint32 {
	first := lits[members[0]]
	w := th.m.Width(first.base)
	samples := []bits.Value{bits.Zero(w), bits.Zero(w).SetBit(w-1, 1)}
	for _, i := range members {
		samples = append(samples, lits[i].breaks...)
	}
	sort.Slice(samples, func(i, j int) bool { return samples[i].Cmp(samples[j]) < 0 })
	var all []uint32
	for i, s := range samples {
		if i > 0 && s.Equal(samples[i-1]) {
			continue
		}
		all = append(all, gatherLits(members, func(k int) uint64 { return th.at(lits[k], s) }))
	}
	for d := range first.levels {
		all = append(all, gatherLits(members, func(k int) uint64 { return lits[k].levels[d].init }))
		if first.levels[d].hasReset {
			all = append(all, gatherLits(members, func(k int) uint64 { return lits[k].levels[d].reset }))
		}
	}
	return all
}

func gatherLits(members []int, value func(i int) uint64) uint32 {
	c := uint32(0)
	for k, i := range members {
		c |= uint32(value(i)) << k
	}
	return c
}

// at is the value of a literal when its base is v.
func (th *thermometers) at(l *literal, v bits.Value) uint64 {
	var args []bits.Value
	for _, a := range th.m.Args(l.node) {
		a = strip(th.m, a)
		if a == l.base {
			args = append(args, v)
		} else {
			args = append(args, th.m.ConstOf(a))
		}
	}
	b := ir.Eval(th.m, l.node, args).Uint64()
	if l.invert {
		b ^= 1
	}
	return b
}

// literal looks at a one-bit node; nil if it is no comparison.
func (th *thermometers) literal(id ir.ID) *literal {
	l, ok := th.lits[id]
	if !ok {
		l = th.trace(id)
		th.lits[id] = l
	}
	return l
}

// maxLevels is how many registers a literal is followed through.
const maxLevels = 8

func (th *thermometers) trace(id ir.ID) *literal {
	l := &literal{}
	for range 4 * maxLevels {
		id = strip(th.m, id)
		switch th.m.Op(id) {
		case ir.Not:
			l.invert = !l.invert
			id = th.m.Args(id)[0]
		case ir.Reg:
			next, ok := th.register(l, &th.m.Regs[th.m.Node(id).Aux])
			if !ok {
				return nil
			}
			id = next
		default:
			if !th.comparison(l, id) {
				return nil
			}
			l.group = fmt.Sprintf("%d%s", l.base, l.group)
			return l
		}
	}
	return nil
}

// register adds a level and returns what the register takes. The register must
// start in a known value, or anything could be in it.
func (th *thermometers) register(l *literal, reg *ir.Register) (ir.ID, bool) {
	if reg.Init == ir.None || len(l.levels) == maxLevels || th.m.IsLatch(reg) {
		return ir.None, false
	}
	flip := uint64(0)
	if l.invert {
		flip = 1
	}
	lv := level{init: th.m.ConstOf(reg.Init).Uint64() ^ flip}
	rst := ir.None
	if reg.Rst != ir.None {
		rst = strip(th.m, reg.Rst)
		lv.reset, lv.hasReset = th.m.ConstOf(reg.Reset).Uint64()^flip, true
	}
	next, enable, polarity := strip(th.m, reg.Next), ir.None, false
	if th.m.Op(next) == ir.Mux {
		args := th.m.Args(next)
		x, y := strip(th.m, args[1]), strip(th.m, args[2])
		switch reg.Node {
		case y:
			next, enable, polarity = x, strip(th.m, args[0]), true
		case x:
			next, enable = y, strip(th.m, args[0])
		}
	}
	l.levels = append(l.levels, lv)
	l.group += fmt.Sprintf(" %d %d %t %d %t", strip(th.m, reg.Clk), rst, reg.Async, enable, polarity)
	return next, true
}

// comparison reads a comparison with a constant. breaks are the values of the
// base from which on the result may differ from that of the value before; 0 and
// the least negative value are among everyone's.
func (th *thermometers) comparison(l *literal, id ir.ID) bool {
	m := th.m
	args := m.Args(id)
	l.node = id
	switch m.Op(id) {
	case ir.Eq, ir.Lt, ir.LtS:
		x, y := strip(m, args[0]), strip(m, args[1])
		if m.Op(x) == ir.Const {
			x, y = y, x
		}
		if m.Op(x) == ir.Const || m.Op(y) != ir.Const {
			return false
		}
		l.base = x
		c := m.ConstOf(y)
		l.breaks = []bits.Value{c, c.Add(bits.New(c.Width(), 1))}
	case ir.RedOr, ir.RedAnd:
		l.base = strip(m, args[0])
		w := m.Width(l.base)
		l.breaks = []bits.Value{bits.New(w, 1), bits.Ones(w)}
	case ir.Slice:
		l.base = strip(m, args[0])
		return m.Width(id) == 1 && int(m.Node(id).Aux) == m.Width(l.base)-1 && m.Op(l.base) != ir.Const
	default:
		return false
	}
	return m.Op(l.base) != ir.Const
}
