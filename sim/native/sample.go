package native

import (
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/internal/emit"
)

// Limits of the samples of states.
const (
	ringEntries = 256 // missed states that code keeps between calls
	ringWords   = 1 << 15
)

// drain takes k missed states out of the ring. Reservoir sampling keeps a uniform sample of all
// of them.
func (e *Engine) drain(base unsafe.Pointer, k int) {
	// The first plan needs more samples than later ones, which only ask for the missed states.
	most := e.pol.LaterKept
	if e.plan == nil {
		most = e.pol.FirstKept
	}
	keep := e.perCall()

	// A call may leave more states than are considered: step over them evenly.
	for i := 0; i < k; i += (k + keep - 1) / keep {
		// Vitter's algorithm R. The sample is full after most states; then state number seen
		// replaces a random one with probability most/seen.
		e.seen++
		at := -1
		if len(e.snaps) >= most {
			if at = int(e.random.draw() >> 33 % uint64(e.seen)); at >= most {
				continue
			}
		}

		// A ring entry is the registers, and for a class the offset of the instance's memories.
		words := e.seenWords[emit.RingFirst+i*e.entry:][:e.entry]
		s, mem := e.copyOf(words), base
		if e.class != nil {
			mem = unsafe.Add(base, words[e.entry-1])
		}

		// The ring has registers only. Memory words are read now and may be newer than the
		// registers. That is harmless, because bodies check the words that they assume.
		reads := e.reader.Run(base, mem, s, e.take(2 * len(e.reader.Reads))[:0])

		if at >= 0 {
			e.snaps[at], e.reads[at] = s, reads
		} else {
			e.snaps, e.reads = append(e.snaps, s), append(e.reads, reads)
		}
	}

	// The interval to the next kept state is random but odd, because many designs have even
	// periods.
	e.seenWords[emit.RingAt] = 0
	e.seenWords[emit.EveryAt] = e.pol.SaveEvery + 2*(e.random.draw()>>33%e.pol.SaveSpread)
}

// perCall is the number of missed states of a call that are considered.
func (e *Engine) perCall() int {
	if e.team != nil {
		return max(e.pol.MemberKept, e.pol.CallKept/len(e.team.members))
	}
	return e.pol.CallKept
}

// peek samples the present state, by reservoir sampling: the missed states say nothing about the
// states that have bodies.
func (e *Engine) peek(base unsafe.Pointer) {
	// A random gap, for the same reason as in drain.
	random := e.random.draw()
	e.nextHit = e.total + e.pol.HitGap + random>>33%e.pol.HitGap
	e.peeked++

	// Algorithm R again. One draw serves both decisions, by different bits.
	at := len(e.hits.Snaps)
	if at >= e.pol.HitKept {
		if at = int(random >> 43 % uint64(e.peeked)); at >= e.pol.HitKept {
			return
		}
	}

	state, mem := e.some(base)
	s := e.snap(state)
	reads := e.reader.Run(base, mem, s, e.take(2 * len(e.reader.Reads))[:0])
	if at == len(e.hits.Snaps) {
		e.hits.Snaps, e.hits.Reads = append(e.hits.Snaps, s), append(e.hits.Reads, reads)
	} else {
		e.hits.Snaps[at], e.hits.Reads[at] = s, reads
	}
}

// remember moves the sampled misses to the history. Together they stand for all misses since the
// last time.
func (e *Engine) remember() {
	// Each sample stands for an equal share of the misses.
	for range e.snaps {
		e.past.Weight = append(e.past.Weight, e.misses/float64(len(e.snaps)))
	}
	e.past.Snaps, e.past.Reads = append(e.past.Snaps, e.snaps...), append(e.past.Reads, e.reads...)
	e.snaps, e.reads, e.misses, e.generals, e.seen = nil, nil, 0, 0, 0
	e.lastLook = e.total

	// Thinning halves the history and keeps its weight.
	for len(e.past.Snaps) > e.mostPast() {
		e.past.Thin()
	}
}

// mostPast bounds the history by number and by bytes. A plan needs some of it in any case.
func (e *Engine) mostPast() int {
	bytes := 8 * (len(e.n.Regs) + 2*len(e.reader.Reads))
	return max(2*e.pol.LeastKept, min(e.pol.MostPast, e.pol.PastBytes/bytes))
}

// weigh scales the history to all cycles so far. Cycles in bodies for full states since the last
// review are weighted by the sample of such states, or like the past if that sample is too
// small.
func (e *Engine) weigh() {
	// The history must stand for all cycles of all instances.
	all := float64(e.total) * float64(e.instances())
	if e.plan != nil {
		full := e.byKey()
		k := 0

		// Keep only the samples that a full body ran.
		for i, s := range e.hits.Snaps {
			if e.plan.Agrees(s) && full[e.plan.Key(e.plan.Values(s, len(e.plan.Dec)))] != nil {
				e.hits.Snaps[k], e.hits.Reads[k] = s, e.hits.Reads[i]
				k++
			}
		}

		// The cycles that are neither in the history nor missed ran in full bodies. Share them out
		// among the hits.
		if k >= e.pol.LeastHits {
			w := max(0, all-e.past.Total()-e.misses) / float64(k)
			for i := range k {
				e.past.Snaps, e.past.Reads = append(e.past.Snaps, e.hits.Snaps[i]), append(e.past.Reads, e.hits.Reads[i])
				e.past.Weight = append(e.past.Weight, w)
			}
		}
		e.hits, e.peeked = choose.History{}, 0
	}

	// Scale the past to all cycles but the misses, which are added next. Weights never shrink.
	if t := e.past.Total(); t > 0 {
		f := max(1, (all-e.misses)/t)
		for i := range e.past.Weight {
			e.past.Weight[i] *= f
		}
	}
	e.remember()
}

// lcg is a linear congruential generator (Knuth's MMIX constants). It decides which states are
// sampled, identically in every run.
type lcg uint64

// draw returns the next number. Use the upper bits: the lower ones have short periods.
func (x *lcg) draw() uint64 {
	*x = *x*6364136223846793005 + 1442695040888963407
	return uint64(*x)
}
