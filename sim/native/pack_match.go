package native

import "etch/sim/net"

// lanes is a node for each lane; None: any will do.
type lanes [laneCount]net.ID

// vkind is what a vector of a graph is.
type vkind uint8

const (
	vOp     vkind = iota // an operation on vectors
	vLoad                // packed registers side by side
	vSpread              // one value of plain code in all lanes
	vConst               // one constant in all lanes
	vCells               // cells of plain code, one for each lane
)

// Operations of vectors that the net has not.
const (
	opMulPairs = net.NumOps     // a · b, each signed of 16 bits in the low half of a lane
	opSigned16 = net.NumOps + 1 // a, signed of imm bits, as 16 bits in the low half
)

// vnode is a vector. Its place is in its block's or segment's nodes, behind its
// arguments.
type vnode struct {
	k       vkind
	op      net.Op
	w, ow   uint8 // no lane is wider; the op's own width
	a, b, c int32
	imm     uint64 // of the op; of a constant its value
	base    int32  // vLoad: the first lane, from the block's
	run     int32  // and the run
	node    net.ID // vSpread
}

// patch is lanes of a vector that are not what the graph says: plain code has
// them.
type patch struct {
	v    int32
	mask uint8
	of   lanes
	cell int32 // of the first lane in mask
}

// choice is a next value at the root of a graph: by a condition that all lanes
// share one of two choices, or else a vector, or that all keep their values.
type choice struct {
	cond      net.ID // None: no choice
	then, els int32
	root      int32 // -1: all keep their values
}

// block is up to eight registers and the graph of their next values.
type block struct {
	at, n   int32 // home lanes
	nodes   []vnode
	choices []choice
	patches []patch
}

// cut is how many of the k registers from reg on make a block: where the rest is
// of another operation it starts a block of its own.
func (p *packer) cut(reg, k int32) int32 {
	op := func(i int32) net.Op { return p.n.N[p.n.Regs[reg+i].Next].Op }
	count := int32(0)
	for i := range k {
		if op(i) == op(0) {
			count++
		}
	}
	if count == k || count < 3 || op(0) == net.Leaf {
		return k
	}
	for i := int32(1); i < k; i++ {
		if op(i) != op(0) {
			for j := i; j < k; j++ {
				if op(j) != op(i) || op(j) == net.Leaf {
					return k
				}
			}
			return i
		}
	}
	return k
}

// block matches the next values of k registers, and returns what that saves.
func (p *packer) block(reg, k int32) (block, float32) {
	p.nodes, p.of, p.opts, p.patch = p.nodes[:0], p.of[:0], p.opts[:0], p.patch[:0]
	p.from = p.home[reg]
	var l lanes
	for i := range l {
		l[i] = net.None
		if int32(i) < k {
			l[i] = p.n.Regs[reg+int32(i)].Next
		}
	}
	gain := p.choose(&l, reg, 0)
	b := block{at: p.from, n: k, nodes: append([]vnode(nil), p.nodes...), choices: append([]choice(nil), p.opts...), patches: append([]patch(nil), p.patch...)}
	return b, gain
}

const maxChoices = 3 // one below the other

// choose matches lanes at the root: conditions that all share are branches there.
func (p *packer) choose(l *lanes, reg int32, depth int) float32 {
	n := p.n
	at := len(p.opts)
	p.opts = append(p.opts, choice{cond: net.None, root: -1})
	sel, same, keep := net.None, true, true
	for i, x := range l {
		if x < 0 {
			continue
		}
		nd := &n.N[x]
		keep = keep && x == n.Regs[reg+int32(i)].Q
		if nd.Op != net.Mux || sel >= 0 && nd.A != sel {
			same = false
			continue
		}
		sel = nd.A
	}
	switch {
	case keep:
		return 0
	case same && depth < maxChoices:
		var b, c lanes
		for i, x := range l {
			b[i], c[i] = net.None, net.None
			if x >= 0 {
				b[i], c[i] = n.N[x].B, n.N[x].C
			}
		}
		then := int32(len(p.opts))
		gain := p.choose(&b, reg, depth+1)
		els := int32(len(p.opts))
		gain += p.choose(&c, reg, depth+1)
		p.opts[at] = choice{cond: sel, then: then, els: els, root: -1}
		return gain/2 + 1
	}
	care := float32(0)
	for _, x := range l {
		if x >= 0 {
			care++
		}
	}
	mark := len(p.nodes)
	patched := len(p.patch)
	root := p.build(l, 0)
	p.opts[at].root = root
	return 1.5*care - 2 - p.cost(mark, patched)
}

