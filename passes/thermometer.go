package passes

import (
	"fmt"
	"sort"

	"etch/ir"
	"etch/ir/bits"
)

// thermometers finds one-bit values that are comparisons of a wider value with a constant,
// directly or behind registers, and the combinations of several of them that are possible
// together. Such bits form thermometer codes.
type thermometers struct {
	m    *ir.Module
	lits map[ir.ID]*literal // nil: not a comparison
}

// literal is a one-bit value that is a function of base: node computes it from base, then
// it passes through registers (levels), with an inversion if invert is set.
type literal struct {
	base   ir.ID
	node   ir.ID
	invert bool    // an odd number of inverters lies between node and the end
	levels []level // registers, the one nearest to the end first
	group  string  // literals must agree in it to be related: base and registers
	breaks []bits.Value
}

// level is a register between node and the literal: the literal's value if the register
// holds its initial or reset value.
type level struct {
	init, reset uint64
	hasReset    bool
}

func newThermometers(m *ir.Module) *thermometers {
	return &thermometers{m: m, lits: map[ir.ID]*literal{}}
}

// restrict marks impossible addresses of t and reports whether there are any. pins are old
// nodes, None for inputs without one.
func (th *thermometers) restrict(t lutTable, pins []ir.ID) (changed bool) {
	lits := make([]*literal, len(pins))
	for i, p := range pins {
		if p != ir.None {
			lits[i] = th.literal(p)
		}
	}

	// Inputs of one group at a time.
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

// combinations returns the possible joint values of literals of one group. Every comparison
// is constant between its breaks, so one sample of base from each interval gives all
// combinations. Registers add those of their initial and reset values.
func (th *thermometers) combinations(lits []*literal, members []int) []uint32 {
	first := lits[members[0]]
	w := th.m.Width(first.base)
	samples := []bits.Value{bits.Zero(w), bits.Zero(w).SetBit(w-1, 1)}
	for _, i := range members {
		samples = append(samples, lits[i].breaks...)
	}
	sort.Slice(samples, func(i, j int) bool { return samples[i].Cmp(samples[j]) < 0 })

	// Equal samples once.
	var all []uint32
	for i, s := range samples {
		if i > 0 && s.Equal(samples[i-1]) {
			continue
		}
		all = append(all, gatherLits(members, func(k int) uint64 { return th.at(lits[k], s) }))
	}

	// A register between base and the literals holds these values for a while.
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

// at is the value of a literal if its base is v.
func (th *thermometers) at(l *literal, v bits.Value) uint64 {
	var args []bits.Value
	for _, a := range th.m.Args(l.node) {
		a = th.m.Unwired(a)
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

// literal returns the literal of a one-bit node, nil if it is not a comparison. Results are
// cached.
func (th *thermometers) literal(id ir.ID) *literal {
	l, ok := th.lits[id]
	if !ok {
		l = th.trace(id)
		th.lits[id] = l
	}
	return l
}

// maxLevels bounds the registers between a literal and its base.
const maxLevels = 8

// trace goes back from a node through wires, inverters and registers to a comparison. The
// bound on steps also ends loops of registers.
func (th *thermometers) trace(id ir.ID) *literal {
	l := &literal{}
	for range 4 * maxLevels {
		id = th.m.Unwired(id)
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

			// Only literals of one base behind registers alike may share a group.
			l.group = fmt.Sprintf("%d%s", l.base, l.group)
			return l
		}
	}
	return nil
}

// register adds a level for a register and returns its input. The register must have an
// initial value, or its content could be anything.
func (th *thermometers) register(l *literal, reg *ir.Register) (ir.ID, bool) {
	if reg.Init == ir.None || len(l.levels) == maxLevels || reg.Kind == ir.Latch {
		return ir.None, false
	}
	// The values at the literal's end, behind the inverters so far.
	flip := uint64(0)
	if l.invert {
		flip = 1
	}

	lv := level{init: th.m.ConstOf(reg.Init).Uint64() ^ flip}
	rst := ir.None
	if reg.Rst != ir.None {
		rst = th.m.Unwired(reg.Rst)
		lv.reset, lv.hasReset = th.m.ConstOf(reg.Reset).Uint64()^flip, true
	}

	// An enable holds the register; it must be the same for related literals.
	next, enable, polarity := th.m.Unwired(reg.Next), ir.None, false
	if th.m.Op(next) == ir.Mux {
		args := th.m.Args(next)
		x, y := th.m.Unwired(args[1]), th.m.Unwired(args[2])
		switch reg.Node {
		case y:
			next, enable, polarity = x, th.m.Unwired(args[0]), true
		case x:
			next, enable = y, th.m.Unwired(args[0])
		}
	}

	l.levels = append(l.levels, lv)
	l.group += fmt.Sprintf(" %d %d %t %d %t", th.m.Unwired(reg.Clk), rst, reg.Async, enable, polarity)
	return next, true
}

// comparison recognises a comparison with a constant. breaks are the values of base at
// which the result may change from that of the value before; 0 and the least negative value
// are breaks of every comparison.
func (th *thermometers) comparison(l *literal, id ir.ID) bool {
	m := th.m
	args := m.Args(id)
	l.node = id
	switch m.Op(id) {
	case ir.Eq, ir.Lt, ir.LtS:
		x, y := m.Unwired(args[0]), m.Unwired(args[1])
		if m.Op(x) == ir.Const {
			x, y = y, x
		}
		if m.Op(x) == ir.Const || m.Op(y) != ir.Const {
			return false
		}
		l.base = x
		c := m.ConstOf(y)
		l.breaks = []bits.Value{c, c.Add(bits.New(c.Width(), 1))}
	// x != 0 and x == -1 change at 1 and at all ones.
	case ir.RedOr, ir.RedAnd:
		l.base = m.Unwired(args[0])
		w := m.Width(l.base)
		l.breaks = []bits.Value{bits.New(w, 1), bits.Ones(w)}
	// The sign of x changes at the least negative value only.
	case ir.Slice:
		l.base = m.Unwired(args[0])
		return m.Width(id) == 1 && int(m.Node(id).Aux) == m.Width(l.base)-1 && m.Op(l.base) != ir.Const
	default:
		return false
	}
	return m.Op(l.base) != ir.Const
}
