package native

import (
	"slices"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/internal/emit"
)

// watch is called after each call of the code: it reads the samples, and adapts once that pays.
func (m *machine) watch(base unsafe.Pointer) {
	// Drain the sample ring when it fills, or when the samples get old.
	if k := m.seenWords[emit.RingAt]; k >= m.pol.DrainAt || k > 0 && m.in.total-m.lastDrain > m.pol.DrainAfter {
		m.drain(base, int(k))
		m.lastDrain = m.in.total
	}
	if m.plan != nil && m.in.total >= m.nextHit && !m.fixed {
		m.peek(base)
	}

	// At most one case applies in a call. The order is that of precedence.
	switch {
	case m.fixed:
	case m.pol.ReviewGrowth > 0:
		m.hurry()
	case m.plan != nil && m.running >= m.planDue && m.in.total >= m.planAt*m.pol.PlanGrowth:
		m.reconsider()
	case len(m.snaps) < m.pol.LeastKept:
	case m.plan == nil && m.running >= m.firstPlan:
		m.replan()
	case m.plan != nil && m.reviewDue():
		m.adapt()
	}
}

// hurry adapts whenever the cycle count has grown by a factor, whatever is lost.
func (m *machine) hurry() {
	switch {
	case len(m.snaps) < m.pol.LeastKept || float64(m.in.total) < m.pol.ReviewGrowth*float64(m.lastReview):
	case m.plan == nil || m.lost():
		m.replan()
	default:
		m.review()
	}
}

// reviewDue reports whether a review of the bodies is due. Members of a team review together.
func (m *machine) reviewDue() bool {
	if !m.in.isTeam() {
		return m.wasted() >= m.patience
	}
	return m.in.reviewing && m.wasted() >= m.patience/choose.Effort(m.pol.ReviewShare)
}

// wasted estimates the effort lost since the last review for want of bodies: general cycles lose
// the full difference to a special body, missed cycles of other bodies a part of it.
func (m *machine) wasted() choose.Effort {
	// What a full body saves per cycle, by the plan's costs.
	saves := m.plan.General - m.plan.Costs[len(m.plan.Costs)-1]
	return choose.Effort(m.generals*saves/m.plan.General+(m.misses-m.generals)*m.pol.PartialWaste) * m.perCycle
}

// price is the present effort of compiling, in general cycles.
func (m *machine) price() choose.Price {
	// The estimate by nodes holds until bodies have been compiled; then their mean effort does.
	body := choose.Effort(m.pol.BodyNode * float64(len(m.n.N)))
	if m.added > 0 {
		body = m.adding / choose.Effort(m.added)
	}
	return choose.Price{Body: m.pol.BodyPrice * float64(body/m.perCycle), Cycles: float64(m.in.total) * float64(m.in.instances())}
}

// adapt makes bodies for missed states under the present plan, or a new plan if the plan itself
// is at fault.
func (m *machine) adapt() {
	wasted := m.sincePlan + m.wasted()

	// A plan costs more than a review. It must have been earned by losses since the last plan.
	switch lost := m.lost(); {
	case lost && wasted < m.planTook:
		m.patience = m.planTook - m.sincePlan
	case lost || wasted >= choose.Effort(m.pol.PlanShare)*m.planTook:
		m.replan()
	default:
		m.sincePlan = wasted
		m.review()
	}
}

// lost reports whether too many of the missed states (over one in LostOneIn) cannot have bodies
// under the present plan: their guards are broken, their memory has changed, or they have a body
// already.
func (m *machine) lost() bool {
	// A state that agrees with the plan can get a body, unless one with the same key exists.
	k, full := 0, m.byKey()
	for _, s := range m.snaps {
		if !m.plan.Agrees(s) || full[m.plan.Key(m.plan.Values(s, len(m.plan.Dec)))] != nil {
			k++
		}
	}
	return m.pol.LostOneIn*k > len(m.snaps)
}

