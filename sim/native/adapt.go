package native

import (
	"slices"
	"time"
	"unsafe"
)

// Policy of adapting: compiling is paid for by what it saves, and nobody knows how
// long a run will be. So what could have been saved so far, had it been done
// before, must reach what it costs.
const (
	leastWaste    = 500 * time.Microsecond
	firstShare    = 4    // times what compiling the general body took: to run before the first plan
	lookShare     = 4    // times what a look at the bodies takes: to be wasted before it
	planShare     = 4    // the same of a new plan
	planGap       = 16   // times what a plan took: to run before one may be made without need
	planGrowth    = 4    // times as many cycles must there have been
	planBetter    = 0.95 // of the cost of the present plan may one then expect at most
	treeWorth     = 20   // cycles for one of the time that a body takes to compile, before it gets branches of its own
	partialWaste  = 0.3  // of a cycle of the general body: what one of a body for many states could save
	firstBody     = 60   // ns of compiling for each node of the net, before there is a measure
	mostBodies    = 600
	mostStops     = 500   // before the first plan
	leastTimed    = 8     // cycles of a call whose time is taken
	generalReach  = 2     // depth of the general body's tree
	specialReach  = 2     // depth of the trees of bodies that run often
	maxAdaptRegs  = 2048  // state words of a design that is specialised
	maxAdaptNodes = 20000 // nodes of one
)

// watch looks at what the general body had to do, and adapts when that is much.
func (e *Engine) watch(base unsafe.Pointer) {
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

// hurry is what an eager engine does: it looks at its bodies after so many cycles.
func (e *Engine) hurry() {
	switch {
	case e.fixed || len(e.snaps) < eagerKept || e.total < e.lastLook+e.lastLook/4:
	case e.plan == nil || e.lost():
		e.replan()
	default:
		e.refine()
	}
}

// looks reports whether it is time for a look at the bodies. Members of a team look
// together.
func (e *Engine) looks() bool {
	if e.team == nil {
		return e.wasted() >= e.patience
	}
	return e.team.looking && e.wasted() >= e.patience/lookShare
}

// wasted is about how much faster it would have gone since the last look with
// bodies for all states.
func (e *Engine) wasted() time.Duration {
	saves := e.plan.general - e.plan.costs[len(e.plan.costs)-1]
	return time.Duration((e.generals*saves/e.plan.general + (e.misses-e.generals)*partialWaste) * e.perCycle())
}

// perCycle is what a cycle of the general body takes, in ns.
func (e *Engine) perCycle() float64 {
	if e.timed == 0 {
		return 1 + 0.1*float64(len(e.n.N))
	}
	return max(1, float64(e.slow)/e.timed)
}

// price is what compiling costs now.
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

// adapt makes bodies for missed states under the present plan, or a new plan.
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

// lost reports whether many of the missed states are such as no body can be for
// under the present plan: guards are broken, or memory is not as it was.
func (e *Engine) lost() bool {
	k, full := 0, e.byKey()
	for _, s := range e.snaps {
		if !e.plan.agrees(s) || full[e.plan.key(e.plan.values(s, len(e.plan.dec)))] != nil {
			k++
		}
	}
	return 3*k > len(e.snaps)
}

// refine chooses the bodies of the plan anew: there may be better ones by what is
// known now.
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

// replan makes a new plan from all that was seen, and its bodies.
func (e *Engine) replan() {
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

// reconsider makes a new plan when the present one does well, since more pays after
// more cycles, and follows it when that is much better.
func (e *Engine) reconsider() {
	start := time.Now()
	e.weigh()
	at := e.price()
	p := makePlan(e.n, e.control, e.address, e.g.volatile, e.past, e.reader, at, false)
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

// follow makes the bodies of a new plan, on which work began at start.
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

// byKey finds the bodies by what they assume.
func (e *Engine) byKey() map[uint64]*special {
	had := map[uint64]*special{}
	for _, b := range e.bodies {
		had[e.plan.key(b.values)] = b
	}
	return had
}

// choose makes the bodies for tuples, and reports whether some are new; those that
// the plan has already stay as they are. What runs often gets branches of its own.
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

// key is a hash of what a body assumes.
func (p *plan) key(values []int64) uint64 {
	h := uint64(0)
	for _, r := range p.dec {
		h = mix(h, uint64(values[r]))
	}
	return h
}

// add compiles the body for a tuple. The same net may come back under another
// plan, with the same values: its code is used again.
func (e *Engine) add(values []int64, weight float64) {
	start := time.Now()
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
		return // too many values at once: the general body does these states
	}
	e.memo[h] = append(e.memo[h], memoEntry{n, values, e.g.depth, root})
	e.bodies = append(e.bodies, &special{values, checks, root, weight, e.g.depth})
}

// renew makes machine code of all bodies. Where the system gives none, the old
// code stays, which is as correct.
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
