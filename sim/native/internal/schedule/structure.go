package schedule

import (
	"math/bits"
	"slices"

	"etch/sim/net"
)

// Trailing is the number of zeros below the lowest one.
func Trailing(v uint64) int { return bits.TrailingZeros64(v) }

// Ones is the number of ones.
func Ones(v uint64) int { return bits.OnesCount64(v) }

func (s *Scheduler) put(k Kind, a, b int32) { s.out = append(s.out, Ins{k, a, b}) }

// emitAll writes the code: the stop test, outputs, then every sink. Nodes come where their
// region first needs them.
func (s *Scheduler) emitAll() {
	n := s.n

	// The stop test and the outputs read the values before the cycle, so they come before all
	// writes.
	if n.Stop >= 0 {
		s.node(n.Stop, 0)
		s.put(KStop, int32(n.Stop), -1)
	}
	for i := range n.Outs {
		s.node(n.Outs[i].Node, 0)
		s.put(KOut, int32(i), -1)
	}

	// Then the effects, readers of a resource before its writer.
	s.listSinks()
	s.findReads()
	first, late := s.sorted()
	for _, k := range first {
		s.sink(&s.sinks[k])
	}
	for _, k := range late { // all reads of memories come before the first store
		w := &n.Writes[s.sinks[k].store]
		s.node(w.En, 0)
		if t := s.storeArm[s.sinks[k].store]; t >= 0 {
			s.demands(t, 0)
		}
		for _, x := range [3]net.ID{w.Addr, w.Data, w.Mask} {
			s.node(x, 0)
		}
	}

	// Nothing reads a memory from here on.
	for _, k := range late {
		s.sink(&s.sinks[k])
	}
}

// sink emits one register write, memory write, or the journal.
func (s *Scheduler) sink(q *sink) {
	switch {
	case q.reg >= 0:
		s.write(q.reg, s.n.Regs[q.reg].Next, 0)
		return
	case q.store == entriesOf:
		s.enter()
		return
	}

	w := &s.n.Writes[q.store]
	t := s.storeArm[q.store]
	operands := func(r int32) {
		s.node(w.Addr, r)
		s.node(w.Data, r)
		s.node(w.Mask, r)
	}

	// A store without enable needs no branch.
	if t < 0 {
		operands(0)
		s.put(KStore, q.store, -1)
		return
	}

	// A conditional store: operands of its own are computed inside the if.
	s.node(w.En, 0)
	s.demands(t, 0)
	operands(0)
	s.put(KIf, int32(w.En), -1)
	operands(t)
	s.put(KStore, q.store, -1)
	s.put(KElse, -1, -1)
	s.put(KEnd, -1, -1)
}

// demands emits into region r all nodes of r that the regions from q down need.
func (s *Scheduler) demands(q, r int32) {
	// The stack is shared with the callers: bottom is where this call's nodes begin.
	bottom := len(s.todo)
	s.pushDemands(q, r)
	slices.Reverse(s.todo[bottom:])
	s.emitTo(bottom, r)
}

// pushDemands pushes the nodes of demands.
func (s *Scheduler) pushDemands(q, r int32) {
	for y := s.regions[q].firstNode; y >= 0; y = s.nextNode[y] {
		s.pushArguments(net.ID(y), r)
	}
	for k := s.regions[q].firstKid; k >= 0; k = s.regions[k].nextKid {
		s.pushDemands(k, r)
	}
}

// node emits node x, and all that it needs, as far as they belong to region r and are not yet
// there: a depth-first post-order. A node is pushed again, as its complement, below its arguments,
// because paths may be millions of nodes long. Arms nest in calls of node, but only Costs.Depth
// deep.
func (s *Scheduler) node(x net.ID, r int32) {
	bottom := len(s.todo)
	s.push(x, r)
	s.emitTo(bottom, r)
}

// push puts node x on the stack if it is to be emitted in region r.
func (s *Scheduler) push(x net.ID, r int32) {
	if x >= 0 && !s.emitted[x] && s.place[x] == r {
		s.todo = append(s.todo, x)
	}
}

// emitTo emits what lies on the stack from bottom on.
func (s *Scheduler) emitTo(bottom int, r int32) {
	for len(s.todo) > bottom {
		x := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if x >= 0 && s.emitted[x] {
			continue
		}

		// A complement says that its node's arguments are emitted: now it is the node's turn. What
		// is pushed together is reversed, so that it is popped in order.
		top := len(s.todo)
		switch {
		case x < 0 && s.branchOf[^x] >= 0:
			s.branch(s.branchOf[^x])
		case x < 0:
			s.emitted[^x] = true
			s.put(KEval, int32(^x), -1)
		case s.branchOf[x] >= 0:
			s.todo = append(s.todo, ^x)
			s.pushBranch(s.branchOf[x], r)
			slices.Reverse(s.todo[top+1:])
		default:
			s.todo = append(s.todo, ^x)
			s.pushArguments(x, r)
			slices.Reverse(s.todo[top+1:])
		}
	}
}

// pushArguments pushes the arguments of node x that belong to region r.
func (s *Scheduler) pushArguments(x net.ID, r int32) {
	var buf [3]net.ID
	for _, y := range args(s.n, x, &buf) {
		s.push(y, r)
	}
}

// pushBranch pushes all nodes of region r that a branch and its arms need.
func (s *Scheduler) pushBranch(b, r int32) {
	s.push(s.branches[b].cond, r)
	for _, m := range s.branches[b].phi {
		s.push(s.n.N[m].B, r)
		s.push(s.n.N[m].C, r)
	}
	s.pushDemands(s.branches[b].then, r)
	s.pushDemands(s.branches[b].els, r)
}

// branch emits an if with its arms. Everything that the arms need from outside has been emitted.
func (s *Scheduler) branch(b int32) {
	n := s.n
	cond, then, els, phi := s.branches[b].cond, s.branches[b].then, s.branches[b].els, s.branches[b].phi
	s.put(KIf, int32(cond), b)
	s.armCode(phi, then, func(m net.ID) net.ID { return n.N[m].B })
	s.put(KElse, -1, -1)
	s.armCode(phi, els, func(m net.ID) net.ID { return n.N[m].C })

	// The muxes have their values on both paths now.
	for _, m := range phi {
		s.emitted[m] = true
	}
	s.put(KEnd, -1, -1)
}

// armCode emits an arm: first plain muxes, because they may read registers written below; then
// the registers that the arm writes, readers before writers.
func (s *Scheduler) armCode(phi []net.ID, r int32, value func(net.ID) net.ID) {
	for _, m := range phi {
		if s.writes[m] < 0 {
			s.node(value(m), r)
			s.put(KPhi, int32(m), int32(value(m)))
		}
	}
	from := len(s.ordered) // a stack: arms nest
	s.ordered = s.armWrites(s.ordered, phi, value)
	for i := from; i < len(s.ordered); i++ {
		m := phi[s.ordered[i]]
		s.write(s.writes[m], value(m), r)
	}
	s.ordered = s.ordered[:from]
}

// write emits the write of value x to register reg in region r.
func (s *Scheduler) write(reg int32, x net.ID, r int32) {
	if s.fixed(int(reg), x) {
		return
	}
	s.node(x, r)
	if s.writes[x] == reg {
		return // written by the arms of x
	}
	s.put(KWrite, reg, int32(x))
}
