package schedule

import (
	"slices"

	"etch/sim/choose"
	"etch/sim/net"
)

// region is an arm of a branch, or the whole body.
type region struct {
	parent, depth int32
	mate          int32 // the other arm of the branch
	merged        int32 // muxes that select between this arm and its mate
	firstNode     int32
	firstKid      int32
	nextKid       int32
	branch        int32
	cond          net.ID
	cost          float64
	then          bool // the arm for a condition other than 0
	dead          bool // not worth a branch: its nodes belong to its parent
	store         bool // it holds the operands of a memory write
}

// branch is an if, with the muxes that it replaces.
type branch struct {
	cond      net.ID
	then, els int32
	phi       []net.ID
	early     bool // Stop needs it
}

// group is muxes with one select that may share a branch: none depends on another.
type group struct {
	rank, next int32
	arms       []int32 // pairs: a region, and the then-arm of the group in it
}

// Scheduler turns a net into structured code, in time linear in the nodes. Muxes with one select
// are grouped by rank. A rank grows through a grouped mux, so merging the muxes of a group
// cannot create a cycle. A node goes to the lowest common ancestor of the regions that need it.
// All slices are reused between nets.
type Scheduler struct {
	Costs  *choose.Branches
	n      *net.Net
	assume net.Assume // assumed values that a register keeps are not written
	moves  []int32    // by select: muxes that select between leaves

	isBranch []bool // the mux could be a branch

	rank, aim []int32 // by node; by select: the rank that its muxes aim for
	grp, head []int32 // by mux: its group; by select: its first group
	groups    []group
	order     []net.ID
	count     []int32
	place     []int32 // by node: its region, -1 if it is dead
	arm       []int32 // by mux: its then-arm, -1 if it is not a branch
	regions   []region
	branches  []branch
	nextNode  []int32
	branchOf  []int32 // by mux
	emitted   []bool
	todo      []net.ID // stack of nodes to emit; see node
	uses      []int32
	writes    []int32 // by mux without other use: the register that its arms write, or -1
	memory    []bool  // by node: it depends on a memory that is written
	storeArm  []int32 // by write: its region, -1 if it is unconditional
	journal   journal
	reads     reads
	arms      armOrder
	ordered   []int32 // stack of the arms being written: see armWrites

	// Odds, unless nil, is how often a bit is 1, by node. Crowd is net.Partition's.
	Odds  []float64
	Crowd float64

	sinks   []sink
	out     []Ins
	maxRank int32
}

// Sized returns n zeros, in s if there is room. The first allocation is exact, since it is often
// the last; later ones leave room to grow.
func Sized[T any](s []T, n int) []T {
	switch {
	case s == nil:
		return make([]T, n)
	case cap(s) < n:
		return make([]T, n, n+n/2)
	}
	s = s[:n]
	clear(s)
	return s
}

