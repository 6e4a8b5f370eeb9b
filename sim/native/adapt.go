package native

import (
	"errors"
	"slices"
	"time"
	"unsafe"
)

// Policy of adapting.
const (
	firstSnaps    = 1000 // before the first plan
	ringEntries   = 256  // missed states that code keeps between calls
	ringWords     = 1 << 15
	saveEvery     = 8   // misses
	keptMisses    = 512 // between plans
	mostBodies    = 600
	compileFree   = 60 * time.Millisecond // before compiling must wait for running
	compileShare  = 8                     // of the running time, one part may go to compiling
	compileGap    = 4                     // times what a plan took, to run before the next one
	leastGap      = time.Millisecond
	mostStops     = 500   // while sampling
	leastTimed    = 8     // cycles of a call whose time is taken
	worthCycles   = 64    // that a tuple must have been seen for, after the first plan
	generalReach  = 2     // depth of the general body's tree
	specialReach  = 2     // depth of bodies' trees from the third plan on
	maxAdaptRegs  = 2048  // state words of a design that is specialised
	maxAdaptNodes = 20000 // nodes of one
)

// sample runs cycles one by one with a few between, and keeps what it sees.
func (e *Engine) sample(base unsafe.Pointer, cycles uint64) (done uint64, stopped bool) {
	for done < cycles && len(e.snaps) < firstSnaps {
		e.random = e.random*6364136223846793005 + 1442695040888963407
		if k := min(e.random>>61, cycles-done-1); k > 0 {
			left := e.call(base, k)
			if done += k - left; left > 0 {
				return done, true
			}
		}
		state, mem := e.some(base)
		s := e.snap(state)
		reads := e.reader.run(base, mem, s, e.take(2 * len(e.reader.reads))[:0])
		if e.call(base, 1) > 0 {
			if e.stops++; e.stops > mostStops { // it speaks all the time: there is nothing to gain
				e.sampling = false
				e.settle()
			}
			return done, true
		}
		done++
		e.snaps, e.reads = append(e.snaps, s), append(e.reads, reads)
	}
	return done, false
}

// Trials of plain code: the estimate of what bodies save is checked against the
// clock, early and once more when bodies have settled.
const (
	firstTrial  = 1 << 18 // cycles
	laterTrial  = 1 << 5  // times as many
	trialCycles = 64      // at least
	trialRuns   = 4       // of each kind
	mostTrial   = 1024    // of one kind in a row

	settledRate   = 200 // cycles for one miss, when bodies have settled
	mostPostponed = 20
)

// postpone puts a trial off while bodies for new states are still being made: it
// would tell how the general body does.
func (e *Engine) postpone() bool {
	since := float64(e.total-e.lastPlan) * float64(e.instances())
	if e.misses*settledRate <= since || e.postponed >= mostPostponed {
		return false
	}
	e.postponed++
	e.trialAt = e.total + firstTrial
	return true
}

// trial runs both kinds of code for a moment, and gives up the bodies when plain
// code is as fast.
func (e *Engine) trial(base unsafe.Pointer, cycles uint64) (done uint64, stopped bool) {
	e.trialAt = max(e.total, firstTrial) * laterTrial
	plain, err := e.compilePlain()
	if err != nil {
		e.trialAt = 1 << 63
		return 0, false
	}
	k := min(cycles/(2*trialRuns), mostTrial)
	took := [2]time.Duration{1 << 62, 1 << 62}
	for i, run := range [2]func(unsafe.Pointer, uint64) uint64{e.call, plain.Run} {
		for range trialRuns { // the best counts: the first time nothing is in the caches, and others run too
			start := time.Now()
			left := run(base, k)
			took[i] = min(took[i], time.Since(start))
			if done += k - left; left > 0 {
				plain.Close()
				return done, true
			}
		}
	}
	e.total += trialRuns * k // plain code's
	if took[1] >= took[0] {
		plain.Close()
		return done, false
	}
	e.code.Close()
	e.code, e.plain = nil, withGates(e.flat, e.f, plain, e.Scratch())
	return done, false
}

