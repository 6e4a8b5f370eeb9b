package sim

import (
	"etch/ir/bits"
	"etch/sim/native"
)

// Watch tells which of some signals have changed: what a tracer asks at every
// moment, in one call for all of them.
type Watch struct {
	s     *Sim
	words []watchedWord
	last  []uint64 // parallel to words
	first []int32  // by signal, the first of its words; and the end

	seen   uint64       // version of the values that last has
	code   *native.Code // computes the combinational ones; nil: the interpreter does
	asked  int
	failed bool
}

// watchedWord is up to 64 bits of a signal.
type watchedWord struct {
	slot, signal uint32
	bits         uint8
}

// Watch watches signals, which keep their numbers in that order. The values that
// they have now are known: Changed tells what is different from them. It panics
// for a signal of another Sim.
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
	s.settle()
	for i := range w.words {
		w.last[i] = s.v[w.words[i].slot]
	}
	w.seen = s.version
	return w
}

// warmWatch is how many questions a Watch has the interpreter answer before it
// compiles code for them.
const warmWatch = 64

// refresh brings the watched signals up to date.
func (w *Watch) refresh() {
	s := w.s
	if !s.dirty { // or a history is replayed, in whose place nothing may be compiled
		return
	}
	if w.asked++; w.code == nil && !w.failed && s.compiled() && (w.asked > warmWatch || s.kind == Native) {
		w.compile()
	}
	if w.code == nil || s.refuse != nil {
		s.settle()
		return
	}
	s.resetNow()
	w.code.Run(s.baseOf(), 1)
}

func (w *Watch) compile() {
	s := w.s
	var slots []uint32
	has := map[uint32]bool{}
	for _, at := range w.words {
		if at.slot >= s.p.leaves && !has[at.slot] {
			has[at.slot] = true
			slots = append(slots, at.slot)
		}
	}
	code, n, err := s.viewCode(slots)
	if w.failed = err != nil; w.failed {
		return
	}
	w.code = code
	s.views = append(s.views, code)
	s.fit(code.Scratch(), n.roms)
}

// Changed appends to dst, in order, the numbers of the signals whose values are
// not those of the last call.
func (w *Watch) Changed(dst []int32) []int32 {
	if w.seen == w.s.version {
		return dst
	}
	w.refresh()
	w.seen = w.s.version
	v, last := w.s.v, w.last
	for i, at := range w.words {
		if x := v[at.slot]; x != last[i] {
			last[i] = x
			if n := len(dst); n == 0 || dst[n-1] != int32(at.signal) {
				dst = append(dst, int32(at.signal))
			}
		}
	}
	return dst
}

// Value returns the value that signal number i had at the last call of Changed,
// as little-endian words. It belongs to the Watch: it changes with the next call,
// in its place.
func (w *Watch) Value(i int) []uint64 { return w.last[w.first[i]:w.first[i+1]:w.first[i+1]] }