// cost is what the vectors and patches from some on take, less what plain code
// would.
func (p *packer) cost(from, patched int) float32 {
	var cost float32
	for i := from; i < len(p.nodes); i++ {
		v := &p.nodes[i]
		switch v.k {
		case vOp:
			care := float32(0)
			for _, x := range p.of[i] {
				if x >= 0 {
					care++
				}
			}
			cost += 1.7
			switch v.op {
			case opMulPairs:
				cost -= 0.7 * care * (&net.Node{Op: net.Mul}).Cost()
			case opSigned16:
			default:
				cost -= 0.7 * care * (&net.Node{Op: v.op}).Cost()
			}
		case vConst:
		default:
			cost += 0.8
		}
	}
	for _, t := range p.patch[patched:] {
		cost += 1.5
		for i := range laneCount {
			if t.mask>>i&1 != 0 {
				cost += 2.5
				if v := &p.nodes[t.v]; v.k == vOp && v.op < net.NumOps { // counted as if it were done here
					cost += 0.7 * (&net.Node{Op: v.op}).Cost()
				}
			}
		}
	}
	return cost
}

// maxVectors bounds the graph of a block.
const maxVectors = 60

// laneOps are the operations that lanes can compute.
var laneOps = [net.NumOps]bool{net.Not: true, net.And: true, net.Or: true, net.Xor: true, net.Add: true, net.Sub: true, net.Mul: true,
	net.Eq: true, net.Ne: true, net.Lt: true, net.Le: true, net.LtS: true, net.LeS: true, net.Shl: true, net.Shr: true, net.ShrS: true,
	net.Mux: true, net.Slice: true, net.Cat: true, net.SExt: true}

// signedBy tells whether an operation's immediate is the width of signed operands.
func signedBy(op net.Op) bool {
	return op == net.LtS || op == net.LeS || op == net.ShrS || op == net.SExt
}

// vectorOp reports whether lanes can compute node x.
func (p *packer) vectorOp(x net.ID) bool {
	nd := &p.n.N[x]
	ok := laneOps[nd.Op] && nd.W <= 32 && !(signedBy(nd.Op) && nd.Imm > 32)
	if !ok {
		return false
	}
	p.n.Args(x, func(y net.ID) { ok = ok && p.n.N[y].W <= 32 })
	return ok
}

// build returns the vector of lanes.
func (p *packer) build(l *lanes, depth int) int32 {
	for i := range p.of {
		if p.of[i] == *l {
			return int32(i)
		}
	}
	n := p.n
	v := vnode{k: vCells, a: -1, b: -1, c: -1, node: net.None}
	care := 0
	for _, x := range l {
		if x >= 0 {
			care++
			v.w = max(v.w, n.N[x].W)
		}
	}
	most, mask := common(l) // mask: lanes that the vector has right
	base, side := p.loads(l)
	switch {
	case 2*count(mask) > care && n.N[most].Op == net.Const:
		v.k, v.imm = vConst, n.N[most].Imm
	case 2*count(mask) > care && (care > 1 || side == 0):
		v.k, v.node = vSpread, most
	case 2*count(side) > care:
		v.k, v.base, mask = vLoad, base, side
		lo, _ := span(side)
		v.run = p.runOf[(p.from+base+int32(lo))/laneCount]
	default:
		x, m := p.operations(l)
		mask = m
		if 2*count(m) > care && depth < 20 && len(p.nodes) < maxVectors {
			p.operation(&v, l, x, m, depth)
		} else {
			mask = 0
		}
	}
	at := int32(len(p.nodes))
	p.nodes = append(p.nodes, v)
	p.of = append(p.of, *l)
	t := patch{v: at, of: *l}
	for i, x := range l {
		if x < 0 || mask>>i&1 != 0 {
			t.of[i] = net.None
			continue
		}
		t.mask |= 1 << i
	}
	if t.mask != 0 {
		p.patch = append(p.patch, t)
	}
	return at
}