// review chooses the plan's bodies again from all samples so far.
func (m *machine) review() {
	w, before := watch(), m.adding
	effort := choose.Effort(m.pol.SnapReview * float64((len(m.past.Snaps)+len(m.snaps))*(1+len(m.plan.Dec))))

	// The history, with the new misses in it, chooses the bodies anew. Bodies that exist cost
	// nothing to compile.
	m.weigh()
	h, had := m.plan.Agreeing(m.past), m.byKey()
	at := m.price()
	tuples := m.plan.Bodies(&h, m.past.Total(), at, among(had))

	// Code is written only if the set of bodies has changed.
	if old := m.bodies; m.choose(tuples, had, at) {
		effort += m.renew()
		m.tell("other bodies")
	} else {
		m.bodies = old
	}

	// The loss before the next review must pay for one as dear as this.
	m.compiling += effort + m.adding - before
	m.patience = max(choose.Effort(m.pol.LeastWaste), m.patience, choose.Effort(m.pol.ReviewShare)*effort)
	w.compare(m.book(), "a review", effort+m.adding-before)
}

// replan makes a new plan from all samples so far, and compiles its bodies. Without a plan that
// is worth it the engine settles for plain code.
func (m *machine) replan() {
	// Before the first plan every cycle ran the general body.
	w := watch()
	if m.plan == nil {
		m.misses = float64(m.in.total) * float64(m.in.instances())
	}

	// The plan is made from all states, weighted as they occur.
	m.weigh()
	at := m.price()
	p := choose.MakePlan(m.n, m.control, m.address, m.g.Volatile, m.past, m.reader, at, m.pol, m.plan == nil)
	if !p.Worth {
		m.book().note("cycle %d: no bodies: with all %d deciding registers known a cycle costs %.0f, which must be at most %.2f of %.0f", m.in.total, len(p.Dec), p.Known(), m.pol.Worthwhile, p.General)
		m.settle()
		return
	}
	m.follow(p, at, w)
}

// reconsider makes a new plan although the present one does well: after more cycles, more bodies
// pay. It follows the new plan if that is much better.
func (m *machine) reconsider() {
	w := watch()
	m.weigh()
	at := m.price()
	p := choose.MakePlan(m.n, m.control, m.address, m.g.Volatile, m.past, m.reader, at, m.pol, false)

	// Compare expected costs per cycle: the present plan runs its lost states in the general
	// body.
	h := m.plan.Agreeing(m.past)
	lost := 1 - h.Total()/m.past.Total()
	m.plan.Bodies(&h, m.past.Total(), at, among(m.byKey()))
	if p.Worth && p.Expect < m.pol.PlanBetter*(m.plan.Expect+lost*m.plan.General) {
		m.follow(p, at, w)
		return
	}

	// A plan that is not followed costs its effort too.
	m.planned(p.Effort())
	w.compare(m.book(), "a plan", m.planTook)
	m.tell("no better plan")
}

// planned accounts for a plan and decides when the next one may be made without need.
func (m *machine) planned(took choose.Effort) {
	m.planTook = took
	m.compiling += took
	m.planAt, m.planDue = m.in.total, m.running+choose.Effort(m.pol.PlanGap)*took
}

// follow compiles the bodies of a new plan. w began with the work on the plan.
func (m *machine) follow(p *choose.Plan, at choose.Price, w timing) {
	// Bodies assume the deciding registers of their plan, so none of the old plan's remain.
	before := m.adding
	m.plan, m.bodies, m.g.Dec = p, nil, p.Dec
	m.choose(p.Tuples, nil, at)
	emitted := m.renew()

	// The losses so far were due to the old plan: count anew.
	m.planned(p.Effort() + emitted + m.adding - before)
	m.patience, m.sincePlan = max(choose.Effort(m.pol.LeastWaste), choose.Effort(m.pol.FollowShare)*m.planTook), 0
	w.compare(m.book(), "a plan and its bodies", m.planTook)
	m.tell("plan")
}

