package sim

import (
	"time"
	"unsafe"

	"etch/sim/native"
)

// chunk is how long a call of machine code may last: the scheduler and the
// collector wait for its end.
const chunk = 200 * time.Microsecond

// times are those of events: of the first one, and from each to the next.
type times struct{ first, step uint64 }

// call runs up to n cycles, events at times t, in pieces of bounded time, and
// returns how many.
func (s *Sim) call(b *body, n int, t times) int {
	run := b.run
	prints := s.p.journal.state != 0
	if prints {
		s.emptyJournal()
	}
	if n == 1 {
		left := run.Run(s.baseOf(), 1)
		if prints && s.hasJournal() {
			s.touch()
			s.print(t, 0)
		}
		return 1 - int(left)
	}
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

// firstPiece is the cycles of a call when nothing is known of what they take.
const firstPiece = 16

// paced does k cycles and learns how many may be done in a call. Where they are far
// fewer it does not look at the clock, which would take longer.
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

// caller calls machine code several times in a row.
type caller struct {
	code   native.Runner
	keeper native.Keeper // the same; nil: it keeps nothing
	base   unsafe.Pointer
	again  bool // it has been called, and what it keeps is as it left it
}

func newCaller(run native.Runner, base unsafe.Pointer) *caller {
	k, _ := run.(native.Keeper)
	return &caller{code: run, keeper: k, base: base}
}

// run does up to n cycles, and returns how many are left.
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

// printBetween is print between two calls of machine code. What that keeps stays,
// unless who is written to has changed something, or had other code run.
func (s *Sim) printBetween(c *caller, t times, done int) (full bool) {
	if c.keeper == nil || !c.keeper.Whole() {
		c.giveBack()
	}
	s.touch()
	before := s.version
	full = s.print(t, done)
	c.again = c.again && s.version == before && !s.looked && s.refuse == nil
	c.base = s.baseOf() // new code may have wanted more room
	return full
}
