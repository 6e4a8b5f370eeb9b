package net

// Prop propagates assumed values of state words and nodes through a net: it finds the nodes that
// become constant, equal to other nodes, or dead. It works on flat arrays and is reused.
type Prop struct {
	n     *Net
	rep   []ID     // by node: the node with the same value
	isK   []bool   // by node: its value is known
	kv    []uint64 // by node: the known value
	live  []int32  // by node: the epoch in which it was last live
	epoch int32
	cost  []float32
	id    []ID // by node: its ID in the net being extracted
	stack []ID

	forced []bool // nodes with assumed values
	fv     []uint64
	list   []ID
}

// Assume is assumed values by state word.
type Assume struct {
	Known []bool
	Value []uint64
}

// NewAssume returns an empty assumption about regs state words.
func NewAssume(regs int) Assume { return Assume{make([]bool, regs), make([]uint64, regs)} }

// sized returns n zeros, in s if there is room.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	s = s[:n]
	clear(s)
	return s
}

// Bind lets p work on n.
func (p *Prop) Bind(n *Net) {
	k := len(n.N)
	p.n = n
	p.rep, p.isK, p.kv, p.live = sized(p.rep, k), sized(p.isK, k), sized(p.kv, k), sized(p.live, k)
	p.cost, p.forced, p.fv = sized(p.cost, k), sized(p.forced, k), sized(p.fv, k)
	p.list, p.epoch = p.list[:0], 0

	for i := range n.N {
		p.cost[i] = n.N[i].Cost()
		p.rep[i] = ID(i)
		if n.N[i].Op == Const {
			p.isK[i], p.kv[i] = true, n.N[i].Imm
		}
	}
}

// Force assumes value v of node x, and its consequences for the operands, until Forget.
func (p *Prop) Force(x ID, v uint64) { p.force(x, v, 0) }

// force follows implications backwards: a true conjunction makes its operands true, a true
// equality gives a value.
func (p *Prop) force(x ID, v uint64, depth int) {
	nd := &p.n.N[x]
	if nd.Op == Const || p.forced[x] {
		return
	}

	p.forced[x], p.fv[x] = true, v
	p.list = append(p.list, x)

	// Only a bit's value tells about the operands. The depth bounds the work on long chains of
	// conditions.
	if nd.W != 1 || depth > 12 {
		return
	}

	switch nd.Op {
	case Not:
		p.force(nd.A, v^1, depth+1)
	case And: // of a wider operand only one bit would be known
		if v == 1 && p.n.N[nd.A].W == 1 {
			p.force(nd.A, 1, depth+1)
		}
		if v == 1 && p.n.N[nd.B].W == 1 {
			p.force(nd.B, 1, depth+1)
		}
	// A disjunction is the dual: it tells only if it is 0, and then all bits of both operands are.
	case Or:
		if v == 0 {
			p.force(nd.A, 0, depth+1)
			p.force(nd.B, 0, depth+1)
		}
	// Constants are on the right (see Make). An inequality that holds says nothing.
	case Eq, Ne:
		if k, ok := p.n.IsConst(nd.B); ok && (v == 1) == (nd.Op == Eq) {
			p.force(nd.A, k, depth+1)
		}
	}
}

// Forget drops the forced values.
func (p *Prop) Forget() {
	for _, x := range p.list {
		p.forced[x] = false
		p.isK[x] = false
	}
	p.list = p.list[:0]
}

// Known returns the value of node x, if it is known after Run.
func (p *Prop) Known(x ID) (uint64, bool) {
	x = p.rep[x]
	return p.kv[x], p.isK[x]
}

// Same returns the node that has the value of node x after Run.
func (p *Prop) Same(x ID) ID { return p.rep[x] }

// Run propagates the assumption and the forced values, in the order of nodes.
func (p *Prop) Run(as Assume) {
	n := p.n

	// The assumption sets the leaves. It overwrites the values of the last run.
	for r := range n.Regs {
		if q := n.Regs[r].Q; q >= 0 {
			p.isK[q], p.kv[q] = as.Known[r], as.Value[r]
		}
	}

	// A forced leaf wins over the assumption of its word.
	for _, x := range p.list {
		if n.N[x].Op == Leaf {
			p.isK[x], p.kv[x] = true, p.fv[x]
		}
	}

	// Arguments have smaller IDs, so one pass suffices.
	for i := range n.N {
		if !n.N[i].Op.IsLeaf() {
			p.node(ID(i))
		}
	}
}