// common finds the node that most lanes are.
func common(l *lanes) (most net.ID, mask uint8) {
	most = net.None
	best := 0
	var seen uint8
	for i, x := range l {
		if x < 0 || seen>>i&1 != 0 {
			continue
		}
		var m uint8
		for j := i; j < laneCount; j++ {
			if l[j] == x {
				m |= 1 << j
			}
		}
		seen |= m
		if k := count(m); k > best {
			best, most, mask = k, x, m
		}
	}
	return most, mask
}

func count(mask uint8) int {
	k := 0
	for ; mask != 0; mask &= mask - 1 {
		k++
	}
	return k
}

// loads finds the first lane of packed registers side by side that most lanes
// are.
func (p *packer) loads(l *lanes) (base int32, mask uint8) {
	var at [laneCount]int32
	for i, x := range l {
		at[i] = never
		if x >= 0 && p.n.N[x].Op == net.Leaf {
			if h := p.home[p.n.N[x].Imm]; h >= 0 {
				at[i] = h - int32(i) - p.from
			}
		}
	}
	best := 0
	for i := range at {
		if at[i] == never || mask>>i&1 != 0 {
			continue
		}
		var m uint8
		for j := range at {
			if at[j] == at[i] {
				m |= 1 << j
			}
		}
		if k := count(m); k > best {
			best, base, mask = k, at[i], m
		}
	}
	return base, mask
}

// operations finds the operation that most lanes are, and one lane of it.
func (p *packer) operations(l *lanes) (one net.ID, mask uint8) {
	best := 0
	one = net.None
	var seen uint8
	for i, x := range l {
		if x < 0 || seen>>i&1 != 0 || !p.vectorOp(x) {
			continue
		}
		nd := &p.n.N[x]
		var m uint8
		for j := i; j < laneCount; j++ {
			if l[j] < 0 {
				continue
			}
			if y := &p.n.N[l[j]]; y.Op == nd.Op && y.W == nd.W && y.Imm == nd.Imm && p.vectorOp(l[j]) {
				m |= 1 << j
			}
		}
		seen |= m
		if k := count(m); k > best {
			best, one, mask = k, x, m
		}
	}
	return one, mask
}

// operation makes v the operation x on the operands of the lanes in mask.
func (p *packer) operation(v *vnode, l *lanes, x net.ID, mask uint8, depth int) {
	n := p.n
	nd := n.N[x]
	var in [3]lanes
	for i := range in {
		for j := range laneCount {
			in[i][j] = net.None
		}
	}
	for i := range laneCount {
		if mask>>i&1 != 0 {
			y := &n.N[l[i]]
			in[0][i], in[1][i], in[2][i] = y.A, y.B, y.C
		}
	}
	if commutes(nd.Op) {
		p.align(&in[0], &in[1], mask)
	}
	v.k, v.op, v.imm, v.ow = vOp, nd.Op, nd.Imm, nd.W
	v.a = p.build(&in[0], depth+1)
	if nd.B >= 0 {
		v.b = p.build(&in[1], depth+1)
	}
	if nd.C >= 0 {
		v.c = p.build(&in[2], depth+1)
	}
	if nd.Op == net.Mul {
		p.mulPairs(v)
	}
	if nd.Op != net.Slice && nd.Op != net.Cat && !signedBy(nd.Op) {
		v.imm = 0
	}
}

