package native

import (
	"slices"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/internal/emit"
)

// fewCycles is the number of cycles below which a call that stopped has done nothing worth while.
const fewCycles = 8

// watch is called after the general body has run: it reads the samples and adapts once that
// pays.
func (e *Engine) watch(base unsafe.Pointer) {
	// Drain the sample ring when it fills, or when the samples get old.
	if k := e.seenWords[emit.RingAt]; k >= 16 || k > 0 && e.total-e.lastDrain > 1<<18 {
		e.drain(base, int(k))
		e.lastDrain = e.total
	}
	if e.plan != nil && e.total >= e.nextHit && !e.fixed {
		e.peek(base)
	}

	// At most one case applies in a call. The order is that of precedence.
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
	return e.team.looking && e.wasted() >= e.patience/choose.Effort(e.pol.LookShare)
}

// wasted estimates the effort lost since the last review for want of bodies: general cycles lose
// the full difference to a special body, missed cycles of other bodies a part of it.
func (e *Engine) wasted() choose.Effort {
	// What a full body saves per cycle, by the plan's costs.
	saves := e.plan.General - e.plan.Costs[len(e.plan.Costs)-1]
	return choose.Effort(e.generals*saves/e.plan.General+(e.misses-e.generals)*e.pol.PartialWaste) * e.perCycle
}

// price is the present effort of compiling, in general cycles.
func (e *Engine) price() choose.Price {
	// The estimate by nodes holds until bodies have been compiled; then their mean effort does.
	body := choose.Effort(e.pol.BodyNode * float64(len(e.n.N)))
	if e.added > 0 {
		body = e.adding / choose.Effort(e.added)
	}
	return choose.Price{Body: e.pol.BodyPrice * float64(body/e.perCycle), Cycles: float64(e.total) * float64(e.instances())}
}

// adapt makes bodies for missed states under the present plan, or a new plan if the plan itself
// is at fault.
func (e *Engine) adapt() {
	wasted := e.sincePlan + e.wasted()

	// A plan costs more than a review. It must have been earned by losses since the last plan.
	switch lost := e.lost(); {
	case lost && wasted < e.planTook:
		e.patience = e.planTook - e.sincePlan
	case lost || wasted >= choose.Effort(e.pol.PlanShare)*e.planTook:
		e.replan()
	default:
		e.sincePlan = wasted
		e.refine()
	}
}

// lost reports whether over a third of the missed states cannot have bodies under the present
// plan: their guards are broken, their memory has changed, or they have a body already.
func (e *Engine) lost() bool {
	// A state that agrees with the plan can get a body, unless one with the same key exists.
	k, full := 0, e.byKey()
	for _, s := range e.snaps {
		if !e.plan.Agrees(s) || full[e.plan.Key(e.plan.Values(s, len(e.plan.Dec)))] != nil {
			k++
		}
	}
	return 3*k > len(e.snaps)
}

// refine chooses the plan's bodies again from all samples so far.
func (e *Engine) refine() {
	w, before := watch(), e.adding

	look := choose.Effort(e.pol.SnapLook * float64((len(e.past.Snaps)+len(e.snaps))*(1+len(e.plan.Dec))))

	// The history, with the new misses in it, chooses the bodies anew. Bodies that exist cost
	// nothing to compile.
	e.weigh()
	h, had := e.plan.Agreeing(e.past), e.byKey()
	at := e.price()
	tuples := e.plan.Bodies(&h, e.past.Total(), at, among(had))

	// Code is written only if the set of bodies has changed.
	if old := e.bodies; e.choose(tuples, had, at) {
		look += e.renew()
		e.tell("other bodies")
	} else {
		e.bodies = old
	}

	// The loss before the next review must pay for one as dear as this.
	e.compiling += look + e.adding - before
	e.patience = max(choose.Effort(e.pol.LeastWaste), e.patience, choose.Effort(e.pol.LookShare)*look)
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

	// The plan is made from all states, weighted as they occur.
	e.weigh()
	at := e.price()
	p := choose.MakePlan(e.n, e.control, e.address, e.g.Volatile, e.past, e.reader, at, e.pol, e.plan == nil)
	if !p.Worth {
		e.book().note("cycle %d: no bodies: with all %d deciding registers known a cycle costs %.0f, which must be at most %.2f of %.0f", e.total, len(p.Dec), p.Known(), e.pol.Worthwhile, p.General)
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
	p := choose.MakePlan(e.n, e.control, e.address, e.g.Volatile, e.past, e.reader, at, e.pol, false)

	// Compare expected costs per cycle: the present plan runs its lost states in the general
	// body.
	h := e.plan.Agreeing(e.past)
	lost := 1 - h.Total()/e.past.Total()
	e.plan.Bodies(&h, e.past.Total(), at, among(e.byKey()))
	if p.Worth && p.Expect < e.pol.PlanBetter*(e.plan.Expect+lost*e.plan.General) {
		e.follow(p, at, w)
		return
	}

	// A plan that is not followed costs its effort too.
	e.planned(p.Effort())
	w.compare(e.book(), "a plan", e.planTook)
	e.tell("no better plan")
}

// planned accounts for a plan and decides when the next one may be made without need.
func (e *Engine) planned(took choose.Effort) {
	e.planTook = took
	e.compiling += took
	e.planAt, e.planDue = e.total, e.running+choose.Effort(e.pol.PlanGap)*took
}

// follow compiles the bodies of a new plan. w began with the work on the plan.
func (e *Engine) follow(p *choose.Plan, at choose.Price, w timing) {
	// Bodies assume the deciding registers of their plan, so none of the old plan's remain.
	before := e.adding
	e.plan, e.bodies, e.g.Dec = p, nil, p.Dec
	e.choose(p.Tuples, nil, at)
	emitted := e.renew()

	// The losses so far were due to the old plan: count anew.
	e.planned(p.Effort() + emitted + e.adding - before)
	e.patience, e.sincePlan = max(choose.Effort(e.pol.LeastWaste), e.planTook/8), 0
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
		had[e.plan.Key(b.values)] = b
	}
	return had
}

