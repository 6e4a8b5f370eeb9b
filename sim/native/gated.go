package native

import (
	"errors"
	"time"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/internal/contest"
	"etch/sim/native/cpu"
	"etch/sim/native/internal/emit"
	"etch/sim/net"
)

// Gates skip idle parts of large nets. While plain code runs, samples record the activity of the
// net. They lead to code that computes a part of the net only if something that it reads has
// changed. That code takes over if its estimate is good enough, unless a trial finds it slower. A
// finder makes it: of regions whose registers rest most of the time (gated_regions.go), which are
// found at once, or of parts whose values rest (gated_parts.go). Parts need more samples and are the
// faster code: the engine looks for them where regions do not pay, and later where they do.
//
// Gates add flags and kept values. Both are scratch words, below the state, so their slots are
// negative.

// gateScratch is the number of scratch words for flags and kept values of regions.
const gateScratch = 1 << 16

// PartScratch is the number of scratch words that code with parts may use behind Options.First.
const PartScratch = 1 << 18

// finder finds code with gates for the net of a Gated.
type finder interface {
	// sample runs up to cycles cycles, by plain code or by gates that are on, and samples some of
	// them. stopped: the net did.
	sample(g *Gated, base unsafe.Pointer, cycles uint64) (done uint64, stopped bool)
	// full reports whether the samples suffice.
	full() bool
	// find makes code from the samples, and drops them. It returns nil if too little is gained.
	find(g *Gated) *gates
	// effort is the effort of find. looks is the largest number of looks. again is the factor by
	// which the wait for the next look exceeds the last wait, and the effort of the last look; drifting
	// is that factor for a look, the so-many-th, whose gates are on.
	effort() choose.Effort
	looks() int
	again() float64
	drifting(look int) float64
}

// gates is code with gates, and its access to the flags in the scratch words below the state.
type gates struct {
	*Code
	raise func(base unsafe.Pointer) // sets all flags: anything may have changed

	// Parts only; nil for regions, which read no words that others write between calls.
	renew func(base unsafe.Pointer) // sets the flags of parts that read such words, where these have changed
	note  func(base unsafe.Pointer) // remembers such words at the end of a call
	share func(slots []uint32)      // adds words that others write too
	// flagged counts the flags that are set at the start of a cycle.
	flagged      func(base unsafe.Pointer) int
	expected     float64 // their mean number in the samples, with the busy parts
	busy         int     // parts that run in every cycle, which flagged counts too
	active, work float64 // see Report
}

// rests reports whether a design has come to rest while parts still run in every cycle, as they did in
// the samples: its flags have fallen to less than a share of the expected ones. load is the mean of
// flagged as a multiple of the expected one, 0 if it is not known.
func (g *gates) rests(load, share float64) bool {
	busy := float64(g.busy)
	return g.busy > 0 && load > 0 && load*g.expected-busy < share*(g.expected-busy)
}

// Gated runs a net by plain code, or by code with gates if that is faster. It belongs to one
// state at a time.
type Gated struct {
	diary
	pol    *choose.Policy
	n      *net.Net
	f      cpu.Features
	plain  *Code
	first  int32    // the first scratch word for kept values
	own    bool     // no other code uses the scratch words from first on
	shared []uint32 // see Share
	room   int      // scratch words

	finder  finder
	second  finder // to be asked when the first has had its trial, or nil
	better  bool   // parts are looked for while regions run
	gates   *gates // nil: none yet, or they did not pay
	on      bool   // gates are faster
	fresh   bool   // the last call was by gates, and the flags are as it left them
	flags   drift
	drifted bool           // the activity is no longer that of the samples
	at      unsafe.Pointer // the state at the last call by gates; another state has no flags yet

	running choose.Effort // since the last look
	wait    choose.Effort // to run before the next look
	retrial choose.Effort // and before the next trial
	looks   int
	random  lcg
	turns                 // of the trial: gates challenge plain code
	spent   time.Duration // by the present step
	ran     uint64        // cycles of it
	tried   bool          // a trial has ended, or a look found too little
}

// compileGated makes plain code that may get gates later. Errors: those of Compile.
func compileGated(n *net.Net, o Options) (Runner, error) {
	pol := o.policy()
	plain, err := compilePlain(n, o, pol.LeastPacked(n))
	if err != nil {
		return nil, err
	}
	return withGates(n, o, plain, plain.Scratch()+gateScratch), nil
}

// withGates wraps plain code so that it may get gates later. Both kinds may use room scratch
// words, and parts those behind o.First too.
func withGates(n *net.Net, o Options, plain *Code, room int) plainRunner {
	pol := o.policy()
	if len(n.N) < pol.Gates.LeastNodes || len(n.N) > pol.Gates.MostNodes || len(n.Regs) == 0 || plain.keeps {
		return plain
	}
	return newGated(n, o, plain, room)
}

