package native

import (
	"slices"
	"unsafe"
)

// fewCycles is the number of cycles below which a call that stopped has done nothing worth while.
const fewCycles = 8

// watch is called after the general body has run: it reads the samples and adapts once that
// pays.
func (e *Engine) watch(base unsafe.Pointer) {
	// Drain the sample ring when it fills, or when the samples get old.
	if k := e.seenWords[ringAt]; k >= 16 || k > 0 && e.total-e.lastDrain > 1<<18 {
		e.drain(base, int(k))
		e.lastDrain = e.total
	}
	if e.plan != nil && e.total >= e.nextHit && !e.fixed {
		e.peek(base)
	}

	switch {
	case e.fixed:
	case e.pol.ReviewGrowth > 0:
		e.hurry()
	case e.plan != nil && e.running >= e.planDue && e.total >= e.planAt*e.pol.PlanGrowth:
		e.reconsider()
	case len(e.snaps) < e.pol.LeastKept:
	case e.plan == nil && e.running >= e.firstPlan:
		e.replan()
	case e.plan != nil && e.looks():
		e.adapt()
	}
}

// hurry adapts whenever the cycle count has grown by a factor, whatever is lost.
func (e *Engine) hurry() {
	switch {
	case len(e.snaps) < e.pol.LeastKept || float64(e.total) < e.pol.ReviewGrowth*float64(e.lastLook):
	case e.plan == nil || e.lost():
		e.replan()
	default:
		e.refine()
	}
}

// looks reports whether a review of the bodies is due. Members of a team review together.
func (e *Engine) looks() bool {
	if e.team == nil {
		return e.wasted() >= e.patience
	}
	return e.team.looking && e.wasted() >= e.patience/effort(e.pol.LookShare)
}

// wasted estimates the effort lost since the last review for want of bodies: general cycles lose
// the full difference to a special body, missed cycles of other bodies a part of it.
func (e *Engine) wasted() effort {
	saves := e.plan.general - e.plan.costs[len(e.plan.costs)-1]
	return effort(e.generals*saves/e.plan.general+(e.misses-e.generals)*e.pol.PartialWaste) * e.perCycle
}

// price is the present effort of compiling, in general cycles.
func (e *Engine) price() price {
	body := effort(e.pol.BodyNode * float64(len(e.n.N)))
	if e.added > 0 {
		body = e.adding / effort(e.added)
	}
	return price{body: e.pol.BodyPrice * float64(body/e.perCycle), cycles: float64(e.total) * float64(e.instances())}
}

// adapt makes bodies for missed states under the present plan, or a new plan if the plan itself
// is at fault.
func (e *Engine) adapt() {
	wasted := e.sincePlan + e.wasted()
	switch lost := e.lost(); {
	case lost && wasted < e.planTook:
		e.patience = e.planTook - e.sincePlan
	case lost || wasted >= effort(e.pol.PlanShare)*e.planTook:
		e.replan()
	default:
		e.sincePlan = wasted
		e.refine()
	}
}

// lost reports whether over a third of the missed states cannot have bodies under the present
// plan: their guards are broken, their memory has changed, or they have a body already.
func (e *Engine) lost() bool {
	k, full := 0, e.byKey()
	for _, s := range e.snaps {
		if !e.plan.agrees(s) || full[e.plan.key(e.plan.values(s, len(e.plan.dec)))] != nil {
			k++
		}
	}
	return 3*k > len(e.snaps)
}

// refine chooses the plan's bodies again from all samples so far.
func (e *Engine) refine() {
	w, before := watch(), e.adding

	look := effort(e.pol.SnapLook * float64((len(e.past.snaps)+len(e.snaps))*(1+len(e.plan.dec))))
	e.weigh()
	h, had := e.plan.agreeing(e.past), e.byKey()
	at := e.price()
	tuples := e.plan.bodies(&h, e.past.total(), at, among(had))

	if old := e.bodies; e.choose(tuples, had, at) {
		look += e.renew()
		e.tell("other bodies")
	} else {
		e.bodies = old
	}

	e.compiling += look + e.adding - before
	e.patience = max(effort(e.pol.LeastWaste), e.patience, effort(e.pol.LookShare)*look)
	w.compare(e.book(), "a review", look+e.adding-before)
}

// replan makes a new plan from all samples so far, and compiles its bodies. Without a plan that
// is worth it the engine settles for plain code.
func (e *Engine) replan() {
	// Before the first plan every cycle ran the general body.
	w := watch()
	if e.plan == nil {
		e.misses = float64(e.total) * float64(e.instances())
	}

	e.weigh()
	at := e.price()
	p := makePlan(e.n, e.control, e.address, e.g.volatile, e.past, e.reader, at, e.pol, e.plan == nil)
	if !p.worth {
		e.book().note("cycle %d: no bodies: with all %d deciding registers known a cycle costs %.0f, which must be at most %.2f of %.0f", e.total, len(p.dec), p.known(), e.pol.Worthwhile, p.general)
		e.settle()
		return
	}
	e.follow(p, at, w)
}

