package hw

import (
	"slices"

	"etch/ir"
)

// A part of a target, some of its bits, can be Set by itself: r.Bit(3).Set, r.Range(7,
// 4).Set. Such a target holds a list of pieces instead of one value while it is built:
// disjoint, lowest first, together all of its bits. Each piece has a value, holes and a
// last Set of its own. Thus every rule about a target holds bit by bit: the last Set wins,
// a second one in a block is a mistake, a wire is set on every path. Lists are immutable,
// since blocks share them with the blocks around them. finish joins the pieces into one
// driver.

// piece is some bits of a target.
type piece struct {
	lo, width int
	cur       value
	setIn     int32 // as of a target
	setAt     ir.Pos
	cond      bool // the last Set was conditional
}

// sliceKey is a part of a node that a block has needed.
type sliceKey struct {
	id        ir.ID
	lo, width int
}

// parts are the tables of a module under construction about parts of its targets.
type parts struct {
	split   map[int32]bool // targets in pieces, now or before
	slices  map[sliceKey]ir.ID
	joined  map[ir.ID][]piece // in the end, by the node of the target
	reads   map[ir.ID]string  // former slices of one of these, as their designer wrote them
	byNode  map[ir.ID]int32   // the targets before entered
	entered int32
}

// rootOf follows slices to the node that they are part of, and returns it with the lowest
// bit in it. A node that is no slice is its own root.
func (b *body) rootOf(id ir.ID) (root ir.ID, lo int) {
	for b.m.Op(id) == ir.Slice {
		lo += int(b.m.Node(id).Aux)
		id = b.m.Args(id)[0]
	}
	return id, lo
}

// partOf finds the target of which a signal is a part. Enumerations and clocks have no
// parts.
func (b *body) partOf(s sig) (at int32, lo int, ok bool) {
	if !s.isPlain() || b.m.Op(s.id) != ir.Slice {
		return 0, 0, false
	}

	root, lo := b.rootOf(s.id)
	if k := b.m.TypeOf(b.m.Node(root).Type).Kind; k == ir.EnumKind || k == ir.Clock {
		return 0, 0, false
	}

	at, ok = b.targetOf(root)
	return at, lo, ok
}

// targetOf is the target that a node stands for. The table is filled lazily: targets made
// since the last call are entered first.
func (b *body) targetOf(id ir.ID) (at int32, ok bool) {
	if b.parts.byNode == nil {
		b.parts.byNode = map[ir.ID]int32{}
	}
	for ; b.parts.entered < b.targets.n; b.parts.entered++ {
		if t := b.targets.at(b.parts.entered); t.kind != portTarget {
			b.parts.byNode[t.id] = b.parts.entered
		}
	}
	at, ok = b.parts.byNode[id]
	return at, ok
}

// assignPart drives some bits of a target: the pieces of these bits are replaced by one.
func (b *body) assignPart(op string, dst, src sig) {
	b.flush()
	at, lo, _ := b.partOf(dst)

	pos, width := b.d.pos(), dst.Width()
	xs := [2]sig{dst, src}
	if _, bad := b.agree(op, ir.UInt, xs[:]); bad {
		xs[1] = sig{b: b, id: b.filler(dst)}
	}

	// The pieces are cut at both ends of the part; those between give way to one.
	t := b.targets.at(at)
	old := b.cutAt(t, []int{lo, lo + width})
	from := slices.IndexFunc(old, func(p piece) bool { return p.lo == lo })
	to := from
	for to < len(old) && old[to].lo < lo+width {
		to++
	}

	// A piece that this block has set already would be lost.
	for _, p := range old[from:to] {
		if p.setIn == b.frame.serial {
			b.twice(op, bitRange(p.lo, p.width)+" of "+b.describe(t.id, 2), p.width, p.cond, p.setAt)
			break
		}
	}

	set := piece{lo, width, value{id: xs[1].id, pos: pos}, b.frame.serial, pos, false}
	b.putPieces(at, slices.Concat(old[:from], []piece{set}, old[to:]), pos, false)
}