func newGated(n *net.Net, o Options, plain *Code, room int) *Gated {
	pol := o.policy()

	// By the virtual clock, the first look comes when plain code has run Gates.Wait times as long
	// as it took to compile.
	g := &Gated{n: n, f: o.Features, plain: plain, room: room, first: emit.FirstScratch, pol: pol, wait: choose.Effort(pol.Gates.Wait * pol.PlainNode * float64(len(n.N)))}
	g.shield = o.Recover

	// Nets that are small or have banks of look-ups get regions only.
	g.finder = newRegionFinder(g)

	// Parts that last keep their values between calls, so they need words that no other code uses.
	if f := newPartFinder(g); f != nil && plain.banks == 0 {
		if g.second = f; o.First > 0 && o.First >= plain.Scratch() {
			g.first, g.own, g.room = int32(o.First), true, max(room, o.First+PartScratch)
		}
	}
	return g
}

// Lasts implements [Lasting].
func (g *Gated) Lasts() bool { return g.own && g.gates != nil && g.gates.renew != nil }

// Share implements [Lasting].
func (g *Gated) Share(slots []uint32) {
	g.shared = append(g.shared, slots...)

	// New foreign words have no remembered value yet: the next call raises all flags.
	if g.Lasts() {
		g.gates.share(slots)
		g.fresh = false
	}
}

// Scratch is the number of words below the state that the code uses.
func (g *Gated) Scratch() int { return g.room }

// Size is the number of bytes of machine code at present.
func (g *Gated) Size() int {
	if g.gates != nil {
		return g.plain.Size() + g.gates.Size()
	}
	return g.plain.Size()
}

// Close frees the code.
func (g *Gated) Close() error {
	err := g.plain.Close()
	if g.gates != nil {
		err = errors.Join(err, g.gates.Close())
	}
	return err
}

// Run runs up to cycles cycles. It returns the number of cycles left when the net stopped, else
// 0.
func (g *Gated) Run(base unsafe.Pointer, cycles uint64) uint64 {
	left := g.RunOn(base, cycles, false)
	g.fresh = false
	return left
}

// GiveBack is Keeper's. The code keeps only flags and values that follow from the state, so it
// only drops them.
func (g *Gated) GiveBack(unsafe.Pointer) { g.fresh = false }

// Whole is Keeper's: true, since no region reads registers of the Host.
func (g *Gated) Whole() bool { return true }

// RunOn is Keeper's. It samples, tries and runs in turn, as the policy asks.
func (g *Gated) RunOn(base unsafe.Pointer, cycles uint64, again bool) uint64 {
	// Flags and kept values describe the state at the end of the last call. They are void if any
	// other code ran since.
	g.fresh = g.fresh && again
	for cycles > 0 {
		switch {
		// The finder runs the cycles, and samples some of them, until the samples are complete.
		case g.running >= g.wait && g.looks < g.finder.looks() && (g.gates == nil || g.drifted || g.better):
			done, stopped := g.finder.sample(g, base, cycles)
			if cycles -= done; stopped {
				return cycles
			}
			if g.finder.full() {
				g.guard(g.look, func() { g.looks = g.finder.looks() })
			}
			continue

		// A trial runs one call, by the kind of code whose block of steps it is.
		case g.gates != nil && g.running >= g.retrial && (again || cycles >= g.pol.Gates.Least):
			if g.over(g.pol.Gates.Block, g.pol.Gates.Blocks) {
				g.begin()
			}
			return g.trial(base, cycles, again)
		}

		// A short call that starts afresh runs all regions once, which costs more than gates save
		// in it.
		on := g.on && (again || cycles >= g.pol.Gates.Least)
		left := g.call(base, cycles, on)
		g.running += choose.Effort(g.CycleEffort()) * choose.Effort(cycles-left) * choose.Effort(g.flags.load())
		return left
	}
	return 0
}

// call runs one kind of code. After other code has run, all flags are raised first: anything may
// have changed.
func (g *Gated) call(base unsafe.Pointer, cycles uint64, gates bool) uint64 {
	if !gates {
		g.fresh = false
		return g.plain.Run(base, cycles)
	}

	// Code of parts keeps its flags from call to call, but what is set from outside between two calls
	// must wake its readers. The mean of raised flags tells when the work has drifted from the samples.
	switch {
	case !g.fresh || g.at != base:
		g.gates.raise(base)
		g.fresh, g.at = true, base
	case g.gates.renew != nil:
		g.gates.renew(base)
		if g.on && !g.drifted && g.flags.due(cycles, g.pol.Parts.Between) {
			g.flags.add(g.gates.flagged(base), g.gates.expected, g.pol.Parts.Window)
			g.drifted = g.flags.load() > g.pol.Parts.Drift || g.gates.rests(g.flags.last, g.pol.Parts.Rests)
		}
	}
	left := g.gates.Run(base, cycles)
	if g.gates.note != nil {
		g.gates.note(base)
	}
	return left
}