// reconsider makes a new plan although the present one does well: after more cycles, more bodies
// pay. It follows the new plan if that is much better.
func (e *Engine) reconsider() {
	w := watch()
	e.weigh()
	at := e.price()
	p := makePlan(e.n, e.control, e.address, e.g.volatile, e.past, e.reader, at, e.pol, false)

	// Compare expected costs per cycle: the present plan runs its lost states in the general
	// body.
	h := e.plan.agreeing(e.past)
	lost := 1 - h.total()/e.past.total()
	e.plan.bodies(&h, e.past.total(), at, among(e.byKey()))
	if p.worth && p.expect < e.pol.PlanBetter*(e.plan.expect+lost*e.plan.general) {
		e.follow(p, at, w)
		return
	}

	e.planned(p.effort())
	w.compare(e.book(), "a plan", e.planTook)
	e.tell("no better plan")
}

// planned accounts for a plan and decides when the next one may be made without need.
func (e *Engine) planned(took effort) {
	e.planTook = took
	e.compiling += took
	e.planAt, e.planDue = e.total, e.running+effort(e.pol.PlanGap)*took
}

// follow compiles the bodies of a new plan. w began with the work on the plan.
func (e *Engine) follow(p *plan, at price, w stopwatch) {
	before := e.adding
	e.plan, e.bodies, e.g.dec = p, nil, p.dec
	e.choose(p.tuples, nil, at)
	emitted := e.renew()

	e.planned(p.effort() + emitted + e.adding - before)
	e.patience, e.sincePlan = max(effort(e.pol.LeastWaste), e.planTook/8), 0
	w.compare(e.book(), "a plan and its bodies", e.planTook)
	e.tell("plan")
}

// among reports whether a key is that of one of the bodies.
func among(had map[uint64]*special) func(key uint64) bool {
	return func(key uint64) bool { return had[key] != nil }
}

// byKey indexes the bodies by a hash of their assumptions.
func (e *Engine) byKey() map[uint64]*special {
	had := map[uint64]*special{}
	for _, b := range e.bodies {
		had[e.plan.key(b.values)] = b
	}
	return had
}

// choose makes the bodies for tuples and reports whether any is new. Bodies that the plan has
// already are kept. Bodies that run often get branches of their own.
func (e *Engine) choose(tuples []tuple, had map[uint64]*special, at price) (changed bool) {
	e.bodies = nil
	for _, t := range tuples {
		depth := 0
		if t.weight*at.cycles >= e.pol.TreeWorth*at.body {
			depth = e.pol.SpecialReach
		}

		if b := had[e.plan.key(t.values)]; b != nil && b.depth >= depth && slices.Equal(b.values, t.values) {
			b.weight = t.weight
			e.bodies = append(e.bodies, b)
			continue
		}
		changed = true
		e.g.depth = depth
		e.add(t.values, t.weight)
	}
	return changed
}

// add compiles the body for a tuple. Another plan may have led to the same net under the same
// values: then its code is reused.
func (e *Engine) add(values []int64, weight float64) {
	// Specialise the net: propagate the assumed values, then extract the part that is left.
	w, visits := watch(), e.g.visits
	as := assumption(values)
	p := e.g.prop(e.plan.net, 8)
	e.g.visits += extractVisits * len(e.plan.net.N)
	p.Run(as)
	checks := assumeReads(p, e.plan.net, as, e.plan.mem)
	n := p.Extract(as)
	p.Forget()

	h := mix(n.Hash(), uint64(e.g.depth))
	for _, m := range e.memo[h] {
		if m.depth == e.g.depth && slices.Equal(m.values, values) && m.n.Equal(n) {
			e.bodies = append(e.bodies, &special{values, checks, m.root, weight, e.g.depth})
			return
		}
	}

	e.g.failed = false
	root := e.g.grow(n, as, 0)
	e.adding += effort(e.pol.BodyVisit * float64(e.g.visits-visits))
	e.added++
	w.compare(e.book(), "a body", effort(e.pol.BodyVisit*float64(e.g.visits-visits)))
	if e.g.failed {
		return // too many live values: the general body serves these states
	}
	e.memo[h] = append(e.memo[h], memoEntry{n, values, e.g.depth, root})
	e.memoBytes += memoNode*len(n.N) + 16*len(n.Regs) + 8*len(values)
	e.bodies = append(e.bodies, &special{values, checks, root, weight, e.g.depth})
}

// renew writes machine code for all bodies, and returns the effort of it. If the system grants no
// executable memory, the old code stays, which is correct too.
func (e *Engine) renew() effort {
	if len(e.memo) > 4*e.pol.MostBodies || e.memoBytes > e.pol.MemoBytes {
		clear(e.memo)
		e.memoBytes = 0
	}
	if e.team != nil {
		e.team.stale = true
		return 0 // the team accounts for it
	}
	if err := e.emit(); err != nil {
		e.fixed = true
	}
	return effort(e.pol.EmitByte * float64(e.code.size))
}