// among reports whether a key is that of one of the bodies.
func among(had map[uint64]*special) func(key uint64) bool {
	return func(key uint64) bool { return had[key] != nil }
}

// byKey indexes the bodies by a hash of their assumptions.
func (m *machine) byKey() map[uint64]*special {
	had := map[uint64]*special{}
	for _, b := range m.bodies {
		had[m.plan.Key(b.values)] = b
	}
	return had
}

// choose makes the bodies for tuples and reports whether any is new. Bodies that the plan has
// already are kept. Bodies that run often get branches of their own.
func (m *machine) choose(tuples []choose.Tuple, had map[uint64]*special, at choose.Price) (changed bool) {
	m.bodies = nil

	// A frequent body gets a tree of conditions: its branches save more than they cost to compile.
	for _, t := range tuples {
		depth := 0
		if t.Weight*at.Cycles >= m.pol.TreeWorth*at.Body {
			depth = m.pol.SpecialReach
		}

		// Keys are hashes, so equality is checked.
		if b := had[m.plan.Key(t.Values)]; b != nil && b.depth >= depth && slices.Equal(b.values, t.Values) {
			b.weight = t.Weight
			m.bodies = append(m.bodies, b)
			continue
		}
		changed = true
		m.g.depth = depth
		m.add(t.Values, t.Weight)
	}
	return changed
}

// add compiles the body for a tuple. Another plan may have led to the same net under the same
// values: then its code is reused.
func (m *machine) add(values []int64, weight float64) {
	// Specialise the net: propagate the assumed values, then extract the part that is left.
	w, visits := watch(), m.g.Visits
	as := choose.Assumption(values)
	p := m.g.prop(m.plan.Net, 8)
	m.g.Visits += m.pol.VisitExtract * len(m.plan.Net.N)
	p.Run(as)
	checks := choose.AssumeReads(p, m.plan.Net, as, m.plan.Mem, m.pol)
	n := p.Extract(as)
	p.Forget()

	// Equal nets under equal assumptions have equal code, up to the depth of the tree.
	h := choose.Mix(n.Hash(), uint64(m.g.depth))
	for _, had := range m.memo[h] {
		if had.depth == m.g.depth && slices.Equal(had.values, values) && had.n.Equal(n) {
			m.bodies = append(m.bodies, &special{values, checks, had.root, weight, m.g.depth})
			return
		}
	}

	// The visits of nodes on the way give the effort: BodyVisit each.
	m.g.failed = false
	root := m.g.grow(n, as, 0)
	m.adding += choose.Effort(m.pol.BodyVisit * float64(m.g.Visits-visits))
	m.added++
	w.compare(m.book(), "a body", choose.Effort(m.pol.BodyVisit*float64(m.g.Visits-visits)))
	if m.g.failed {
		return // too many live values: the general body serves these states
	}
	m.memo[h] = append(m.memo[h], memoEntry{n, values, m.g.depth, root})
	m.memoBytes += memoNode*len(n.N) + 16*len(n.Regs) + 8*len(values)
	m.bodies = append(m.bodies, &special{values, checks, root, weight, m.g.depth})
}

// renew writes machine code for all bodies, and returns the effort of it. If the system grants no
// executable memory, the old code stays, which is correct too.
func (m *machine) renew() choose.Effort {
	// The memo is bounded by number and bytes. Dropping it costs time only.
	if len(m.memo) > 4*m.pol.MostBodies || m.memoBytes > m.pol.MemoBytes {
		clear(m.memo)
		m.memoBytes = 0
	}

	// A team writes the code of all members together, once per call.
	if m.in.isTeam() {
		m.in.stale = true
		return 0 // renewTeam accounts for it
	}
	if err := m.in.emit(); err != nil {
		m.fixed = true
	}
	return choose.Effort(m.pol.EmitByte * float64(m.in.code.size))
}