// look makes code with gates from the samples, if the estimate is good enough.
func (g *Gated) look() {
	w := watch()
	g.looks++
	c := g.finder.find(g)
	w.compare(&g.diary, "a look for gates", g.finder.effort())

	// Regions that run stay, unless a cycle of parts takes clearly less by the estimates.
	if c != nil && g.better && c.CycleEffort() > g.pol.Parts.Better*g.gates.CycleEffort() {
		c.Close()
		c = nil
	}
	g.better = false

	// Regions that do not pay give way to parts. Without parts, wait.
	if c == nil {
		if g.second != nil {
			g.turn(0)
			return
		}
		g.tried = true
		g.later(g.finder.effort())
		return
	}

	// The new code has to win a trial before it stays.
	if g.gates != nil {
		g.gates.Close()
	}
	g.gates, g.fresh, g.on, g.drifted = c, false, false, false
	g.running, g.wait, g.retrial = 0, 0, 0 // the trial starts at once
	g.begin()
}

// turn goes on with samples for the second finder, once the net has run for so long.
func (g *Gated) turn(wait choose.Effort) {
	g.finder, g.second, g.looks = g.second, nil, 0
	g.wait, g.running = wait, 0
}

// improve has parts looked for while regions run, once these have run several times as long as the
// look takes.
func (g *Gated) improve() {
	if g.second == nil {
		return
	}
	g.better = true
	g.turn(choose.Effort(g.pol.Parts.Later) * g.second.effort())
}

// CycleEffort implements [Runner].
func (g *Gated) CycleEffort() float64 {
	if g.on {
		return g.gates.CycleEffort()
	}
	return g.plain.CycleEffort()
}

// later postpones the next look.
func (g *Gated) later(took choose.Effort) {
	// Waits grow by a factor, so that all looks together cost a bounded share of the running time.
	g.wait = max(g.wait, g.running, took) * choose.Effort(g.finder.again())
	g.running = 0
}

// trial runs one call of a trial. Blocks of steps by either kind of code alternate; a step is one
// call, or several short ones. Gates stay, because their estimate was good enough, unless they are
// clearly slower than the policy asks. They are measured because the estimate does not know the
// caches: where code of parts and state exceed them, a part costs up to three times as much.
func (g *Gated) trial(base unsafe.Pointer, cycles uint64, again bool) (left uint64) {
	// The kind of code alternates by blocks of steps.
	kind := g.kind(g.pol.Gates.Block)
	first := g.opens(g.pol.Gates.Block) && again // by gates, this call runs all regions too: not counted
	g.spent += contest.Clock(g.pol.Clock).Time(func() { left = g.call(base, cycles, kind == contest.Challenger) })

	// Short calls join into one step until it has enough cycles to be timed.
	if g.ran += cycles - left; g.ran < g.pol.Gates.Least && left == 0 {
		return left
	}
	if !first {
		g.runs.Add(kind, g.spent, g.ran)
	}
	g.spent, g.ran = 0, 0

	if g.step++; g.over(g.pol.Gates.Block, g.pol.Gates.Blocks) {
		g.judge()
	}
	return left
}

// judge ends a trial.
func (g *Gated) judge() {
	// Gates stay until the next trial, which checks that they still pay.
	g.on, g.tried = g.runs.Verdict(g.pol.Gates.Faster) != contest.Slower, true
	g.tellTrial()
	if g.on {
		last := max(g.wait, g.finder.effort())
		g.wait, g.running = last*choose.Effort(g.finder.drifting(g.looks)), 0
		g.retrial, g.flags = last*choose.Effort(g.finder.again()*g.pol.Gates.Again), drift{}
		g.improve()
		return
	}

	// Slower gates are dropped, and the second finder gets its turn.
	g.fresh = false
	g.gates.Close()
	if g.gates = nil; g.second != nil {
		g.turn(0)
		g.tried = false
		return
	}
	g.later(g.finder.effort())
}

// begin starts a trial.
func (g *Gated) begin() {
	g.turns, g.spent, g.ran = turns{}, 0, 0
}

// drift watches the number of flags that are set before calls. It grows when the design enters a
// phase that the samples have not seen.
type drift struct {
	skipped uint64 // cycles since the last observation
	count   int
	sum     float64
	last    float64 // the mean of the last window, as a multiple of the expected one
}

// due reports whether to count before a call of so many cycles, if there are to be between cycles from
// one observation to the next.
func (d *drift) due(cycles, between uint64) bool {
	if d.skipped += cycles; d.skipped < between {
		return false
	}
	d.skipped = 0
	return true
}

// add adds an observation; expected is the mean in the samples, window the number of observations
// of a mean.
func (d *drift) add(flags int, expected float64, window int) {
	// The mean of a window decides, not a single observation: phases last, peaks do not.
	d.sum += float64(flags)
	if d.count++; d.count == window {
		d.last = d.sum / float64(window) / max(expected, 1)
		d.sum, d.count = 0, 0
	}
}

// load is the factor by which a cycle works more than expected.
func (d *drift) load() float64 { return max(d.last, 1) }