// watch looks at what the general body had to do since the last plan, and adapts
// when that is much and compiling has not taken more than its share.
func (e *Engine) watch(base unsafe.Pointer) {
	if k := e.seenWords[ringAt]; k >= 16 || k > 0 && e.total-e.lastDrain > 1<<18 {
		e.drain(base, int(k))
		e.lastDrain = e.total
	}
	if len(e.snaps) < 32 || e.running < e.nextOK || e.compiling > compileFree+e.running/compileShare {
		return
	}
	since := (e.total - e.lastPlan) * uint64(e.instances())
	rate := e.misses / float64(since)
	if rate > 1.0/64 || rate > 1.0/512 && since > 1<<20 || rate > 1.0/4096 && since > 1<<23 {
		before := e.compiling
		e.adapt(rate)
		e.lastPlan = e.total
		e.nextOK = e.running + max(leastGap, compileGap*(e.compiling-before))
	}
}

// drain takes the missed states out of the ring: a sample of them all is kept.
func (e *Engine) drain(base unsafe.Pointer, k int) {
	for i := range k {
		e.seen++
		at := -1
		if len(e.snaps) >= keptMisses {
			e.random = e.random*6364136223846793005 + 1442695040888963407
			if at = int(e.random >> 33 % uint64(e.seen)); at >= keptMisses {
				continue
			}
		}
		words := e.seenWords[ringFirst+i*e.entry:][:e.entry]
		s, mem := e.copyOf(words), base
		if e.class != nil {
			mem = unsafe.Add(base, words[e.entry-1])
		}
		reads := e.reader.run(base, mem, s, e.take(2 * len(e.reader.reads))[:0])
		if at >= 0 {
			e.snaps[at], e.reads[at] = s, reads
		} else {
			e.snaps, e.reads = append(e.snaps, s), append(e.reads, reads)
		}
	}
	e.seenWords[ringAt] = 0
}

// adapt makes bodies for missed tuples under the present plan, or a new plan.
func (e *Engine) adapt(rate float64) {
	var missed []snapshot
	for _, s := range e.snaps {
		ok := true
		for r, v := range e.plan.guards {
			ok = ok && (v < 0 || s[r] == uint64(v))
		}
		if ok {
			missed = append(missed, s)
		}
	}
	e.seen = 0
	broken := len(e.snaps) - len(missed)
	if rate > 1.0/512 && broken*3 > len(e.snaps) || len(missed) > 150 || len(e.bodies) > mostBodies {
		e.replan()
		return
	}
	e.remember()
	start := time.Now()
	have := map[uint64]bool{}
	key := func(value func(r int32) uint64) uint64 {
		h := uint64(0)
		for _, r := range e.plan.dec {
			h = mix(h, value(r))
		}
		return h
	}
	for _, b := range e.bodies {
		have[key(func(r int32) uint64 { return uint64(b.values[r]) })] = true
	}
	added := false
	for _, s := range missed {
		k := key(func(r int32) uint64 { return s[r] })
		if have[k] {
			continue
		}
		have[k] = true
		e.add(e.plan.values(s), 1e-4)
		added = true
	}
	if added {
		e.renew()
	}
	e.compiling += time.Since(start)
	e.tell("more bodies")
}

// remember moves the sampled misses to the history, where they stand for all
// misses since the last plan.
func (e *Engine) remember() {
	for range e.snaps {
		e.past.weight = append(e.past.weight, e.misses/float64(len(e.snaps)))
	}
	e.past.snaps, e.past.reads = append(e.past.snaps, e.snaps...), append(e.past.reads, e.reads...)
	e.snaps, e.reads, e.misses = nil, nil, 0
	if len(e.past.snaps) > maxPast {
		e.past.thin()
	}
}

