package testbench

import (
	"slices"

	"etch/hw"
	"etch/ir"
)

// stepBusy is Step for a bench with agents or threads.
func (b *Bench) stepBusy(n int) {
	if b.marks&markedBusy == 0 {
		b.t.Helper()
		b.marks |= markedBusy
	}

	// In a thread, Step is a wait: the test makes the edges.
	if th := b.current; th != nil {
		th.sleep(n, nil)
		return
	}

	// Edges that nobody looks at are made in one call of the simulator.
	for n > 0 {
		if quiet := b.quiet(n); quiet > 0 {
			b.skip(quiet)
			n -= quiet
			continue
		}
		b.edge(nil, b.stepOne)
		n--
	}
}

// stepOne makes one edge of all clocks.
func (b *Bench) stepOne() { b.Sim.Step(1) }

// Bits of Bench.marks: functions known to t as helpers. A call of t.Helper in every cycle would
// cost more than the edge.
const (
	markedBusy = 1 << iota
	markedSkip
	markedEdge
)

// quiet returns how many of the next n edges no agent and no thread needs to see. The simulator
// makes such edges in one call.
func (b *Bench) quiet(n int) int {
	if len(b.agents) > 0 {
		return 0
	}

	// A wait for single clocks, or for the look before an edge, needs every edge.
	for _, th := range b.threads {
		switch {
		case th.waits == forThread:
		case th.waits == forLook || th.clocks != nil:
			return 0
		default:
			n = min(n, th.left-1)
		}
	}
	return n
}

// skip makes n quiet edges and counts them off the waiting threads.
func (b *Bench) skip(n int) {
	if b.marks&markedSkip == 0 {
		b.t.Helper()
		b.marks |= markedSkip
	}
	b.notice()
	b.Sim.Step(n)
	b.cycles = b.Sim.Cycles()

	// To the threads each of the edges has passed.
	for _, th := range b.threads {
		th.left -= n
	}

	b.edgeSets = b.sets
	if b.async || len(b.failures) > 0 {
		b.after()
	}
}

// edge makes one edge of the given clocks, nil for all; move is the simulator's call. The order:
// agents drive, agents look, threads in Settle look, the edge, threads go on. Within each of
// these steps the order is that of creation.
func (b *Bench) edge(clocks []*port, move func()) {
	if b.marks&markedEdge == 0 {
		b.t.Helper()
		b.marks |= markedEdge
	}
	b.notice()

	// Agents drive first, then look, so that each sees what the others drive.
	if b.resting {
		b.restAgents()
	} else {
		b.resumeAgents(clocks, false)
		b.resumeAgents(clocks, true)
	}

	// Sources and sinks have driven their ports: nothing may be set until the edge.
	b.walking = true
	b.looking = true
	b.resumeEach(func(th *Thread) bool { return th.waits == forLook })
	b.looking = false

	// Threads may react only after the edge has settled.
	move()
	b.cycles, b.edgeSets = b.Sim.Cycles(), b.sets
	if b.async || len(b.failures) > 0 {
		b.after()
	}
	b.resumeEach(func(th *Thread) bool {
		if th.waits != forEdge || th.clocks != nil && clocks != nil && !meet(th.clocks, clocks) {
			return false
		}
		th.left--
		return th.left == 0
	})

	b.walking = false
	b.forgetThreads()
}

// resumeEach resumes the threads for which due holds. It asks all of them first: a thread that
// starts, or goes on for another reason meanwhile, has its next turn later.
func (b *Bench) resumeEach(due func(*Thread) bool) {
	for _, th := range b.threads {
		th.due = due(th)
	}
	for _, th := range b.threads {
		if th.due && !th.ended {
			b.resume(th)
		}
	}
}

// meet reports whether two lists of clocks have one in common.
func meet(a, b []*port) bool {
	return slices.ContainsFunc(a, func(p *port) bool { return slices.Contains(b, p) })
}

// notice fails the test if edges were made by the methods of Sim, which agents and threads have
// missed. A restart or a restored snapshot makes the number of edges smaller; this is no error.
func (b *Bench) notice() {
	if now := b.Sim.Cycles(); now != b.cycles {
		if now > b.cycles {
			b.t.Helper()
			b.t.Errorf("%d edges were made by methods of Sim: agents and threads have not seen them; Step, Tick and Advance are the bench's", now-b.cycles)
		}
		b.cycles = now
	}
}

// SetPeriod gives a clock a period: Advance makes its edges at phase, phase + period, and so on.
// The test chooses the unit of time.
func (b *Bench) SetPeriod(clk hw.Clock, period, phase uint64) {
	p, why := b.direction("SetPeriod", clk, ir.In)
	if why == "" {
		if err := b.Sim.SetPeriod(p.sig, period, phase); err != nil {
			why = err.Error()
		}
	}

	if why != "" {
		b.t.Helper()
		b.t.Fatal(why)
	}
	b.periods = true
}

// Advance moves time by dt: it makes every edge of the clocks with a period that is due before
// then, edges at one time together; other clocks stand still. Agents and threads see these edges
// as they see the edges of Tick. A thread cannot move time: it waits for edges by Step and Tick.
func (b *Bench) Advance(dt uint64) {
	b.t.Helper()
	switch {
	case b.current != nil:
		b.t.Fatal("Advance: a thread does not move time; in it Step and Tick wait for edges")
	case !b.busy:
		b.Sim.Advance(dt)
		b.after()
		return
	}

	// Without an overflow beyond the end of time.
	until := b.Sim.Time() + dt
	if until < dt {
		until = ^uint64(0)
	}
	for b.nextEdge(until) {
	}
	b.Sim.Run(until)
	b.after()
}

// nextEdge makes the next edge of the clocks with a period, if it is due before a time.
func (b *Bench) nextEdge(until uint64) bool {
	b.t.Helper()
	at, edges, ok := b.Sim.NextEdge()
	if !ok || at >= until {
		return false
	}

	// Find the clocks of the edge for the threads that wait for one of them.
	clocks := b.edgePorts[:0]
	for i := range b.ports {
		if p := &b.ports[i]; p.sig.IsClock() && slices.Contains(edges, p.sig) {
			clocks = append(clocks, p)
		}
	}
	b.edgePorts = clocks
	b.edge(clocks, func() { b.Sim.Run(at + 1) })
	return true
}

// anyEdge makes the next edge of the clocks with a period, or, if no clock has one, an edge of
// all clocks.
func (b *Bench) anyEdge() (why string) {
	b.t.Helper()
	if !b.periods {
		b.edge(nil, b.stepOne)
	} else if !b.nextEdge(^uint64(0)) {
		return "no clock has an edge any more"
	}
	return ""
}