func Filled(s []int32, n int) []int32 {
	s = Sized(s, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

// Run schedules n. The steps are in order: each uses the results of earlier ones.
func (s *Scheduler) Run(n *net.Net, as net.Assume) []Ins {
	k := len(n.N)
	s.n, s.assume = n, as
	s.rank, s.aim = Sized(s.rank, k), Sized(s.aim, k)
	s.grp, s.head, s.place, s.arm, s.branchOf = Filled(s.grp, k), Filled(s.head, k), Filled(s.place, k), Filled(s.arm, k), Filled(s.branchOf, k)
	s.nextNode, s.emitted = Filled(s.nextNode, k), Sized(s.emitted, k)
	s.groups, s.branches = s.groups[:0], s.branches[:0]
	s.out = make([]Ins, 0, len(n.N)+2*len(n.Regs)+len(n.Outs))

	// Group the muxes: which could be branches, and which share one.
	s.findBranches()
	s.rankNodes()
	s.sortNodes()
	s.findMemory()

	// Place the nodes in regions, and drop the regions that do not pay.
	s.placeNodes()
	s.decide()
	s.build()
	s.findWriters()
	s.emitAll()
	return s.out
}

// findBranches marks the muxes that could be branches because skipping an arm saves work.
func (s *Scheduler) findBranches() {
	n := s.n
	s.isBranch, s.moves = Sized(s.isBranch, len(n.N)), Sized(s.moves, len(n.N))

	// A mux between leaves saves nothing by itself: a select is as cheap.
	for i := range n.N {
		if nd := &n.N[i]; nd.Op == net.Mux {
			if s.isBranch[i] = !n.N[nd.B].Op.IsLeaf() || !n.N[nd.C].Op.IsLeaf(); !s.isBranch[i] {
				s.moves[nd.A]++
			}
		}
	}

	// Several such muxes with one select together do save work.
	for i := range n.N {
		if nd := &n.N[i]; nd.Op == net.Mux && s.moves[nd.A] >= s.Costs.FewMoves {
			s.isBranch[i] = true
		}
	}
}

// operandRank is the highest rank of a node's arguments.
func (s *Scheduler) operandRank(i int) int32 {
	var buf [3]net.ID
	r := int32(0)
	for _, x := range args(s.n, net.ID(i), &buf) {
		r = max(r, s.rank[x])
	}
	return r
}

// rankNodes ranks nodes and groups muxes. Two preliminary passes find the highest rank of the
// muxes of each select; all of them then aim for it, so that they share a branch.
func (s *Scheduler) rankNodes() {
	n := s.n
	mux := s.place // scratch: rank of a mux
	for pass := range 2 {
		for i := range n.N {
			if n.N[i].Op.IsLeaf() {
				continue
			}
			r := s.operandRank(i)
			if s.isBranch[i] {
				r++
				if pass > 0 {
					r = max(r, s.aim[n.N[i].A])
				}
				mux[i] = r
			}
			s.rank[i] = r
		}
		for i := range n.N {
			if mux[i] >= 0 {
				a := n.N[i].A
				s.aim[a] = max(s.aim[a], mux[i])
				mux[i] = -1
			}
		}
	}

	// The final pass joins the groups.
	s.maxRank = 0
	for i := range n.N {
		if n.N[i].Op.IsLeaf() {
			continue
		}
		r := s.operandRank(i)
		if s.isBranch[i] {
			r = s.join(i, r+1)
		}
		s.rank[i] = r
		s.maxRank = max(s.maxRank, r)
	}
}

// join puts mux i, of rank r or higher, into a group and returns the group's rank.
func (s *Scheduler) join(i int, r int32) int32 {
	// The lowest group that is high enough.
	sel := s.n.N[i].A
	best := int32(-1)
	for g := s.head[sel]; g >= 0; g = s.groups[g].next {
		if k := s.groups[g].rank; k >= r && (best < 0 || k < s.groups[best].rank) {
			best = g
		}
	}

	// No group fits: open one at the rank that all muxes of this select aim for, so that later ones
	// find it. The arms' memory of an earlier net is reused.
	if best < 0 {
		best = int32(len(s.groups))
		g := group{rank: max(r, s.aim[sel]), next: s.head[sel]}
		if cap(s.groups) > len(s.groups) {
			g.arms = s.groups[:best+1][best].arms[:0]
		}
		s.groups = append(s.groups, g)
		s.head[sel] = best
	}

	s.grp[i] = best
	return s.groups[best].rank
}

// sortNodes orders nodes by rank, grouped muxes first within a rank, by a counting sort, which
// keeps the order of IDs.
func (s *Scheduler) sortNodes() {
	// Two keys per rank: grouped muxes, then other nodes.
	k := int(s.maxRank)*2 + 3
	s.count = Sized(s.count, k+1)
	s.order = Sized(s.order, len(s.n.N))
	key := func(i int) int32 {
		if s.grp[i] < 0 {
			return s.rank[i]*2 + 1
		}
		return s.rank[i] * 2
	}

	// Counts, then sums, then places: a stable order.
	for i := range s.n.N {
		s.count[key(i)+1]++
	}
	for i := 1; i <= k; i++ {
		s.count[i] += s.count[i-1]
	}

	for i := range s.n.N {
		at := &s.count[key(i)]
		s.order[*at] = net.ID(i)
		*at++
	}
}

// findMemory marks the nodes that depend on a memory that is written.
func (s *Scheduler) findMemory() {
	n := s.n
	s.memory = Sized(s.memory, len(n.N))
	written := make([]bool, len(n.Mems))
	for i := range n.Writes {
		written[n.Writes[i].Mem] = true
	}

	// Arguments come before their users, so one pass suffices.
	var buf [3]net.ID
	for i := range n.N {
		nd := &n.N[i]
		if nd.Op == net.Read && written[nd.Imm] {
			s.memory[i] = true
			continue
		}
		for _, x := range args(n, net.ID(i), &buf) {
			s.memory[i] = s.memory[i] || s.memory[x]
		}
	}
}

func (s *Scheduler) region(parent int32) int32 {
	r := region{parent: parent, mate: -1, firstNode: -1, firstKid: -1, nextKid: -1, branch: -1}
	if parent >= 0 {
		r.depth = s.regions[parent].depth + 1
	}
	s.regions = append(s.regions, r)
	return int32(len(s.regions) - 1)
}

// meet is the lowest common ancestor of two regions; a may be -1.
func (s *Scheduler) meet(a, b int32) int32 {
	if a < 0 {
		return b
	}

	// The deeper region climbs. The root is above all regions.
	for a != b {
		if s.regions[a].depth < s.regions[b].depth {
			b = s.regions[b].parent
		} else {
			a = s.regions[a].parent
		}
	}
	return a
}

// need records that region r needs node x.
func (s *Scheduler) need(x net.ID, r int32) {
	if x >= 0 && !s.n.N[x].Op.IsLeaf() {
		s.place[x] = s.meet(s.place[x], r)
	}
}

// fixed reports whether register r keeps its value, so that nothing is written.
func (s *Scheduler) fixed(r int, x net.ID) bool {
	nd := &s.n.N[x]

	// Either the next value is the register itself, or the constant that it is assumed to hold.
	return nd.Op == net.Leaf && int(nd.Imm) == r || nd.Op == net.Const && s.assume.Known != nil && s.assume.Known[r] && s.assume.Value[r] == nd.Imm
}

// placeNodes moves every live node into the innermost region that holds all its users. The
// operands of a memory write get an arm of their own, unless another write could come before
// they are read.
func (s *Scheduler) placeNodes() {
	n := s.n
	s.regions = slices.Grow(s.regions[:0], 2*len(s.groups)+len(n.Writes)+1)
	s.region(-1)

	// Effects that always happen need their operands at the top.
	s.need(n.Stop, 0)
	for r := range n.Regs {
		if d := n.Regs[r].Next; d >= 0 && !s.fixed(r, d) {
			s.need(d, 0)
		}
	}
	for i := range n.Outs {
		s.need(n.Outs[i].Node, 0)
	}

	// Memory writes.
	s.storeArm = Filled(s.storeArm, len(n.Writes))
	s.placeJournal()
	for i := range n.Writes {
		w := &n.Writes[i]
		if s.isEntry(i) {
			continue
		}
		at := int32(0)

		if w.En >= 0 {
			s.need(w.En, 0)
			at = s.storeRegion(0)
			s.storeArm[i] = at
		}

		// A read of a written memory must not sink behind the stores.
		for _, x := range [3]net.ID{w.Addr, w.Data, w.Mask} {
			if len(n.Writes) > 1 && x >= 0 && s.memory[x] {
				s.need(x, 0)
			} else {
				s.need(x, at)
			}
		}
	}

	// Users come before operands in this direction.
	for k := len(s.order) - 1; k >= 0; k-- {
		if i := s.order[k]; s.place[i] >= 0 {
			s.placeOperands(i)
		}
	}
}

// placeOperands places the operands of node i: a mux's arms in the arms of its branch.
func (s *Scheduler) placeOperands(i net.ID) {
	// A mux of a group becomes a branch in the region of its users, unless branches nest too deep.
	nd, r := &s.n.N[i], s.place[i]
	if g := s.grp[i]; g >= 0 && s.regions[r].depth < s.Costs.Depth {
		t := s.armOf(&s.groups[g], r)
		s.regions[t].merged++
		s.regions[t].cond = nd.A
		s.arm[i] = t
		s.need(nd.A, r)
		s.need(nd.B, t)
		s.need(nd.C, s.regions[t].mate)
		return
	}

	// Any other node is computed where it is, and so are its operands.
	s.regions[r].cost += float64(nd.Cost())
	var buf [3]net.ID
	for _, x := range args(s.n, i, &buf) {
		s.need(x, r)
	}
}

// armOf is the then-arm of group g in region r, made at the first call.
func (s *Scheduler) armOf(g *group, r int32) int32 {
	// Few regions hold muxes of one group, so the list is searched.
	for q := 0; q < len(g.arms); q += 2 {
		if g.arms[q] == r {
			return g.arms[q+1]
		}
	}

	// Both arms at once, each other's mates.
	t, f := s.region(r), s.region(r)
	s.regions[t].mate, s.regions[t].then = f, true
	s.regions[f].mate = t
	g.arms = append(g.arms, r, t)
	return t
}

// decide drops branches that do not pay, innermost first.
func (s *Scheduler) decide() {
	// Children have higher numbers than parents, so their decision is known.
	for r := len(s.regions) - 1; r > 0; r-- {
		t := &s.regions[r]
		if t.store || !t.then {
			continue
		}
		f, up := &s.regions[t.mate], &s.regions[t.parent]

		// Without samples, both outcomes are equally frequent. Samples of a large core hold for one
		// phase of its program only, so their odds do not count there.
		odds, misses := 0.5, s.Costs.MissRate
		if s.Odds != nil {
			odds += (s.Odds[t.cond] - odds) * max(0, 1-s.Crowd/s.Costs.OddsUntil)
			misses += s.Costs.CrowdMiss * s.Crowd
		}

		// Both arms computed and selected, against one of them and a branch.
		merged := float64(t.merged)
		both := t.cost + f.cost + 2*merged
		taken := odds*t.cost + (1-odds)*f.cost + merged + s.Costs.If + misses*s.Costs.MissCost
		if both+merged+2 <= taken {
			t.dead, f.dead = true, true
			up.cost += both - merged + 2
		} else {
			up.cost += taken
		}
	}
}

// build links the remaining regions with their children and nodes, and makes the branches.
func (s *Scheduler) build() {
	// A dead region's children move up to its first living ancestor.
	for r := 1; r < len(s.regions); r++ {
		p := s.regions[r].parent
		for s.regions[p].dead {
			p = s.regions[p].parent
		}
		s.regions[r].parent = p
		if !s.regions[r].dead {
			s.regions[r].nextKid = s.regions[p].firstKid
			s.regions[p].firstKid = int32(r)
		}
	}

	// Nodes of dropped regions move to the next living ancestor.
	for k := len(s.order) - 1; k >= 0; k-- {
		i := s.order[k]
		r := s.place[i]
		if r < 0 {
			continue
		}
		for s.regions[r].dead {
			r = s.regions[r].parent
		}

		s.place[i] = r
		s.nextNode[i] = s.regions[r].firstNode
		s.regions[r].firstNode = int32(i)

		if t := s.arm[i]; t >= 0 && s.regions[t].dead {
			s.arm[i] = -1
		} else if t >= 0 {
			s.settle(i, t)
		}
	}
}

// settle adds mux i to the branch with then-arm t.
func (s *Scheduler) settle(i net.ID, t int32) {
	// The first mux of a branch makes it.
	b := s.regions[t].branch
	if b < 0 {
		b = int32(len(s.branches))
		var phi []net.ID
		if cap(s.branches) > len(s.branches) {
			phi = s.branches[:b+1][b].phi[:0]
		}
		s.branches = append(s.branches, branch{cond: s.n.N[i].A, then: t, els: s.regions[t].mate, phi: phi})
		s.regions[t].branch = b
	}
	s.branches[b].phi = append(s.branches[b].phi, i)
	s.branchOf[i] = b
}

// findWriters finds next values that are muxes without other use: their arms write the register,
// and an arm that keeps the value does nothing.
func (s *Scheduler) findWriters() {
	n := s.n
	s.uses, s.writes = Sized(s.uses, len(n.N)), Filled(s.writes, len(n.N))

	// Uses by live nodes, and then by roots: an arm may write the register only if the mux has no
	// other use.
	var buf [3]net.ID
	for i := range n.N {
		if s.place[i] >= 0 {
			for _, x := range args(n, net.ID(i), &buf) {
				s.uses[x]++
			}
		}
	}

	n.Roots(func(x net.ID) { s.uses[x]++ })
	s.beforeStop()
	for r := range n.Regs {
		if d := n.Regs[r].Next; d >= 0 && !s.fixed(r, d) {
			s.writer(d, int32(r), 0)
		}
	}
}

// beforeStop marks the branches that Stop needs. They run before it is certain that the cycle
// happens, so their arms must not write.
func (s *Scheduler) beforeStop() {
	if s.n.Stop < 0 {
		return
	}

	// A worklist: paths may be millions of nodes long.
	seen := make([]bool, len(s.n.N))
	var todo []net.ID
	push := func(x net.ID) {
		if !seen[x] {
			seen[x] = true
			todo = append(todo, x)
		}
	}
	for push(s.n.Stop); len(todo) > 0; {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b := s.branchOf[x]; b >= 0 && !s.branches[b].early {
			s.branches[b].early = true
			for _, m := range s.branches[b].phi { // they are merged in one branch
				push(m)
			}
		}
		s.n.Args(x, push)
	}
}

// writer lets the arms of mux x write register r, and so on down the tree of muxes.
func (s *Scheduler) writer(x net.ID, r int32, depth int) {
	// The bound on depth is for the recursion; muxes below it are selected as usual.
	if depth > 20 || s.branchOf[x] < 0 || s.branches[s.branchOf[x]].early || s.uses[x] != 1 || s.writes[x] >= 0 {
		return
	}

	// The register is written once on each path, by the arm that is taken.
	s.writes[x] = r
	s.writer(s.n.N[x].B, r, depth+1)
	s.writer(s.n.N[x].C, r, depth+1)
}

// Prepare schedules a net and finds the registers to copy at the cycle's start. scratch is the
// first free scratch word.
func Prepare(s *Scheduler, n *net.Net, as net.Assume, scratch int32) *Code {
	c := &Code{N: n, Scratch: scratch, Out: s.Run(n, as)}
	c.FoldTests()
	c.Hazards()
	return c
}