// choose makes the bodies for tuples and reports whether any is new. Bodies that the plan has
// already are kept. Bodies that run often get branches of their own.
func (e *Engine) choose(tuples []choose.Tuple, had map[uint64]*special, at choose.Price) (changed bool) {
	e.bodies = nil

	// A frequent body gets a tree of conditions: its branches save more than they cost to compile.
	for _, t := range tuples {
		depth := 0
		if t.Weight*at.Cycles >= e.pol.TreeWorth*at.Body {
			depth = e.pol.SpecialReach
		}

		// Keys are hashes, so equality is checked.
		if b := had[e.plan.Key(t.Values)]; b != nil && b.depth >= depth && slices.Equal(b.values, t.Values) {
			b.weight = t.Weight
			e.bodies = append(e.bodies, b)
			continue
		}
		changed = true
		e.g.depth = depth
		e.add(t.Values, t.Weight)
	}
	return changed
}

// add compiles the body for a tuple. Another plan may have led to the same net under the same
// values: then its code is reused.
func (e *Engine) add(values []int64, weight float64) {
	// Specialise the net: propagate the assumed values, then extract the part that is left.
	w, visits := watch(), e.g.Visits
	as := choose.Assumption(values)
	p := e.g.prop(e.plan.Net, 8)
	e.g.Visits += extractVisits * len(e.plan.Net.N)
	p.Run(as)
	checks := choose.AssumeReads(p, e.plan.Net, as, e.plan.Mem)
	n := p.Extract(as)
	p.Forget()

	// Equal nets under equal assumptions have equal code, up to the depth of the tree.
	h := choose.Mix(n.Hash(), uint64(e.g.depth))
	for _, m := range e.memo[h] {
		if m.depth == e.g.depth && slices.Equal(m.values, values) && m.n.Equal(n) {
			e.bodies = append(e.bodies, &special{values, checks, m.root, weight, e.g.depth})
			return
		}
	}

	// Scheduling and allocation visit each node. The visits are the unit of the virtual clock.
	e.g.failed = false
	root := e.g.grow(n, as, 0)
	e.adding += choose.Effort(e.pol.BodyVisit * float64(e.g.Visits-visits))
	e.added++
	w.compare(e.book(), "a body", choose.Effort(e.pol.BodyVisit*float64(e.g.Visits-visits)))
	if e.g.failed {
		return // too many live values: the general body serves these states
	}
	e.memo[h] = append(e.memo[h], memoEntry{n, values, e.g.depth, root})
	e.memoBytes += memoNode*len(n.N) + 16*len(n.Regs) + 8*len(values)
	e.bodies = append(e.bodies, &special{values, checks, root, weight, e.g.depth})
}

// renew writes machine code for all bodies, and returns the effort of it. If the system grants no
// executable memory, the old code stays, which is correct too.
func (e *Engine) renew() choose.Effort {
	// The memo is bounded by number and bytes. Dropping it costs time only.
	if len(e.memo) > 4*e.pol.MostBodies || e.memoBytes > e.pol.MemoBytes {
		clear(e.memo)
		e.memoBytes = 0
	}

	// A team writes the code of all members together, once per call.
	if e.team != nil {
		e.team.stale = true
		return 0 // the team accounts for it
	}
	if err := e.emit(); err != nil {
		e.fixed = true
	}
	return choose.Effort(e.pol.EmitByte * float64(e.code.size))
}
