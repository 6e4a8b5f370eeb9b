package sim

import (
	"etch/ir/bits"
	"etch/sim/internal/drive"
	"etch/sim/native"
)

// Watch reports which of some signals have changed, in one call for all of them. Tracers use it
// at every moment.
type Watch struct {
	s     *Sim
	words []drive.Word // of all signals, low words first
	of    []uint32     // by word: the number of its signal
	last  []uint64     // by word
	first []int32      // by signal: its first word; then the end

	seen   uint64       // version of the values in last
	code   *native.Code // computes the combinational words; nil: interpreted
	asked  int          // refreshes so far
	failed bool         // compiling has failed
}

// Watch watches signals, which are numbered in that order. Changed reports differences from
// their present values. It panics for a signal of another Sim.
func (s *Sim) Watch(signals ...Signal) *Watch {
	w := &Watch{s: s, first: make([]int32, 0, len(signals)+1)}
	for i, sig := range signals {
		s.own(sig)
		w.first = append(w.first, int32(len(w.words)))
		for k := range bits.WordCount(int(sig.width)) {
			w.words = append(w.words, drive.Word{Slot: sig.slot + uint32(k), Bits: uint8(min(64, int(sig.width)-64*k))})
			w.of = append(w.of, uint32(i))
		}
	}

	w.first = append(w.first, int32(len(w.words)))
	w.last = make([]uint64, len(w.words))

	// The present values are those that the first call of Changed compares with.
	s.m.Settle()
	for i := range w.words {
		w.last[i] = s.m.St.V[w.words[i].Slot]
	}
	w.seen = s.m.Version
	return w
}

// refresh brings the watched signals up to date.
func (w *Watch) refresh() {
	s := w.s
	if !s.m.Dirty() { // or a history is being replayed, where code would see the wrong state
		return
	}

	if w.asked++; w.code == nil && !w.failed && s.m.Compiled() && (w.asked > s.m.Tunables().Warm.Watch || s.m.MustCompile()) {
		w.compile()
	}
	if w.code == nil || !s.m.RunCode(w.code) {
		s.m.Settle()
	}
}

// compile makes code for the combinational words.
func (w *Watch) compile() {
	s := w.s
	var slots []uint32
	has := map[uint32]bool{}
	for _, at := range w.words {
		if at.Slot >= s.m.P.Leaves && !has[at.Slot] {
			has[at.Slot] = true
			slots = append(slots, at.Slot)
		}
	}

	code, err := s.m.OwnCode(slots)
	if w.failed = err != nil; w.failed {
		return
	}
	w.code = code
}

// Changed appends to dst, in order, the numbers of the signals whose values differ from the last
// call.
func (w *Watch) Changed(dst []int32) []int32 {
	if w.seen == w.s.m.Version {
		return dst
	}
	w.refresh()
	w.seen = w.s.m.Version

	v, last := w.s.m.St.V, w.last
	for i, at := range w.words {
		if x := v[at.Slot]; x != last[i] {
			last[i] = x

			// Words of one signal follow each other, so a comparison with the last number leaves
			// out repetitions.
			if n := len(dst); n == 0 || dst[n-1] != int32(w.of[i]) {
				dst = append(dst, int32(w.of[i]))
			}
		}
	}
	return dst
}

// Value returns the value of signal number i at the last call of Changed, as little-endian
// words. The slice belongs to the Watch, and the next call overwrites it.
func (w *Watch) Value(i int) []uint64 { return w.last[w.first[i]:w.first[i+1]:w.first[i+1]] }