func commutes(op net.Op) bool {
	switch op {
	case net.And, net.Or, net.Xor, net.Add, net.Mul, net.Eq, net.Ne:
		return true
	}
	return false
}

// align exchanges operands lane by lane so that equal ones come together.
func (p *packer) align(a, b *lanes, mask uint8) {
	var ka, kb [laneCount]uint64
	for i := range laneCount {
		if mask>>i&1 != 0 {
			ka[i], kb[i] = p.key(a[i], i, 0), p.key(b[i], i, 0)
		}
	}
	best, ref := 0, 0
	for i := range laneCount {
		if mask>>i&1 == 0 {
			continue
		}
		k := 0
		for j := range laneCount {
			if mask>>j&1 != 0 && (ka[i] == ka[j] && kb[i] == kb[j] || ka[i] == kb[j] && kb[i] == ka[j]) {
				k++
			}
		}
		if k > best {
			best, ref = k, i
		}
	}
	ra, rb := ka[ref], kb[ref]
	if ra > rb {
		ra, rb = rb, ra
	}
	for i := range laneCount {
		if mask>>i&1 == 0 || ka[i] == ra && kb[i] == rb {
			continue
		}
		if kb[i] == ra || ka[i] == rb {
			a[i], b[i] = b[i], a[i]
		}
	}
}

// key tells shapes of operands apart, relative to the lane.
func (p *packer) key(x net.ID, lane, depth int) uint64 {
	nd := &p.n.N[x]
	h := uint64(nd.Op)<<8 + 1
	switch {
	case nd.Op == net.Const:
		h += nd.Imm << 8
	case nd.Op == net.Leaf:
		if at := p.home[nd.Imm]; at >= 0 {
			h += uint64(uint32(at-int32(lane)-p.from)) << 16
		} else {
			h += nd.Imm<<16 + 1<<50
		}
	case depth < 3 && laneOps[nd.Op]:
		h = h*31 + p.key(nd.A, lane, depth+1)
		if nd.B >= 0 {
			h = h*37 + p.key(nd.B, lane, depth+1)
		}
		if nd.C >= 0 {
			h = h*41 + p.key(nd.C, lane, depth+1)
		}
	}
	return h * 0x9E3779B97F4A7C15 >> 1
}

// mulPairs makes a product one of 16 bits where both factors are.
func (p *packer) mulPairs(v *vnode) {
	a, ok := p.signed16(v.a, v.ow)
	if !ok {
		return
	}
	b, ok := p.signed16(v.b, v.ow)
	if !ok {
		return
	}
	v.op = opMulPairs
	v.a, v.b = p.half(a), p.half(b)
}

// signed16 reports whether vector x, as a factor of a product of w bits, is a
// signed number of 16 bits.
func (p *packer) signed16(x int32, w uint8) (int32, bool) {
	v := &p.nodes[x]
	if v.w <= 15 {
		return x, true
	}
	return x, v.k == vOp && v.op == net.SExt && v.imm <= 16 && v.ow >= w && !p.isPatched(x)
}

func (p *packer) isPatched(x int32) bool {
	for i := range p.patch {
		if p.patch[i].v == x {
			return true
		}
	}
	return false
}

// half is vector x, a signed number of 16 bits, in the low halves of lanes.
func (p *packer) half(x int32) int32 {
	v := p.nodes[x]
	switch {
	case v.w <= 15:
		return x
	case v.imm == 16:
		return v.a
	}
	var none lanes
	for i := range none {
		none[i] = -2 - net.ID(x)
	}
	p.nodes = append(p.nodes, vnode{k: vOp, op: opSigned16, w: 16, ow: 16, imm: v.imm, a: v.a, b: -1, c: -1, node: net.None})
	p.of = append(p.of, none)
	return int32(len(p.nodes) - 1)
}