// node propagates to node i from its arguments.
func (p *Prop) node(i ID) {
	nd := &p.n.N[i]
	p.rep[i], p.isK[i] = i, false

	if p.forced[i] {
		p.isK[i], p.kv[i] = true, p.fv[i]
		return
	}

	// Memories and tables are not evaluated here; see AssumeReads in package choose.
	if !nd.Op.IsPure() {
		return
	}

	// Arguments are replaced by their representatives first.
	a, b, c := p.operand(nd.A), p.operand(nd.B), p.operand(nd.C)
	if a.known && b.known && c.known {
		p.know(i, Eval(nd.Op, nd.W, nd.Imm, a.v, b.v, c.v))
		return
	}
	p.identity(i, nd, &a, &b, &c)

	// Known, Mark and Extract ask the representative; the node's own entry only follows it.
	if r := p.rep[i]; r != i && p.isK[r] {
		p.isK[i], p.kv[i] = true, p.kv[r]
	}
}

// operand is the representative of an argument, with its value if that is known.
type operand struct {
	id    ID
	known bool
	v     uint64
}

// operand returns the operand for argument x. An argument that the node does not have counts as a
// known 0.
func (p *Prop) operand(x ID) operand {
	if x < 0 {
		return operand{None, true, 0}
	}
	r := p.rep[x]
	return operand{r, p.isK[r], p.kv[r]}
}

// know sets the value of node i.
func (p *Prop) know(i ID, v uint64) { p.isK[i], p.kv[i] = true, v }

// identity finds the value or the representative of node i from some operands: neutral and
// absorbing ones, and equal ones. A representative must not be wider than the node.
func (p *Prop) identity(i ID, nd *Node, a, b, c *operand) {
	switch nd.Op {
	case Mux:
		switch {
		case a.known && a.v != 0, b.id == c.id, b.known && c.known && b.v == c.v:
			p.rep[i] = b.id
		case a.known:
			p.rep[i] = c.id
		}
	// An operand of ones is neutral only if it covers the whole width of the other one.
	case And:
		switch {
		case a.known && a.v == 0 || b.known && b.v == 0:
			p.know(i, 0)
		case a.known && a.v == Mask(p.n.N[nd.B].W) || a.id == b.id:
			p.rep[i] = b.id
		case b.known && b.v == Mask(p.n.N[nd.A].W):
			p.rep[i] = a.id
		}
	case Or:
		switch {
		case a.known && a.v == Mask(nd.W) || b.known && b.v == Mask(nd.W):
			p.know(i, Mask(nd.W))
		case a.known && a.v == 0 || a.id == b.id:
			p.rep[i] = b.id
		case b.known && b.v == 0:
			p.rep[i] = a.id
		}
	// A Cat with 0 above is its low part. With 0 below it is a shift, which stays.
	case Xor, Cat:
		switch {
		case a.known && a.v == 0:
			p.rep[i] = b.id
		case nd.Op == Xor && b.known && b.v == 0:
			p.rep[i] = a.id
		}
	// A wider operand would have to be cut to the node's width, and nothing here makes nodes.
	case Add:
		switch {
		case a.known && a.v == 0 && p.n.N[b.id].W <= nd.W:
			p.rep[i] = b.id
		case b.known && b.v == 0 && p.n.N[a.id].W <= nd.W:
			p.rep[i] = a.id
		}
	case Sub:
		if b.known && b.v == 0 && p.n.N[a.id].W <= nd.W {
			p.rep[i] = a.id
		}
	case Mul:
		if a.known && a.v == 0 || b.known && b.v == 0 {
			p.know(i, 0)
		}
	case Shl, Shr:
		switch {
		case a.known && a.v == 0:
			p.know(i, 0)
		case b.known && b.v == 0 && p.n.N[a.id].W <= nd.W:
			p.rep[i] = a.id
		}
	case Eq, Ne:
		if a.id == b.id {
			p.know(i, truth(nd.Op == Eq))
		}
	}
}

// keeps reports whether register r keeps its value, so that nothing is written.
func (p *Prop) keeps(as Assume, r int) bool {
	d := p.n.Regs[r].Next
	if d < 0 {
		return true
	}
	d = p.rep[d]
	return d == p.n.Regs[r].Q && !p.isK[d] || p.isK[d] && as.Known[r] && p.kv[d] == as.Value[r]
}

// never reports whether write w is known not to happen.
func (p *Prop) never(w *Write) bool {
	no := func(x ID) bool {
		if x < 0 {
			return false
		}
		v, ok := p.Known(x)
		return ok && v == 0
	}
	return no(w.En) || p.n.journal(w) && no(p.n.Entry)
}

