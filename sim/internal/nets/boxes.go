package nets

import (
	"etch/sim/internal/program"
	"etch/sim/net"
)

// Machine code does not call the Models of black boxes. Its net has their outputs as inputs, which
// are written between events, and the values at a box's inputs are computed by code of their own.

// boxLeaves makes leaves of the outputs of a group, behind the words of the state.
func (b *Builder) boxLeaves(group int32) {
	g := &b.p.Groups[group]
	for _, o := range g.Outs {
		out := &b.p.Boxes[g.Box].Outs[o]
		for k := range net.Words(out.Width) {
			b.N.Regs = append(b.N.Regs, net.Reg{
				Slot: int32(out.Slot) + int32(k), W: uint8(min(64, out.Width-64*k)), Q: net.None, Next: net.None,
			})
			b.boxed = append(b.boxed, group)
			b.At[out.Slot+uint32(k)] = b.N.Leaf(len(b.N.Regs) - 1)
		}
	}
}

// groupOf is the group of black boxes' outputs that a word of the net belongs to; false if it is none.
func (b *Builder) groupOf(word int) (group int32, ok bool) {
	k := word - int(b.p.State.Hi-b.p.Inputs.Lo)
	if k < 0 || k >= len(b.boxed) {
		return 0, false
	}
	return b.boxed[k], true
}

// BoxLevel is a step towards settled black boxes: first the values at slots are computed, then the
// groups are evaluated.
type BoxLevel struct {
	Groups []int32  // of Program.Groups
	Slots  []uint32 // words at the inputs that the groups need and no earlier level has
}

// BoxLevels puts the groups of outputs in levels: each needs outputs of earlier levels only. The last
// level has no groups: behind it all inputs of boxes with a clock are settled.
func BoxLevels(p *program.Program) ([]BoxLevel, error) {
	b, err := NewBuilder(p)
	if err != nil {
		return nil, err
	}
	l := leveller{b: b, node: make([]int32, len(b.N.N)), group: make([]int32, len(p.Groups)), known: map[uint32]bool{}}

	l.nodes()

	// Each level computes what its groups need and no earlier one has.
	for _, g := range l.order {
		k := int(l.group[g])
		for len(l.levels) <= k {
			l.levels = append(l.levels, BoxLevel{})
		}
		l.levels[k].Groups = append(l.levels[k].Groups, g)
	}
	for k := range l.levels {
		for _, g := range l.levels[k].Groups {
			box := &p.Boxes[p.Groups[g].Box]
			for _, i := range p.Groups[g].Needs() {
				l.need(&l.levels[k], &box.Ins[i])
			}
		}
	}

	// Edges show a Model all inputs.
	last := BoxLevel{}
	for i := range p.Boxes {
		if box := &p.Boxes[i]; box.Ticks() {
			for k := range box.Ins {
				l.need(&last, &box.Ins[k])
			}
		}
	}
	return append(l.levels, last), nil
}

// leveller finds the levels of nodes and groups.
type leveller struct {
	b      *Builder
	node   []int32 // by node: the first level at which its value is settled
	group  []int32 // by group: its level
	order  []int32 // groups, each behind the groups that it needs
	levels []BoxLevel
	known  map[uint32]bool // slots of some level
}

// nodes fills in the levels, in the order in which nodes were made, so that operands come first.
func (l *leveller) nodes() {
	n, p := l.b.N, l.b.p
	ready := make([]bool, len(p.Groups))
	for x := range n.N {
		level := int32(0)
		n.Args(net.ID(x), func(y net.ID) { level = max(level, l.node[y]) })

		// An output of a box is settled one level behind its group. The group's level follows from
		// its inputs, whose nodes have been made before.
		if nd := &n.N[x]; nd.Op == net.Leaf {
			if g, ok := l.b.groupOf(int(nd.Imm)); ok {
				if !ready[g] {
					ready[g], l.group[g] = true, l.inputs(&p.Groups[g])
					l.order = append(l.order, g)
				}
				level = l.group[g] + 1
			}
		}
		l.node[x] = level
	}
}

// inputs is the level at which all inputs of a group are settled.
func (l *leveller) inputs(g *program.BoxGroup) (level int32) {
	for _, i := range g.Needs() {
		in := &l.b.p.Boxes[g.Box].Ins[i]
		for _, x := range l.b.words(in.Slot, in.Width) {
			level = max(level, l.node[x])
		}
	}
	return level
}

// need adds the words of an input to a level. Inputs of the design, state, constants and outputs of
// boxes lie in their slots already.
func (l *leveller) need(to *BoxLevel, in *program.BoxPort) {
	for k := range net.Words(in.Width) {
		slot := in.Slot + uint32(k)
		nd := &l.b.N.N[l.b.At[slot]]
		if slot < l.b.p.Leaves || l.known[slot] || nd.Op == net.Leaf && l.b.N.Regs[nd.Imm].Slot == int32(slot) {
			continue
		}
		l.known[slot] = true
		to.Slots = append(to.Slots, slot)
	}
}
