package sim

import (
	"time"
	"unsafe"

	"etch/sim/native"
)

// chunk bounds the time of a call of machine code: the Go scheduler and the collector must wait
// for its end.
const chunk = 200 * time.Microsecond

// times are the times of successive events: of the first, and the step to the next.
type times struct{ first, step uint64 }

// call runs up to n events, at times t, in calls of bounded time. It returns the number run.
func (s *Sim) call(b *body, n int, t times) int {
	run := b.run
	prints := s.p.journal.state != 0
	if prints {
		s.emptyJournal()
	}

	// A single event needs no keeper.
	if n == 1 {
		left := run.Run(s.baseOf(), 1)
		if prints && s.hasJournal() {
			s.touch()
			s.print(t, 0)
		}
		return 1 - int(left)
	}

	// Runs end at a stop, at an error, or when the memory limit is reached; a full journal is
	// printed and the run goes on.
	c := newCaller(run, s.baseOf())
	defer c.giveBack()
	done := 0
	for done < n {
		k := min(max(b.piece, firstPiece), n-done)
		left := b.paced(c, k)
		full := prints && s.hasJournal() && s.printBetween(c, t, done)
		if done += k - left; left > 0 || s.refuse != nil || s.passedLimit(k) {
			if full && s.refuse == nil {
				continue
			}
			break
		}
	}
	return done
}

// firstPiece is the number of cycles of the first call, while their cost is unknown.
const firstPiece = 16

// paced runs k cycles and adapts the size of calls to chunk. It does not time calls that are
// much shorter, because reading the clock would take longer.
func (b *body) paced(c *caller, k int) (left int) {
	if k <= b.piece/8 {
		return c.run(k)
	}

	start := time.Now()
	left = c.run(k)
	switch took := time.Since(start); {
	case took > chunk:
		b.piece = max(1, int(float64(k)*float64(chunk)/float64(took)))
	case took < chunk/2 && k >= b.piece && k < 1<<20:
		b.piece = 2 * k
	}
	return left
}

// caller makes successive calls of machine code.
type caller struct {
	code   native.Runner
	keeper native.Keeper // code as a Keeper, or nil
	base   unsafe.Pointer
	again  bool // the keeper's part of the state is as the last call left it
}

func newCaller(run native.Runner, base unsafe.Pointer) *caller {
	k, _ := run.(native.Keeper)
	return &caller{code: run, keeper: k, base: base}
}

// run runs up to n cycles and returns how many are left.
func (c *caller) run(n int) (left int) {
	if c.keeper == nil {
		return int(c.code.Run(c.base, uint64(n)))
	}
	left = int(c.keeper.RunOn(c.base, uint64(n), c.again))
	c.again = true
	return left
}

// giveBack makes the state whole.
func (c *caller) giveBack() {
	if c.again {
		c.keeper.GiveBack(c.base)
		c.again = false
	}
}

// printBetween prints between two calls of machine code. The code's own part of the state stays
// valid unless the writer changed the state or ran other code.
func (s *Sim) printBetween(c *caller, t times, done int) (full bool) {
	if c.keeper == nil || !c.keeper.Whole() {
		c.giveBack()
	}

	s.touch()
	before := s.version
	full = s.print(t, done)
	c.again = c.again && s.version == before && !s.looked && s.refuse == nil
	c.base = s.baseOf() // new code may have moved the state
	return full
}