// twice reports a second Set in one block.
func (b *body) twice(op, name string, width int, cond bool, first ir.Pos) {
	what, verb := "set", "is"
	if cond {
		what = "set under a condition"
	}
	if width > 1 {
		verb = "are"
	}
	note := Note{b.d.src.At(first), "first " + what + " here"}
	b.d.report(newDiag("twice", []Note{note}, "%s: %s %s already %s in this block, and that is lost", op, name, verb, what))
}

// putPieces is put for a target in pieces.
func (b *body) putPieces(at int32, pieces []piece, pos ir.Pos, cond bool) {
	if b.parts.split == nil {
		b.parts.split = map[int32]bool{}
	}
	b.parts.split[at] = true
	b.put(at, value{}, pos, cond)
	b.targets.at(at).pieces = pieces
}

// cutAt is the pieces of a target, cut further at the given bits.
func (b *body) cutAt(t *target, at []int) (out []piece) {
	whole := piece{0, b.m.Width(t.id), t.cur, t.setIn, t.setAt, t.part}

	// A target that is not in pieces is one piece.
	old := t.pieces
	if old == nil {
		old = []piece{whole}
	}

	at = append(slices.Clone(at), whole.width)
	slices.Sort(at)

	for _, p := range old {
		from, end := p.lo, p.lo+p.width
		for _, c := range at {
			if c = min(c, end); from < c {
				out = append(out, b.within(p, from, c-from))
				from = c
			}
		}
	}
	return out
}

// within is a part of a piece.
func (b *body) within(p piece, lo, width int) piece {
	p.cur = b.sliceOf(p.cur, lo-p.lo, width)
	p.lo, p.width = lo, width
	return p
}

// sliceOf is some bits of a value. Equal slices of a node are one node, so that branches
// that leave a piece alone agree about it.
func (b *body) sliceOf(v value, lo, width int) value {
	if v.id == ir.None || b.m.Width(v.id) == width {
		return v
	}

	key := sliceKey{v.id, lo, width}
	id, ok := b.parts.slices[key]
	if !ok {
		id = b.sliceNode(v.id, lo, width)
		if b.parts.slices == nil {
			b.parts.slices = map[sliceKey]ir.ID{}
		}
		b.parts.slices[key] = id
	}

	v.id = id
	return v
}

func (b *body) sliceNode(id ir.ID, lo, width int) ir.ID {
	// Bits of a constant are a constant.
	if b.m.Op(id) == ir.Const {
		return b.constant(b.m.ConstOf(id).Slice(lo, width), ir.TypeID(ir.UInt))
	}
	return b.slice(b.m.Node(id).Pos, ir.TypeID(ir.UInt), id, lo, width)
}

// mine selects the pieces that the block with this serial has set.
func mine(pieces []piece, serial int32) (out []piece) {
	for _, p := range pieces {
		if p.setIn == serial {
			out = append(out, p)
		}
	}
	return out
}

// mergePieces applies a chain to a target that is in pieces, piece by piece.
func (ch *Chain) mergePieces(at int32, pos ir.Pos) {
	b := ch.b
	t := b.targets.at(at)

	// The setting of each branch, and every bit at which some list of pieces is cut.
	sets, cuts := make([]*setting, len(ch.arms)), []int{}
	for i, a := range ch.arms {
		for j := range a.sets {
			if s := &a.sets[j]; s.at == at {
				sets[i] = s
				for _, p := range s.pieces {
					cuts = append(cuts, p.lo, p.lo+p.width)
				}
			}
		}
	}

	// Between two cuts a branch sets all bits or none.
	out := b.cutAt(t, cuts)
	for i := range out {
		p := &out[i]
		vs, set := make([]value, len(sets)), make([]bool, len(sets))
		for j, s := range sets {
			if vs[j], set[j] = b.settingOf(s, p.lo, p.width); set[j] {
				p.setIn, p.setAt, p.cond = b.frame.serial, s.pos, true
			}
		}
		if slices.Contains(set, true) {
			p.cur = ch.choice(at, p.cur, vs, set)
		}
	}
	b.putPieces(at, out, pos, true)
}

