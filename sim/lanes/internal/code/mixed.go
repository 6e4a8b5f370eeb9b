package code

import (
	"etch/sim/choose"
	"etch/sim/native/vector"
	"etch/sim/net"
)

// Mixed form has some words and memories of a net in sliced form, for all instances of a group,
// and the others in word form, subgroup by subgroup. Nodes have forms too (division). A cycle is a
// sequence of stages: alternately nodes in word form, for one subgroup after the other, and nodes in
// sliced form. A stage uses results of earlier stages. Values pass between forms as bits of the
// sliced state.
//
//	stage 0  word form    from words of both forms
//	stage 1  sliced form  …
//	stage 2  word form    from results of stages 0 and 1
//
// A word takes its next value in the first stage of its form after the last use of its old
// value.

// mixedLayout is the layouts of the two forms of a state in Mixed form.
type mixedLayout struct {
	*division
	of [2]*Layout // by form
}

func newMixedLayout(n *net.Net, tables [][]uint64, d *division, pol *choose.LaneCode) *Layout {
	l := &Layout{pol: pol, Form: Mixed, tables: tables, mixed: &mixedLayout{division: d}}
	for _, f := range []Form{Sliced, Words} {
		l.mixed.of[f] = layoutOf(n, tables, f, d, pol)
	}
	l.Reg, l.width, l.mems = make([]int32, len(n.Regs)), l.mixed.of[Sliced].width, l.mixed.of[Words].mems
	return l
}

// stager makes the stages of a net.
type stager struct {
	*staging
	layout *Layout
	bits   map[net.ID]int32 // by value passed between stages: its first slot in the sliced state
	words  map[net.ID]int32 // the same in the state of subgroups
	extra  [2]int           // slots of such values, by form
}

