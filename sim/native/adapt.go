package native

import (
	"slices"
	"time"
	"unsafe"
)

// Policy of adapting. How long a run will last is unknown. So compiling starts only after the
// run has lost as much time as compiling costs: in total, at most twice the best possible (the
// ski-rental rule).
const (
	leastWaste    = 500 * time.Microsecond
	firstShare    = 4    // run before the first plan, in compile times of the general body
	lookShare     = 4    // review bodies once the estimated loss is 4× the cost of a review
	planShare     = 4    // make a new plan once the estimated loss is 4× the cost of a plan
	planGap       = 16   // run between plans made without need, in times of the last plan
	planGrowth    = 4    // and the cycle count must have grown by this factor
	planBetter    = 0.95 // follow such a plan if its expected cost is at most this part of the present plan's
	treeWorth     = 20   // give a body branches of its own once it has run this many cycles per cycle's worth of its compile time
	partialWaste  = 0.3  // of a general cycle: the saving in a body that serves many states
	firstBody     = 60   // ns of compiling per node of the net, until one was measured
	mostBodies    = 600
	mostStops     = 500   // calls before the first plan
	leastTimed    = 8     // cycles of the shortest call that is timed
	generalReach  = 2     // depth of the general body's tree
	specialReach  = 2     // depth of the trees of bodies that run often
	maxAdaptRegs  = 2048  // state words of the largest design that is specialised
	maxAdaptNodes = 20000 // nodes of the largest such design
)

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

	if e.eager {
		e.hurry()
		return
	}

	switch {
	case e.fixed:
	case e.plan != nil && e.running >= e.planDue && e.total >= e.planAt*planGrowth:
		e.reconsider()
	case len(e.snaps) < leastKept:
	case e.plan == nil && e.running >= e.firstPlan:
		e.replan()
	case e.plan != nil && e.looks():
		e.adapt()
	}
}

// hurry adapts after a growing number of cycles instead of time, for tests.
func (e *Engine) hurry() {
	switch {
	case e.fixed || len(e.snaps) < eagerKept || e.total < e.lastLook+e.lastLook/4:
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
	return e.team.looking && e.wasted() >= e.patience/lookShare
}

// wasted estimates the time lost since the last review for want of bodies: general cycles lose
// the full difference to a special body, missed cycles of other bodies a part of it.
func (e *Engine) wasted() time.Duration {
	saves := e.plan.general - e.plan.costs[len(e.plan.costs)-1]
	return time.Duration((e.generals*saves/e.plan.general + (e.misses-e.generals)*partialWaste) * e.perCycle())
}

// perCycle is the time of a general cycle in ns, measured or, before that, guessed from the node
// count.
func (e *Engine) perCycle() float64 {
	if e.timed == 0 {
		return 1 + 0.1*float64(len(e.n.N))
	}
	return max(1, float64(e.slow)/e.timed)
}

// price is the present cost of compiling, in general cycles.
func (e *Engine) price() price {
	body := firstBody * float64(len(e.n.N))
	if e.added > 0 {
		body = float64(e.adding) / float64(e.added)
	}
	if e.eager {
		body = 0
	}
	return price{body: body / e.perCycle(), cycles: float64(e.total) * float64(e.instances())}
}

// adapt makes bodies for missed states under the present plan, or a new plan if the plan itself
// is at fault.
func (e *Engine) adapt() {
	wasted := e.sincePlan + e.wasted()
	switch lost := e.lost(); {
	case lost && wasted < e.planTook:
		e.patience = e.planTook - e.sincePlan
	case lost || wasted >= planShare*e.planTook:
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
	start, before := time.Now(), e.adding

	e.weigh()
	h, had := e.plan.agreeing(e.past), e.byKey()
	at := e.price()
	tuples := e.plan.bodies(&h, e.past.total(), at, had)

	if old := e.bodies; e.choose(tuples, had, at) {
		e.renew()
		e.tell("other bodies")
	} else {
		e.bodies = old
	}

	took := time.Since(start)
	e.compiling += took
	e.patience = max(leastWaste, e.patience, lookShare*(took-(e.adding-before)))
}

// replan makes a new plan from all samples so far, and compiles its bodies. Without a plan that
// is worth it the engine settles for plain code.
func (e *Engine) replan() {
	// Before the first plan every cycle ran the general body.
	start := time.Now()
	if e.plan == nil {
		e.misses = float64(e.total) * float64(e.instances())
	}

	e.weigh()
	at := e.price()
	p := makePlan(e.n, e.control, e.address, e.g.volatile, e.past, e.reader, at, e.plan == nil)
	if !p.worth && !(e.eager && len(p.tuples) > 0) {
		e.settle()
		return
	}
	e.follow(p, at, start)
}

// reconsider makes a new plan although the present one does well: after more cycles, more bodies
// pay. It follows the new plan if that is much better.
func (e *Engine) reconsider() {
	start := time.Now()
	e.weigh()
	at := e.price()
	p := makePlan(e.n, e.control, e.address, e.g.volatile, e.past, e.reader, at, false)

	// Compare expected costs per cycle: the present plan runs its lost states in the general
	// body.
	h := e.plan.agreeing(e.past)
	lost := 1 - h.total()/e.past.total()
	e.plan.bodies(&h, e.past.total(), at, e.byKey())
	if p.worth && p.expect < planBetter*(e.plan.expect+lost*e.plan.general) {
		e.follow(p, at, start)
		return
	}

	e.planTook = time.Since(start)
	e.compiling += e.planTook
	e.planAt, e.planDue = e.total, e.running+planGap*e.planTook
	e.tell("no better plan")
}

// follow compiles the bodies of a new plan. start is when work on the plan began.
func (e *Engine) follow(p *plan, at price, start time.Time) {
	e.plan, e.bodies, e.g.dec = p, nil, p.dec
	e.choose(p.tuples, nil, at)
	e.renew()

	e.planTook = time.Since(start)
	e.compiling += e.planTook
	e.planAt, e.planDue = e.total, e.running+planGap*e.planTook
	e.patience, e.sincePlan = max(leastWaste, e.planTook/8), 0
	e.tell("plan")
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
		if t.weight*at.cycles >= treeWorth*at.body {
			depth = specialReach
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

// key is a hash of a body's assumptions.
func (p *plan) key(values []int64) uint64 {
	h := uint64(0)
	for _, r := range p.dec {
		h = mix(h, uint64(values[r]))
	}
	return h
}

// add compiles the body for a tuple. Another plan may have led to the same net under the same
// values: then its code is reused.
func (e *Engine) add(values []int64, weight float64) {
	start := time.Now()

	// Specialise the net: propagate the assumed values, then extract the part that is left.
	as := assumption(values)
	p := e.g.prop(e.plan.net, 8)
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
	e.adding += time.Since(start)
	e.added++
	if e.g.failed {
		return // too many live values: the general body serves these states
	}
	e.memo[h] = append(e.memo[h], memoEntry{n, values, e.g.depth, root})
	e.bodies = append(e.bodies, &special{values, checks, root, weight, e.g.depth})
}

// renew writes machine code for all bodies. If the system grants no executable memory, the old
// code stays, which is correct too.
func (e *Engine) renew() {
	if len(e.memo) > 4*mostBodies {
		clear(e.memo)
	}
	if e.team != nil {
		e.team.stale = true
	} else if err := e.emit(); err != nil {
		e.fixed = true
	}
}