// Mark finds the live nodes after Run, and returns their estimated cost.
func (p *Prop) Mark(as Assume) float32 {
	n := p.n
	p.epoch++

	// Depth-first from the roots; the epoch avoids clearing marks.
	st := p.stack[:0]
	push := func(x ID) {
		if x < 0 {
			return
		}
		if x = p.rep[x]; p.live[x] != p.epoch && !p.isK[x] && !n.N[x].Op.IsLeaf() {
			p.live[x] = p.epoch
			st = append(st, x)
		}
	}

	// Registers, writes and outputs cost a store each.
	var cost float32
	push(n.Stop)
	push(n.Entry)
	for r := range n.Regs {
		if !p.keeps(as, r) {
			cost += 1.2
			push(n.Regs[r].Next)
		}
	}

	for i := range n.Writes {
		if w := &n.Writes[i]; !p.never(w) && !n.journal(w) {
			cost += 2
			w.Each(push)
		}
	}
	for i := range n.Outs {
		cost += 1.2
		push(n.Outs[i].Node)
	}

	spread := func() (cost float32) {
		for len(st) > 0 {
			x := st[len(st)-1]
			st = st[:len(st)-1]
			cost += p.cost[x]
			n.Args(x, push)
		}
		return cost
	}
	cost += spread()

	// Journal writes are skipped in most cycles: nodes that only they need are live but cost
	// nothing.
	for i := range n.Writes {
		if w := &n.Writes[i]; n.journal(w) && !p.never(w) {
			w.Each(push)
		}
	}
	spread()
	p.stack = st
	return cost
}

// lives counts the live nodes.
func (p *Prop) lives() int {
	k := 0
	for _, e := range p.live {
		if e == p.epoch {
			k++
		}
	}
	return k
}

// Live reports whether the last Mark found node x live.
func (p *Prop) Live(x ID) bool { return p.live[x] == p.epoch }

// Extract makes the net that remains after Run: the same state words and memories, with live
// nodes only. A register that keeps its value, or its assumed value, has no Next.
func (p *Prop) Extract(as Assume) *Net {
	n := p.n
	p.Mark(as)

	// All state words stay, in their order, so that their numbers mean the same in both nets.
	// Their leaves are made at the first use.
	m := NewSized(len(n.Regs), p.lives())
	m.Mems = n.Mems
	m.Regs = make([]Reg, len(n.Regs))
	for r := range n.Regs {
		m.Regs[r] = Reg{Slot: n.Regs[r].Slot, W: n.Regs[r].W, Q: None, Next: None, Host: n.Regs[r].Host}
	}

	p.id = sized(p.id, len(n.N))
	for i := range p.id {
		p.id[i] = None
	}

	// Live nodes are made again, which simplifies them with the new constants.
	for i := range n.N {
		if p.live[i] == p.epoch {
			p.id[i] = p.again(m, ID(i))
		}
	}

	// Roots follow the nodes.
	m.Stop = p.moved(m, n.Stop)
	if v, ok := m.constant(m.Stop); ok && v == 0 {
		m.Stop = None
	}
	m.Entry = p.moved(m, n.Entry)
	if _, ok := m.constant(m.Entry); ok { // with 0 there are no writes
		m.Entry = None
	}

	// Simplification may have found only now that a register takes its own value.
	for r := range n.Regs {
		if !p.keeps(as, r) {
			if d := p.moved(m, n.Regs[r].Next); d != m.Regs[r].Q || d < 0 {
				m.Regs[r].Next = d
			}
		}
	}

	for i := range n.Writes {
		w := &n.Writes[i]
		if !p.never(w) {
			m.Writes = append(m.Writes, w.Map(func(x ID) ID { return p.moved(m, x) }))
		}
	}
	for _, o := range n.Outs {
		m.Outs = append(m.Outs, Out{o.Slot, p.moved(m, o.Node)})
	}
	return m.Verified("Extract")
}

// again makes node i in net m.
func (p *Prop) again(m *Net, i ID) ID {
	n, nd := p.n, &p.n.N[i]

	// The ops with a list or a place have constructors of their own; Make has the rest.
	switch nd.Op {
	case Lut:
		var in [6]ID
		args := in[:0]
		for _, x := range n.Pool[nd.A : nd.A+nd.B] {
			args = append(args, p.moved(m, x))
		}
		return m.Lut(nd.Imm, args)

	case Tables:
		args := make([]ID, nd.B)
		for k, x := range n.Operands(i) {
			args[k] = p.moved(m, x)
		}
		return m.Tables(n.Banks[nd.Imm], args)

	case TableWord:
		return m.TableWord(p.moved(m, nd.A), int(nd.Imm))
	case Read:
		return m.Read(int32(nd.Imm), p.moved(m, nd.A))
	}
	return m.Make(nd.Op, nd.W, p.moved(m, nd.A), p.moved(m, nd.B), p.moved(m, nd.C), nd.Imm)
}

func (n *Net) constant(x ID) (uint64, bool) {
	if x < 0 {
		return 0, false
	}
	return n.IsConst(x)
}

// moved is node x of p's net in m, the net being extracted.
func (p *Prop) moved(m *Net, x ID) ID {
	if x < 0 {
		return None
	}
	x = p.rep[x]
	if p.isK[x] {
		return m.Const(p.kv[x])
	}
	if p.id[x] < 0 {
		p.id[x] = m.Leaf(int(p.n.N[x].Imm))
	}
	return p.id[x]
}
