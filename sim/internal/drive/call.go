package drive

import (
	"time"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/internal/stopwatch"
	"etch/sim/native"
)

// times are the times of successive events: of the first, and the step to the next.
type times struct{ first, step uint64 }

// call runs up to n events, at times t, in calls of bounded time. It returns the number run.
func (s *Stepper) call(b *compiled, n int, t times) int {
	run := b.run
	prints := s.P.Journal.State != 0
	if prints {
		s.emptyJournal()
	}

	// A single event needs no keeper, unless what it keeps lasts.
	lasts := b.lasts()
	if n == 1 && !lasts {
		left := run.Run(s.Base(), 1)
		if prints && s.hasJournal() {
			s.TouchInputs()
			s.print(t, 0)
		}
		s.disturb(b)
		return 1 - int(left)
	}

	// Runs end at a stop, at an error, or when the memory limit is reached; a full journal is
	// printed and the run goes on.
	c := newCaller(run, s.Base())
	defer func() { s.finish(b, c) }()
	c.again = lasts && b.of == s && b.mark == s.moved
	calls := &s.Tunables().Calls
	done := 0
	for done < n {
		k := min(b.pace.next(run.CycleEffort(), calls), n-done, s.St.UntilCheck(s.Cycles+uint64(done)))
		watch := stopwatch.Start()
		left := c.run(k)
		b.pace.took(watch.Elapsed(), calls)
		full := prints && s.hasJournal() && s.printBetween(c, t, done)
		if done += k - left; left > 0 || s.refuse != nil || s.PassedLimit(done) {
			if full && s.refuse == nil {
				continue
			}
			break
		}
	}
	return done
}

// pace is the number of cycles of a call. It follows from the estimated effort of a cycle, so that
// equal runs make equal calls. Real time only guards against wrong estimates.
type pace struct {
	piece int     // cycles of the last call
	slow  float64 // factor on the estimate; 0: 1
	long  int     // successive calls that took far too long
}

// next is the number of cycles of the next call: twice the last, up to the bound by effort.
func (p *pace) next(cycle float64, c *choose.Calls) int {
	p.slow = max(p.slow, 1)
	p.piece = min(max(2*p.piece, c.First), c.Most, max(1, int(c.Effort()/(cycle*p.slow))))
	return p.piece
}

// took says how long a call took.
func (p *pace) took(t time.Duration, c *choose.Calls) {
	if t < time.Duration(c.Long)*c.Chunk {
		p.long = 0
		return
	}

	// A single long call was interrupted by chance. Only a row of them says that the estimate is
	// wrong.
	if p.long++; p.long == c.Row {
		p.slow, p.long = p.slow*float64(c.Long), 0
	}
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

	// From the next call on, the keeper's part of the state is as this call left it.
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
func (s *Stepper) printBetween(c *caller, t times, done int) (full bool) {
	// The writer may read and change the state, so that the keeper returns its part first.
	if c.keeper == nil || !c.keeper.Whole() {
		c.giveBack()
	}

	s.TouchInputs()
	before := s.Version
	full = s.print(t, done)
	c.again = c.again && s.Version == before && !s.looked && s.refuse == nil
	c.base = s.Base() // new code may have moved the state
	return full
}
