package native

import (
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/internal/emit"
)

// sampler keeps samples of the states that a machine passes through: of those without a body, to
// plan new ones, and of any, to weigh the bodies that exist.
type sampler struct {
	pol *choose.Policy

	// Counters of the code, and states it keeps between calls: memory of its own, since other
	// code may use the scratch words.
	seenWords []uint64
	entry     int // words of a ring entry
	entries   int

	room  []uint64          // unused memory for snapshots
	snaps []choose.Snapshot // sampled states without a body since the last review
	reads [][]uint64        // parallel to snaps
	seen  int               // number of states that snaps samples
	past  choose.History

	// Since the last review:
	misses   float64   // cycles in states without a body
	generals float64   // of these, cycles in the general body
	counted  [2]uint64 // the code's two counters when last read

	// Sampled states of any kind; weigh uses only the ones that have a body.
	hits      choose.History
	peeked    int    // number of states that hits samples
	nextHit   uint64 // cycle
	lastDrain uint64 // cycle
	random    lcg
}

// makeRing makes the counters, and the ring for the states of misses: the first one, then one in
// EveryAt.
func (s *sampler) makeRing() {
	s.entries = min(s.pol.RingStates, s.pol.RingWords/s.entry)
	s.seenWords = make([]uint64, emit.RingFirst+s.entry*s.entries)
	s.seenWords[emit.UntilAt], s.seenWords[emit.EveryAt] = 1, s.pol.SaveEvery
}

// count adds the code's counters to misses and generals, and returns the number of cycles in the
// general body since the last time. The counters only grow.
func (s *sampler) count() (general float64) {
	general = float64(s.seenWords[emit.GeneralAt] - s.counted[1])
	s.misses += float64(s.seenWords[emit.MissesAt] - s.counted[0])
	s.generals += general
	s.counted = [2]uint64{s.seenWords[emit.MissesAt], s.seenWords[emit.GeneralAt]}
	return general
}

// take returns n words, allocated in batches.
func (s *sampler) take(n int) []uint64 {
	// Snapshots have one size, and are many: allocate 64 at once.
	if len(s.room) < n {
		s.room = make([]uint64, 64*n)
	}
	words := s.room[:n:n]
	s.room = s.room[n:]
	return words
}

// snap copies the registers at base.
func (m *machine) snap(base unsafe.Pointer) choose.Snapshot {
	return m.copyOf(unsafe.Slice((*uint64)(unsafe.Add(base, 8*int(m.lo))), m.hi-m.lo))
}

// copyOf extracts the registers from state words lo to hi.
func (m *machine) copyOf(words []uint64) choose.Snapshot {
	s := choose.Snapshot(m.take(len(m.n.Regs)))
	for r := range s {
		s[r] = words[m.n.Regs[r].Slot-m.lo]
	}
	return s
}

// drain takes k missed states out of the ring. Reservoir sampling keeps a uniform sample of all
// of them.
func (m *machine) drain(base unsafe.Pointer, k int) {
	// The first plan needs more samples than later ones, which only ask for the missed states.
	most := m.pol.LaterKept
	if m.plan == nil {
		most = m.pol.FirstKept
	}
	keep := m.perCall()

	// A call may leave more states than are considered: step over them evenly.
	for i := 0; i < k; i += (k + keep - 1) / keep {
		// Vitter's algorithm R. The sample is full after most states; then state number seen
		// replaces a random one with probability most/seen.
		m.seen++
		at := -1
		if len(m.snaps) >= most {
			if at = int(m.random.draw() >> 33 % uint64(m.seen)); at >= most {
				continue
			}
		}

		// A ring entry is the registers, and for a class the offset of the instance's memories.
		words := m.seenWords[emit.RingFirst+i*m.entry:][:m.entry]
		s, mem := m.copyOf(words), base
		if m.in.class != nil {
			mem = unsafe.Add(base, words[m.entry-1])
		}

		// The ring has registers only. Memory words are read now and may be newer than the
		// registers. That is harmless, because bodies check the words that they assume.
		reads := m.reader.Run(base, mem, s, m.take(2 * len(m.reader.Reads))[:0])

		if at >= 0 {
			m.snaps[at], m.reads[at] = s, reads
		} else {
			m.snaps, m.reads = append(m.snaps, s), append(m.reads, reads)
		}
	}

	// The interval to the next kept state is random but odd, because many designs have even
	// periods.
	m.seenWords[emit.RingAt] = 0
	m.seenWords[emit.EveryAt] = m.pol.SaveEvery + 2*(m.random.draw()>>33%m.pol.SaveSpread)
}

