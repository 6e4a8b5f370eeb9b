package native

import (
	"slices"

	"etch/sim/choose"
	"etch/sim/internal/contest"
	"etch/sim/internal/stopwatch"
	"etch/sim/internal/switches"
	"etch/sim/net"
)

// Notes of the compiler. Package switches has the debug switches.

// book is the diary of the engine.
func (m *machine) book() *diary { return &m.in.rivalry.diary }

// tell notes the present plan.
func (m *machine) tell(what string) {
	// Guards assume one value in all bodies.
	guards, cover := 0, 0.0
	for _, v := range m.plan.Guards {
		if v >= 0 {
			guards++
		}
	}

	// A partial body assumes only some of the deciding registers.
	partial := 0
	for _, b := range m.bodies {
		cover += b.weight
		if slices.ContainsFunc(m.plan.Dec, func(r int32) bool { return b.values[r] < 0 }) {
			partial++
		}
	}
	m.book().note("cycle %d: %s: %d guards, %d deciding registers, %d bodies for %.4f of the cycles, %d of them partial; cost of a cycle %.0f, %.0f expected, of %.0f; running %.1f M, compiling %.1f M machine cycles, %d bytes",
		m.in.total, what, guards, len(m.plan.Dec), len(m.bodies), cover, partial, m.plan.Costs[len(m.plan.Costs)-1], m.plan.Expect, m.plan.General, m.running/1e6, m.compiling/1e6, m.in.Size())
}

// tellTrial notes a contest of bodies with plain code.
func (d *diary) tellTrial(c *contest.Contest) {
	d.note("a cycle takes %.1f ns with bodies, %.1f without", c.PerCycle(contest.Incumbent), c.PerCycle(contest.Challenger))
}

// tell notes a division into regions.
func (g *Gated) tell(r *net.Regions) {
	g.note("look %d: %d regions, cost of a cycle %.0f of %.0f, which must be at most %.2f of it", g.looks, r.Count, r.Cost, r.Base, g.pol.Gates.Saves)
}

// tellTrial notes a trial of gates.
func (g *Gated) tellTrial() {
	g.note("a cycle takes %.0f ns without gates, %.0f with them; %d bytes", g.runs.PerCycle(contest.Incumbent), g.runs.PerCycle(contest.Challenger), g.Size())
}

// timing measures a step, to compare estimates with it. It runs only under switches.Notes.
type timing struct{ watch stopwatch.Watch }

func watch() (t timing) {
	if switches.Notes {
		t.watch = stopwatch.Start()
	}
	return t
}

// compare notes the estimate of a step and the time that it took.
func (t timing) compare(d *diary, step string, estimate choose.Effort) {
	if switches.Notes {
		took := t.watch.Elapsed()
		d.note("%s: estimated %.0f k machine cycles, took %v, %.1f ns per thousand", step, estimate/1e3, took, float64(took.Nanoseconds())/float64(estimate)*1e3)
	}
}
