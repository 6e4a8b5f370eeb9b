package sim

import "etch/sim/native"

const (
	// defaultPacking keeps memories up to 8 MiB in the state, where machine code addresses them
	// directly and lanes hold them in groups.
	defaultPacking = 1<<20 + 1

	// defaultLimit is the number of bytes that the large memories of one simulator may touch.
	defaultLimit = 1 << 30
)

// WithPacking packs memories that would take at least so many slots of 64 bits: words of up to
// 32 bits take 8, 16 or 32 bits, in pages that are allocated when touched. The default is 2^20+1
// slots, 8 MiB. Results do not depend on it, but [Lanes] with such memories run one after the
// other.
func WithPacking(slots int) Option { return func(c *config) { c.pack = max(1, slots) } }

// WithMemoryLimit bounds the bytes of pages in which packed memories (see [WithPacking]) hold
// anything but zeros, for a Sim or for each lane; the default is 2^30. When a run exceeds it, no
// more cycles run, and Err names the memory and its size. The check is made every 2^14 events, so the
// pages that these can touch come on top.
func WithMemoryLimit(bytes int) Option { return func(c *config) { c.limit = max(1, bytes) } }

// native reports whether a design may have machine code.
func (s *Sim) native() bool { return native.Supported(features) }

// passedLimit reports whether large memories exceed their limit, which Err says then. done is the
// number of events that have run since s.cycles was counted.
func (s *Sim) passedLimit(done int) bool {
	return s.st.PassedLimit(s.cycles+uint64(done)) && s.limited()
}

// limited makes the limit of memory the error of s, unless there is one.
func (s *Sim) limited() bool {
	if s.err == nil {
		s.err = s.st.Large.Err
	}
	return true
}