// perCall is the number of missed states of a call that are considered.
func (m *machine) perCall() int {
	if m.in.isTeam() {
		return max(m.pol.MemberKept, m.pol.CallKept/len(m.in.machines))
	}
	return m.pol.CallKept
}

// peek samples the present state, by reservoir sampling: the missed states say nothing about the
// states that have bodies.
func (m *machine) peek(base unsafe.Pointer) {
	// A random gap, for the same reason as in drain.
	random := m.random.draw()
	m.nextHit = m.in.total + m.pol.HitGap + random>>33%m.pol.HitGap
	m.peeked++

	// Algorithm R again. One draw serves both decisions, by different bits.
	at := len(m.hits.Snaps)
	if at >= m.pol.HitKept {
		if at = int(random >> 43 % uint64(m.peeked)); at >= m.pol.HitKept {
			return
		}
	}

	state, mem := m.some(base)
	s := m.snap(state)
	reads := m.reader.Run(base, mem, s, m.take(2 * len(m.reader.Reads))[:0])
	if at == len(m.hits.Snaps) {
		m.hits.Snaps, m.hits.Reads = append(m.hits.Snaps, s), append(m.hits.Reads, reads)
	} else {
		m.hits.Snaps[at], m.hits.Reads[at] = s, reads
	}
}

// remember moves the sampled misses to the history. Together they stand for all misses since the
// last time.
func (m *machine) remember() {
	// Each sample stands for an equal share of the misses.
	for range m.snaps {
		m.past.Weight = append(m.past.Weight, m.misses/float64(len(m.snaps)))
	}
	m.past.Snaps, m.past.Reads = append(m.past.Snaps, m.snaps...), append(m.past.Reads, m.reads...)
	m.snaps, m.reads, m.misses, m.generals, m.seen = nil, nil, 0, 0, 0
	m.lastReview = m.in.total

	// Thinning halves the history and keeps its weight.
	for len(m.past.Snaps) > m.mostPast() {
		m.past.Thin()
	}
}

// mostPast bounds the history.
func (m *machine) mostPast() int { return m.pol.MostSnaps(len(m.n.Regs), m.reader) }

// weigh scales the history to all cycles so far. Cycles in bodies for full states since the last
// review are weighted by the sample of such states, or like the past if that sample is too
// small.
func (m *machine) weigh() {
	// The history must stand for all cycles of all instances.
	all := float64(m.in.total) * float64(m.in.instances())
	if m.plan != nil {
		full := m.byKey()
		k := 0

		// Keep only the samples that a full body ran.
		for i, s := range m.hits.Snaps {
			if m.plan.Agrees(s) && full[m.plan.Key(m.plan.Values(s, len(m.plan.Dec)))] != nil {
				m.hits.Snaps[k], m.hits.Reads[k] = s, m.hits.Reads[i]
				k++
			}
		}

		// The cycles that are neither in the history nor missed ran in full bodies. Share them out
		// among the hits.
		if k >= m.pol.LeastHits {
			w := max(0, all-m.past.Total()-m.misses) / float64(k)
			for i := range k {
				m.past.Snaps, m.past.Reads = append(m.past.Snaps, m.hits.Snaps[i]), append(m.past.Reads, m.hits.Reads[i])
				m.past.Weight = append(m.past.Weight, w)
			}
		}
		m.hits, m.peeked = choose.History{}, 0
	}

	// Scale the past to all cycles but the misses, which are added next. Weights never shrink.
	if t := m.past.Total(); t > 0 {
		f := max(1, (all-m.misses)/t)
		for i := range m.past.Weight {
			m.past.Weight[i] *= f
		}
	}
	m.remember()
}

// lcg is a linear congruential generator (Knuth's MMIX constants). It decides which states are
// sampled, identically in every run.
type lcg uint64

// draw returns the next number. Use the upper bits: the lower ones have short periods.
func (x *lcg) draw() uint64 {
	*x = *x*6364136223846793005 + 1442695040888963407
	return uint64(*x)
}
