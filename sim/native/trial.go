package native

import (
	"errors"
	"slices"
	"time"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/net"
)

// Trials of plain code: the estimate of what bodies save is checked against the
// clock, early and once more when bodies have settled.
const (
	firstTrial  = 1 << 18 // cycles
	laterTrial  = 1 << 5  // times as many
	trialCycles = 1024    // at least
	trialRuns   = 12      // of each kind
	mostTrial   = 512     // cycles of one run

	settledRate   = 200 // cycles for one miss, when bodies have settled
	mostPostponed = 20
)

// postpone puts a trial off while bodies for new states are still being made: it
// would tell how the general body does.
func (e *Engine) postpone() bool {
	since := float64(e.total-e.lastLook) * float64(e.instances())
	if e.plan != nil && e.misses*settledRate <= since || e.postponed >= mostPostponed {
		return false
	}
	e.postponed++
	e.trialAt = e.total + firstTrial
	return true
}

// contest is between bodies and plain code, which takes over where they do not pay.
type contest struct {
	total   uint64 // cycles run
	trialAt uint64 // cycle of the next trial
	plain   Keeper // what has taken over, *Code or *Gated; nil: bodies run
	kept    bool   // it has kept part of the state
}

// hold makes plain code and runs both kinds in turn for a moment, as what a design
// does changes. It returns plain code if that was faster, else nil.
func (c *contest) hold(base unsafe.Pointer, cycles uint64, compile func() (*Code, error), own func(unsafe.Pointer, uint64) uint64) (faster *Code, done uint64, stopped bool) {
	c.trialAt = max(c.total, firstTrial) * laterTrial
	plain, err := compile()
	if err != nil {
		c.trialAt = 1 << 63
		return nil, 0, false
	}
	better, done, stopped := race(base, cycles, plain.Run, own)
	c.total += done / 2 // plain code's
	if stopped || !better {
		plain.Close()
		return nil, done, stopped
	}
	return plain, done, false
}

// runOn is RunOn of what has taken over.
func (c *contest) runOn(base unsafe.Pointer, cycles uint64, again bool) uint64 {
	left := c.plain.RunOn(base, cycles, again && c.kept)
	c.kept = true
	return left
}

// Whole is Keeper's.
func (c *contest) Whole() bool { return c.plain == nil || c.plain.Whole() }

// GiveBack is Keeper's.
func (c *contest) GiveBack(base unsafe.Pointer) {
	if c.kept {
		c.plain.GiveBack(base)
		c.kept = false
	}
}

// trial gives up the bodies when plain code is faster.
func (e *Engine) trial(base unsafe.Pointer, cycles uint64) (done uint64, stopped bool) {
	plain, done, stopped := e.hold(base, cycles, e.compilePlain, e.call)
	if plain != nil {
		e.takeOver(plain)
	}
	return done, stopped
}

// race lets two kinds of code run in turn for up to cycles cycles, and reports
// whether the first was faster.
func race(base unsafe.Pointer, cycles uint64, a, b func(unsafe.Pointer, uint64) uint64) (better bool, done uint64, stopped bool) {
	k := min(cycles/(2*trialRuns), mostTrial)
	var took [2][]time.Duration
	for range trialRuns {
		for i, run := range [2]func(unsafe.Pointer, uint64) uint64{a, b} {
			start := time.Now()
			left := run(base, k)
			took[i] = append(took[i], time.Since(start))
			if done += k - left; left > 0 {
				return false, done, true
			}
		}
	}
	x, y := middle(took[0]), middle(took[1])
	tellTrial(x, y, k)
	return x < y, done, false
}

// middle is the mean of the middle half: what an interrupted run took, and the
// first, when nothing is in the caches, does not count.
func middle(took []time.Duration) (sum time.Duration) {
	slices.Sort(took)
	took = took[len(took)/4 : len(took)*3/4]
	for _, t := range took {
		sum += t
	}
	return sum / time.Duration(len(took))
}

// settle gives up specialising: plain code is as good.
func (e *Engine) settle() {
	if e.team != nil { // the others may do better
		e.bodiless()
	} else if plain, err := e.compilePlain(); err == nil {
		e.takeOver(plain)
	} else {
		e.bodiless()
	}
}

// bodiless leaves all states to the general body for good. Bodies of the plan before
// go with it: they are told apart by its registers.
func (e *Engine) bodiless() {
	e.plan, e.bodies, e.fixed = &plan{guards: noGuards(len(e.n.Regs)), net: e.n}, nil, true
}

// takeOver lets plain code do everything from now on.
func (e *Engine) takeOver(plain *Code) {
	e.code.Close()
	e.code, e.plain = nil, withGates(e.flat, e.f, plain, e.Scratch())
}

// compilePlain makes plain code that gets along with the scratch words there are.
func (e *Engine) compilePlain() (*Code, error) { return plainWithin(e.flat, e.f, e.Scratch()) }

// plainWithin makes plain code that takes no more than room scratch words.
func plainWithin(n *net.Net, f cpu.Features, room int) (*Code, error) {
	plain, err := Compile(n, f)
	if err == nil && plain.Scratch() > room {
		plain.Close()
		return nil, errors.New("native: plain code takes more scratch words")
	}
	return plain, err
}

func noGuards(n int) []int64 {
	g := make([]int64, n)
	for i := range g {
		g[i] = -1
	}
	return g
}