// compileMixed makes the program of a net in Mixed form.
func compileMixed(n *net.Net, l *Layout, t Target) (Program, error) {
	// Words and memories keep the forms that the layout gives them.
	d := newDivision(n, l.mixed.division, l.pol)
	if !d.found {
		return nil, ErrTooLarge
	}
	p, err := compileDivided(n, l, t, d)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// compileDivided makes the program of a net whose nodes have the forms of d.
func compileDivided(n *net.Net, l *Layout, t Target, d *division) (*staged, error) {
	s := &stager{staging: newStaging(n, d, l.mixed.division), layout: l, bits: map[net.ID]int32{}, words: map[net.ID]int32{}}
	s.places()
	p := &staged{t: t, l: l, extra: s.extra}

	// Stages without work have no program.
	for k := range s.last + 1 {
		sub, sl := s.net(k)
		if sub == nil {
			continue
		}

		q, err := compileStage(sub, sl, t)
		if err != nil {
			p.Close()
			return nil, err
		}
		// Run must know which stage can stop.
		if sub.Stop >= 0 {
			p.stop = len(p.stages)
		}
		p.stages = append(p.stages, stage{q, sl.Form})
	}
	return p, nil
}

// compileStage makes the program of a stage.
func compileStage(n *net.Net, l *Layout, t Target) (*plain, error) {
	if l.Form == Sliced {
		return compilePlain(n, l, t)
	}

	w := newWorder(n, l, t, vector.NewCode())
	w.c.InSubgroups()
	w.cycle()
	if w.fail {
		return nil, errNoWords
	}
	w.c.Settle()
	return newPlain(w.c.Allocate(t.Regs), l, t)
}

// places assigns slots to values that pass between stages.
func (s *stager) places() {
	for x := range s.n.N {
		w := int(s.n.N[x].W)

		// A value may have a place in each form.
		if s.leaves[x]&toSlices != 0 {
			s.bits[net.ID(x)] = int32(s.layout.mixed.of[Sliced].Slots + s.extra[Sliced])
			s.extra[Sliced] += w
		}
		if s.leaves[x]&toWords != 0 {
			s.words[net.ID(x)] = int32(s.layout.mixed.of[Words].Slots + s.extra[Words])
			s.extra[Words] += vectors(uint8(w))
		}
	}
}

// stageNet is the net of a stage under construction.
type stageNet struct {
	*stager
	k    int
	to   *net.Net
	l    *Layout // the stage's layout, including values from and to other stages
	memo map[net.ID]net.ID
	some bool
}

// net makes the net of stage k and its layout; nil if the stage has no work.
func (s *stager) net(k int) (*net.Net, *Layout) {
	// The stage shares the state of its form and adds slots of its own.
	own := *s.layout.mixed.of[formOf(k)]
	b := &stageNet{stager: s, k: k, to: net.New(), l: &own, memo: map[net.ID]net.ID{}}
	b.to.Mems = s.n.Mems
	own.Reg, own.width = append([]int32(nil), own.Reg...), append([]uint8(nil), own.width...)
	own.bit = make([]bool, len(own.Reg))

	for r := range s.n.Regs {
		b.to.Regs = append(b.to.Regs, net.Reg{W: s.n.Regs[r].W, Q: net.None, Next: net.None})
	}

	// Effects of the stage: stop, values for other stages, next values, writes.
	if s.n.Stop >= 0 && s.stop == k {
		b.to.Stop, b.some = b.node(s.n.Stop), true
	}
	for x := range s.n.N {
		if s.leaves[x] != 0 && s.stage[x] == k {
			b.keep(net.ID(x))
		}
	}
	for r := range s.n.Regs {
		if d := s.n.Regs[r].Next; d >= 0 && s.commit[r] == k {
			b.to.Regs[r].Next, b.some = b.node(d), true
		}
	}

	b.writes()
	if !b.some {
		return nil, nil
	}
	return b.to.Compact(), &own
}

// writes adds the writes of this stage.
func (b *stageNet) writes() {
	for _, w := range b.n.Writes {
		if b.write[w.Mem] != b.k {
			continue
		}
		b.to.Writes, b.some = append(b.to.Writes, w.Map(b.node)), true
	}
}

// word adds a state word of w bits in the given slot. bit says that it is a bit of the sliced
// state, in a stage of word form.
func (b *stageNet) word(w uint8, slot int32, bit bool) int {
	b.to.Regs = append(b.to.Regs, net.Reg{W: w, Q: net.None, Next: net.None})
	b.l.Reg, b.l.width, b.l.bit = append(b.l.Reg, slot), append(b.l.width, w), append(b.l.bit, bit)
	return len(b.to.Regs) - 1
}

// keep stores value x for other stages.
func (b *stageNet) keep(x net.ID) {
	b.some = true
	v, w := b.node(x), b.n.N[x].W
	if slot, ok := b.words[x]; ok {
		b.to.Regs[b.word(w, slot, false)].Next = v
	}

	// A word-form stage stores bits one by one.
	slot, ok := b.bits[x]
	switch {
	case !ok:
	case formOf(b.k) == Sliced:
		b.to.Regs[b.word(w, slot, false)].Next = v
	default:
		for i := range w {
			b.to.Regs[b.word(1, slot+int32(i), true)].Next = b.to.Slice(v, i, 1)
		}
	}
}

func (b *stageNet) node(x net.ID) net.ID {
	if x < 0 {
		return x
	}
	z, ok := b.memo[x]
	if !ok {
		z = b.make(x)
		b.memo[x] = z
	}
	return z
}

// make makes node x: computed here, or read from the state in the form at hand.
func (b *stageNet) make(x net.ID) net.ID {
	nd, f := &b.n.N[x], formOf(b.k)
	switch {
	case nd.Op == net.Const:
		return b.to.Const(nd.Imm)
	case b.form[x] == f && nd.Op == net.Leaf:
		return b.to.Leaf(int(nd.Imm))
	case b.form[x] == f && (b.stage[x] == b.k || b.stage[x] < 0):
		return b.to.Copy(b.n, x, b.node)
	case f == Sliced:
		return b.to.Leaf(b.word(nd.W, b.bits[x], false))
	case b.form[x] == Words:
		return b.to.Leaf(b.word(nd.W, b.words[x], false))
	}

	// From sliced state to a word: bit by bit.
	var z net.ID
	for i := range nd.W {
		bit := b.to.Leaf(b.word(1, b.bitSlot(x, i), true))
		if i > 0 {
			bit = b.to.Cat(bit, z, i)
		}
		z = bit
	}
	return z
}

// bitSlot is the slot of the sliced state that holds bit i of value x.
func (b *stageNet) bitSlot(x net.ID, i uint8) int32 {
	// A slice without stage is read from its word directly.
	for ; b.stage[x] < 0; x = b.n.N[x].A {
		nd := &b.n.N[x]
		if nd.Op == net.Leaf {
			return b.layout.mixed.of[Sliced].Reg[nd.Imm] + int32(i)
		}
		i += uint8(nd.Imm) // a slice
	}
	return b.bits[x] + int32(i)
}
