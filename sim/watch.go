package sim

import (
	"etch/ir/bits"
	"etch/sim/native"
)

// Watch reports which of some signals have changed, in one call for all of them. Tracers use it
// at every moment.
type Watch struct {
	s     *Sim
	words []watchedWord
	last  []uint64 // by word
	first []int32  // by signal: its first word; then the end

	seen   uint64       // version of the values in last
	code   *native.Code // computes the combinational words; nil: interpreted
	asked  int
	failed bool
}

// watchedWord is up to 64 bits of a signal.
type watchedWord struct {
	slot, signal uint32
	bits         uint8
}

// Watch watches signals, which are numbered in that order. Changed reports differences from
// their present values. It panics for a signal of another Sim.
func (s *Sim) Watch(signals ...Signal) *Watch {
	w := &Watch{s: s, first: make([]int32, 0, len(signals)+1)}
	for i, sig := range signals {
		s.own(sig)
		w.first = append(w.first, int32(len(w.words)))
		for k := range bits.WordCount(int(sig.width)) {
			w.words = append(w.words, watchedWord{sig.slot + uint32(k), uint32(i), uint8(min(64, int(sig.width)-64*k))})
		}
	}

	w.first = append(w.first, int32(len(w.words)))
	w.last = make([]uint64, len(w.words))

	// The present values are those that the first call of Changed compares with.
	s.settle()
	for i := range w.words {
		w.last[i] = s.st.V[w.words[i].slot]
	}
	w.seen = s.version
	return w
}

// refresh brings the watched signals up to date.
func (w *Watch) refresh() {
	s := w.s
	if !s.dirty { // or a history is being replayed, where code would see the wrong state
		return
	}

	if w.asked++; w.code == nil && !w.failed && s.compiled() && (w.asked > s.tunables().Warm.Watch || s.kind == Native) {
		w.compile()
	}
	if w.code != nil && s.refuse == nil {
		s.resetNow()
	}
	if w.code == nil || s.refuse != nil || !s.settleBoxes() {
		s.settle()
		return
	}
	w.code.Run(s.baseOf(), 1)
}

// compile makes code for the combinational words.
func (w *Watch) compile() {
	s := w.s
	var slots []uint32
	has := map[uint32]bool{}
	for _, at := range w.words {
		if at.slot >= s.p.Leaves && !has[at.slot] {
			has[at.slot] = true
			slots = append(slots, at.slot)
		}
	}

	code, err := s.ownCode(slots)
	if w.failed = err != nil; w.failed {
		return
	}
	w.code = code
}

// Changed appends to dst, in order, the numbers of the signals whose values differ from the last
// call.
func (w *Watch) Changed(dst []int32) []int32 {
	if w.seen == w.s.version {
		return dst
	}
	w.refresh()
	w.seen = w.s.version

	v, last := w.s.st.V, w.last
	for i, at := range w.words {
		if x := v[at.slot]; x != last[i] {
			last[i] = x

			// Words of one signal follow each other, so a comparison with the last number leaves
			// out repetitions.
			if n := len(dst); n == 0 || dst[n-1] != int32(at.signal) {
				dst = append(dst, int32(at.signal))
			}
		}
	}
	return dst
}

// Value returns the value of signal number i at the last call of Changed, as little-endian
// words. The slice belongs to the Watch, and the next call overwrites it.
func (w *Watch) Value(i int) []uint64 { return w.last[w.first[i]:w.first[i+1]:w.first[i+1]] }
