package drive

import (
	"slices"

	"etch/sim/internal/interp"
)

// ClockSet is clocks whose edges come together, and the program's part that their events concern.
type ClockSet struct {
	Clocks []int32      // clocks that rise, in port order
	Falls  bool         // clocks fall, none rises
	on     []byte       // by edge: 1 if it is one of the event
	key    string       // the same
	asked  uint64       // shared.asked when it was last asked for
	waited int          // events interpreted for want of code
	stmts  []int32      // statements of these edges, by their index in the program
	work   *interp.Work // nil until the interpreter runs such an event
}

// ClockSet returns the set of the edges marked in On.
func (s *Stepper) ClockSet() *ClockSet {
	s.asked++
	if c, ok := s.sets[string(s.On)]; ok {
		c.asked = s.asked
		return c
	}
	if len(s.sets) >= s.Tunables().Warm.Sets {
		s.forgetSets()
	}
	c := s.makeClockSet()
	c.asked = s.asked
	s.sets[c.key] = c
	return c
}

// forgetSets drops the half of the sets that was not asked for the longest.
func (s *Stepper) forgetSets() {
	median := s.medianAsked(func(*ClockSet) bool { return true })
	for key, c := range s.sets {
		if c.asked < median {
			delete(s.sets, key)
		}
	}
}

// medianAsked is the median of the last requests, counted by asked, for the sets that f accepts, of
// which there is one at least.
func (s *Stepper) medianAsked(f func(c *ClockSet) bool) uint64 {
	var times []uint64
	for _, c := range s.sets {
		if f(c) {
			times = append(times, c.asked)
		}
	}
	slices.Sort(times)
	return times[len(times)/2]
}

// makeClockSet selects the clocks and statements of s.On.
func (s *Stepper) makeClockSet() *ClockSet {
	c, pr := &ClockSet{on: slices.Clone(s.On), key: string(s.On)}, s.P

	// The set has rising edges first, by clock; falling edges follow.
	for k := range pr.Clocks {
		if s.On[k] != 0 {
			c.Clocks = append(c.Clocks, int32(k))
		}
	}
	c.Falls = len(c.Clocks) == 0 && slices.Contains(s.On, 1)

	for i := range pr.Stmts {
		if c.moves(pr.Stmts[i].Clock) {
			c.stmts = append(c.stmts, int32(i))
		}
	}
	return c
}

// moves reports whether an edge belongs to the event.
func (c *ClockSet) moves(edge int32) bool { return edge >= 0 && c.on[edge] != 0 }

// workOf returns the interpreter's work in an event of c, made at the first call.
func (s *Stepper) workOf(c *ClockSet) *interp.Work {
	if c.work == nil {
		c.work = interp.NewWork(s.P, c.moves)
		s.forgetWorks(c)
	}
	return c.work
}

// MaxWorkBytes bounds the memory of the lists that workOf makes, which grow with the design.
var MaxWorkBytes = 64 << 20

// forgetWorks drops the lists of the half of the sets that was not asked for the longest, if all
// together take too much. The sets stay, with their counts, and c keeps its lists.
func (s *Stepper) forgetWorks(c *ClockSet) {
	if bytes, _ := s.WorkBytes(); bytes <= MaxWorkBytes {
		return
	}
	median := s.medianAsked(func(o *ClockSet) bool { return o.work != nil })
	for _, o := range s.sets {
		if o != c && o.asked <= median {
			o.work = nil
		}
	}
}

// WorkBytes is the memory of these lists, and the number of clock sets that have them.
func (s *Stepper) WorkBytes() (bytes, sets int) {
	for _, c := range s.sets {
		if c.work != nil {
			bytes, sets = bytes+c.work.Bytes(), sets+1
		}
	}
	return bytes, sets
}