// settingOf is the value that a setting gives to some bits; ok is false if it gives none. s
// may be nil.
func (b *body) settingOf(s *setting, lo, width int) (v value, ok bool) {
	switch {
	case s == nil:
		return value{}, false
	case s.pieces == nil:
		return b.sliceOf(s.v, lo, width), true
	}

	for _, p := range s.pieces {
		if p.lo <= lo && lo+width <= p.lo+p.width {
			return b.sliceOf(p.cur, lo-p.lo, width), true
		}
	}
	return value{}, false
}

// join makes the pieces of a target one value again. Pieces that are not set, or not on
// every path, are reported and filled.
func (b *body) join(at int32, t *target) {
	drivers := make([]ir.ID, len(t.pieces)) // the top first
	lines := ir.Pos(0)                      // of the Sets that are no arms of a choice
	for i, p := range t.pieces {
		never := p.cur.id == ir.None || t.kind == regTarget && p.setIn == 0
		again := i > 0 && never && t.pieces[i-1].setIn == 0 && p.setIn == 0 // reported with the one below
		if (never || p.cur.hole != nil) && !again && !b.mayBeSet(at) {
			b.missingPiece(t, i, never)
		}

		if p.cur.id == ir.None {
			p.cur.id = b.filler(shapeOf(p.width, ir.Type{}))
			t.pieces[i].cur.id = p.cur.id
		}

		drivers[len(drivers)-1-i] = p.cur.id
		lines = b.d.src.Join(lines, p.cur.pos)
	}

	// One piece needs no concatenation.
	id := drivers[0]
	if len(drivers) > 1 {
		id = b.addAt(t.setAt, ir.Cat, b.m.Node(t.id).Type, b.m.Width(t.id), drivers...)
	}

	// forward needs the pieces after they have become one driver.
	if b.parts.joined == nil {
		b.parts.joined = map[ir.ID][]piece{}
	}
	b.parts.joined[t.id] = t.pieces
	t.cur, t.pieces = value{id: id, pos: lines}, nil
}

// missingPiece reports piece i of a target, as [body.missing] does a whole one. Pieces
// above it that are never set either are reported with it.
func (b *body) missingPiece(t *target, i int, never bool) {
	p := t.pieces[i]
	for _, q := range t.pieces[i+1:] {
		if !never || q.setIn != 0 {
			break
		}
		p.width += q.width
	}

	name, verb := bitRange(p.lo, p.width)+" of "+b.targetName(t), "is"
	if p.width > 1 {
		verb = "are"
	}
	b.lacking(t, p.cur.hole, never, name+" "+verb, p.setAt)
}

// forward lets a reader of some bits of a wire in pieces depend on the pieces that it
// reads, not on the whole wire. Bits that follow from other bits of the same wire are then
// no loop.
func (b *body) forward() {
	if len(b.parts.joined) == 0 {
		return
	}

	// The end is fixed first: nodes added on the way are not slices of the design's.
	for id, end := ir.ID(1), ir.ID(b.m.Len()); id < end; id++ {
		n := b.m.Node(id)
		if n.Op != ir.Slice {
			continue
		}
		of := b.m.Args(id)[0]
		if pieces := b.parts.joined[of]; pieces != nil && b.m.Op(of) == ir.Wire {
			b.readPieces(id, pieces)
		}
	}
}

// readPieces turns a slice of a wire in pieces into a wire of the bits of those pieces.
func (b *body) readPieces(id ir.ID, pieces []piece) {
	if b.parts.reads == nil {
		b.parts.reads = map[ir.ID]string{}
	}

	// Messages show the slice as its designer wrote it.
	b.parts.reads[id] = b.describe(id, 1)
	lo := int(b.m.Node(id).Aux)
	hi := lo + b.m.Width(id)

	// The top piece comes first, as in a concatenation.
	var parts []ir.ID
	for _, p := range slices.Backward(pieces) {
		from, to := max(lo, p.lo), min(hi, p.lo+p.width)
		if from < to {
			parts = append(parts, b.sliceOf(p.cur, from-p.lo, to-from).id)
		}
	}

	driver := parts[0]
	if len(parts) > 1 {
		driver = b.addLike(id, ir.Cat, parts...)
	}

	// The node may have moved when others were added.
	n := b.m.Node(id)
	n.Op, n.Aux = ir.Wire, 0
	b.m.Args(id)[0] = driver
}
