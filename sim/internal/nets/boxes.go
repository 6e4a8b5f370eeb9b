package nets

import (
	"etch/sim/internal/program"
	"etch/sim/net"
)

// Machine code does not call the Models of black boxes. Its net has their outputs as inputs, which
// are written between events, and the values at a box's inputs are computed by code of their own.

// boxLeaves makes leaves of the outputs of a group, behind the words of the state.
func (b *Builder) boxLeaves(g *program.BoxGroup) {
	for _, o := range g.Outs {
		out := &b.p.Boxes[g.Box].Outs[o]
		for k := range net.Words(out.Width) {
			b.N.Regs = append(b.N.Regs, net.Reg{
				Slot: out.Slot + uint32(k), W: uint8(min(64, out.Width-64*k)), Q: net.None, Next: net.None,
			})
			b.At[out.Slot+uint32(k)] = b.N.Leaf(len(b.N.Regs) - 1)
		}
	}
}

// isBoxed reports whether a state word of the net is an output of a black box.
func (b *Builder) isBoxed(word int) bool {
	slot := b.N.Regs[word].Slot
	return slot >= b.p.Leaves
}

// BoxLevel is a step towards settled black boxes: first the values at slots are computed, then the
// groups are evaluated.
type BoxLevel struct {
	Groups []int32  // of Program.Groups
	Slots  []uint32 // words at the inputs that the groups need; those of earlier levels are left out
}

// BoxLevels puts the groups of outputs in levels: each needs outputs of earlier levels only. The last
// level has no groups: behind it all inputs of boxes with a clock are settled.
func BoxLevels(p *program.Program) ([]BoxLevel, error) {
	b, err := NewBuilder(p)
	if err != nil {
		return nil, err
	}
	l := leveller{b: b, node: make([]int32, len(b.N.N)), group: make([]int32, len(p.Groups)), known: map[uint32]bool{}}

	// Nodes and groups in the order in which they were made, so that operands come first. A group's
	// leaves are found by their slots.
	of := map[uint32]int32{}
	for i := range p.Code {
		if in := &p.Code[i]; in.Code == program.OpModel {
			g := &p.Groups[in.A]
			for _, o := range g.Outs {
				out := &p.Boxes[g.Box].Outs[o]
				for k := range net.Words(out.Width) {
					of[out.Slot+uint32(k)] = int32(in.A)
				}
			}
			l.order = append(l.order, int32(in.A))
		}
	}
	l.nodes(of)

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
	order  []int32 // groups, each behind those that it needs
	levels []BoxLevel
	known  map[uint32]bool // slots of some level
}

// nodes fills in the levels; of gives the group of an output's slot.
func (l *leveller) nodes(of map[uint32]int32) {
	n, p := l.b.N, l.b.p
	ready := make([]bool, len(p.Groups))
	for x := range n.N {
		level := int32(0)
		n.Args(net.ID(x), func(y net.ID) { level = max(level, l.node[y]) })

		// An output of a box is settled one level behind its group. The group's level follows from
		// its inputs, whose nodes have been made before.
		if nd := &n.N[x]; nd.Op == net.Leaf && l.b.isBoxed(int(nd.Imm)) {
			g := of[n.Regs[nd.Imm].Slot]
			if !ready[g] {
				ready[g], l.group[g] = true, l.inputs(&p.Groups[g])
			}
			level = l.group[g] + 1
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
		if slot < l.b.p.Leaves || l.known[slot] || nd.Op == net.Leaf && l.b.N.Regs[nd.Imm].Slot == slot {
			continue
		}
		l.known[slot] = true
		to.Slots = append(to.Slots, slot)
	}
}
