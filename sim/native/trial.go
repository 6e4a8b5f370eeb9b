package native

import (
	"errors"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/internal/contest"
	"etch/sim/net"
)

// postpone delays a trial while bodies for new states are still being compiled: the trial would
// measure the general body.
func (e *Engine) postpone() bool {
	wait := false
	for _, m := range e.machines {
		// Every machine is asked, without a short cut: each counts its delays.
		wait = (!m.fixed || !e.isTeam()) && m.postpone() || wait
	}
	if wait {
		e.trialAt = e.total + e.pol.FirstTrial
	}
	return wait
}

func (m *machine) postpone() bool {
	// Cycles since the last review, of all instances. Misses are counted in the same unit.
	since := float64(m.in.total-m.lastReview) * float64(m.in.instances())
	if m.plan != nil && m.misses*m.pol.SettledRate <= since || m.postponed >= m.pol.MostPostponed {
		return false
	}
	m.postponed++
	return true
}

// rivalry decides between bodies and plain code.
type rivalry struct {
	pol *choose.Policy
	diary
	total   uint64      // cycles run
	trialAt uint64      // cycle of the next trial
	plain   plainRunner // code that has taken over, *Code or *Gated; nil: bodies run
	kept    bool        // plain has kept part of the state
}

// plainRunner is *Code or *Gated.
type plainRunner interface {
	Keeper
	Reporter
}

// hold compiles plain code and runs both kinds alternately for a short time, since the load of a
// design varies. It returns the plain code if that was faster, else nil.
func (c *rivalry) hold(base unsafe.Pointer, cycles uint64, compile func() (*Code, error), own func(unsafe.Pointer, uint64) uint64) (faster *Code, done uint64, stopped bool) {
	// The next trial is set first, so that a failure below cannot repeat in each call.
	c.trialAt = max(c.total, c.pol.FirstTrial) * c.pol.LaterTrial

	plain, err := compile()
	if err != nil {
		c.trialAt = 1 << 63
		return nil, 0, false
	}
	better, done, stopped := c.race(base, cycles, plain.Run, own)
	c.total += done / 2 // the half that plain code ran

	// Bodies stay when the net stopped: the race has no result then.
	if stopped || !better {
		plain.Close()
		return nil, done, stopped
	}
	return plain, done, false
}

// runOn is RunOn of the code that has taken over.
func (c *rivalry) runOn(base unsafe.Pointer, cycles uint64, again bool) uint64 {
	left := c.plain.RunOn(base, cycles, again && c.kept)
	c.kept = true
	return left
}

// Whole implements [Keeper].
func (c *rivalry) Whole() bool { return c.plain == nil || c.plain.Whole() }

// GiveBack implements [Keeper].
func (c *rivalry) GiveBack(base unsafe.Pointer) {
	if c.kept {
		c.plain.GiveBack(base)
		c.kept = false
	}
}

// trial gives up the bodies if plain code is faster.
func (e *Engine) trial(base unsafe.Pointer, cycles uint64) (done uint64, stopped bool) {
	plain, done, stopped := e.hold(base, cycles, e.compilePlain, e.call)
	if plain != nil {
		e.takeOver(plain)
	}
	return done, stopped
}

// race runs two kinds of code by turns for up to cycles cycles, and reports whether the first is
// clearly faster. Bodies are measured because an estimate does not know how well their jumps are
// predicted and how much of their code the caches hold.
func (c *rivalry) race(base unsafe.Pointer, cycles uint64, a, b func(unsafe.Pointer, uint64) uint64) (better bool, done uint64, stopped bool) {
	// Runs are short, so that both kinds meet the same phases of the design.
	k := min(cycles/(2*c.pol.TrialRuns), c.pol.MostTrial)
	kinds := [...]func(unsafe.Pointer, uint64) uint64{contest.Challenger: a, contest.Incumbent: b}
	var runs contest.Contest

	for range c.pol.TrialRuns {
		for kind, run := range kinds {
			var left uint64
			took := contest.Clock(c.pol.Clock).Time(func() { left = run(base, k) })
			runs.Add(contest.Kind(kind), took, k-left)
			if done += k - left; left > 0 {
				return false, done, true
			}
		}
	}

	// Plain code must win clearly and by a margin, since it is final and bodies may improve.
	better = runs.Verdict(c.pol.TrialBetter) == contest.Faster
	c.tellTrial(&runs)
	return better, done, false
}

// settle gives up specialising, because plain code is as good.
func (e *Engine) settle() {
	if plain, err := e.compilePlain(); err == nil {
		e.takeOver(plain)
		return
	}
	for _, m := range e.machines {
		m.bodiless()
	}
}

// settle gives up the bodies of a machine. A team's member cannot have plain code of its own: it
// shares its code with the others, which may still gain.
func (m *machine) settle() {
	if m.in.isTeam() {
		m.bodiless()
	} else {
		m.in.settle()
	}
}

// bodiless leaves all states to the general body for good. The bodies of the previous plan go
// too, because its registers tell them apart.
func (m *machine) bodiless() {
	m.plan, m.bodies, m.fixed = &choose.Plan{Pol: m.pol, Guards: noGuards(len(m.n.Regs)), Net: m.n}, nil, true
}

// takeOver lets plain code run everything from now on. Gates may take over from it. They get no
// room of their own to last in, because the caller was told Scratch before.
func (e *Engine) takeOver(plain *Code) {
	e.code.Close()
	o := e.o
	o.First = 0
	e.code, e.plain = nil, withGates(e.flat, o, plain, e.Scratch())
}

// compilePlain makes plain code that fits in the reserved scratch words.
func (e *Engine) compilePlain() (*Code, error) { return plainWithin(e.flat, e.o, e.Scratch()) }

// plainWithin makes plain code that needs at most room scratch words.
func plainWithin(n *net.Net, o Options, room int) (*Code, error) {
	plain, err := compilePlain(n, o, 0)
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