// maxPast bounds the snapshots that are remembered.
const maxPast = 8192

// thin forgets every other snapshot; its neighbour stands for both.
func (h *history) thin() {
	k := len(h.snaps) / 2
	for i := range k {
		h.snaps[i], h.reads[i] = h.snaps[2*i], h.reads[2*i]
		h.weight[i] = h.weight[2*i] + h.weight[2*i+1]
	}
	clear(h.snaps[k:])
	clear(h.reads[k:])
	h.snaps, h.reads, h.weight = h.snaps[:k], h.reads[:k], h.weight[:k]
}

// replan makes a new plan from all that was seen, and its bodies.
func (e *Engine) replan() {
	start := time.Now()
	first := e.sampling
	if first {
		e.misses = float64(e.total) * float64(e.instances())
	} else if t := e.past.total(); t > 0 { // every cycle so far is to be stood for
		f := max(1, (float64(e.total)*float64(e.instances())-e.misses)/t)
		for i := range e.past.weight {
			e.past.weight[i] *= f
		}
	}
	e.remember()
	p := makePlan(e.n, e.control, e.address, e.g.volatile, e.past, e.reader, first)
	e.sampling = false
	if !p.worth {
		e.settle()
		return
	}
	e.plan, e.bodies = p, nil
	e.g.dec, e.g.depth = p.dec, 0
	if e.plans >= 2 {
		e.g.depth = specialReach
	}
	least := worthCycles / (float64(e.total) * float64(e.instances()))
	for _, t := range p.tuples {
		if first || t.weight >= least {
			e.add(t.values, t.weight)
		}
	}
	e.plans++
	defer e.tell("plan")
	e.g.depth = specialReach
	e.renew()
	e.compiling += time.Since(start)
}

// settle gives up specialising: plain code is as good.
func (e *Engine) settle() {
	plain, err := e.compilePlain()
	if err != nil {
		e.plan = &plan{guards: noGuards(len(e.n.Regs)), net: e.n}
		e.nextOK = forever
		return
	}
	e.code.Close()
	e.code, e.plain = nil, withGates(e.flat, e.f, plain, e.Scratch())
}

// compilePlain makes plain code that gets along with the scratch words there are.
func (e *Engine) compilePlain() (*Code, error) {
	plain, err := Compile(e.flat, e.f)
	if err == nil && plain.Scratch() > e.Scratch() {
		plain.Close()
		return nil, errors.New("native: plain code takes more scratch words")
	}
	return plain, err
}

func noGuards(n int) []int64 {
	g := make([]int64, n)
	for i := range g {
		g[i] = -1
	}
	return g
}

// add compiles the body for a tuple. The same net may come back under another
// plan, with the same values: its code is used again.
func (e *Engine) add(values []int64, weight float64) {
	as := assumption(values)
	p := e.g.prop(e.plan.net, 8)
	p.Run(as)
	checks := assumeReads(p, e.plan.net, as, e.plan.mem)
	n := p.Extract(as)
	p.Forget()
	h := mix(n.Hash(), uint64(e.g.depth))
	for _, m := range e.memo[h] {
		if m.depth == e.g.depth && slices.Equal(m.values, values) && m.n.Equal(n) {
			e.bodies = append(e.bodies, &special{values, checks, m.root, weight})
			return
		}
	}
	e.g.failed = false
	root := e.g.grow(n, as, 0)
	if e.g.failed {
		return // too many values at once: the general body does these states
	}
	e.memo[h] = append(e.memo[h], memoEntry{n, values, e.g.depth, root})
	e.bodies = append(e.bodies, &special{values, checks, root, weight})
}

// renew makes machine code of all bodies. Where the system gives none, the old
// code stays, which is as correct.
func (e *Engine) renew() {
	if len(e.memo) > 4*mostBodies {
		clear(e.memo)
	}
	if err := e.emit(); err != nil {
		e.nextOK = forever
	}
}
