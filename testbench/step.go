package testbench

import "etch/hw"

// Step makes n rising edges of all clocks together. In a thread it waits for n edges, of any
// clock.
func (b *Bench) Step(n int) {
	if !b.marked {
		b.t.Helper()
	}
	b.marked = true

	if n < 0 {
		b.t.Fatalf("Step: %d cycles", n)
	}

	if !b.busy {
		b.Sim.Step(n)
	} else if b.stepBusy(n); b.current != nil {
		return
	}

	// Asynchronous resets act and failures are told after the edge.
	if b.async || len(b.failures) > 0 || b.Sim.Err() != nil {
		b.t.Helper()
		b.after()
	}
}

// Tick makes one rising edge of the given clocks together. In a thread it waits for the next
// edge of one of them.
func (b *Bench) Tick(clocks ...hw.Clock) {
	b.t.Helper()
	if len(clocks) == 0 {
		b.t.Fatal("Tick: which clock? Step makes an edge of all")
	}

	ticking, why := b.ticking("Tick", clocks)
	if why != "" {
		b.t.Fatal(why)
	}
	if th := b.current; th != nil {
		th.sleep(1, ticking)
		return
	}

	// An agent waits for its own clock; it refuses a tick that it could not follow.
	for _, a := range b.agents {
		if why := a.ticks(); why != "" {
			b.t.Fatal(why)
		}
	}

	// The list is used again by the next Tick.
	edges := b.edges[:0]
	for _, p := range ticking {
		edges = append(edges, p.sig)
	}
	b.edges = edges

	// Without agents and threads the simulator makes the edge alone.
	if !b.busy {
		b.Sim.TickAll(edges...)
		b.after()
		return
	}
	b.edge(ticking, func() { b.Sim.TickAll(edges...) })
}

// Reset holds every reset of the top high for one edge of all clocks; agents rest meanwhile.
// Without resets it does nothing. In a thread it holds them for the next edge.
func (b *Bench) Reset() {
	b.t.Helper()
	if len(b.resets) == 0 {
		return
	}

	// Agents rest during a reset: sinks are not ready, sources offer nothing.
	b.resting = true
	b.hold(1)
	switch {
	case b.current != nil:
		b.current.sleep(1, nil)
	case b.busy:
		b.edge(nil, b.stepOne)
	default:
		b.Sim.Step(1)
	}

	b.resting = false
	b.hold(0)
	b.after()
}

// after ends an edge: asynchronous resets take effect, failures are reported, and an error of
// the simulator ends the test.
func (b *Bench) after() {
	b.t.Helper()
	if b.async {
		b.settle()
	}

	// Failures are told before an error ends the test.
	b.report()
	if err := b.Sim.Err(); err != nil {
		b.t.Fatal(err)
	}
}

// hold sets all resets of the top.
func (b *Bench) hold(v uint64) {
	b.t.Helper()
	for _, i := range b.resets {
		if err := b.Sim.Set(b.ports[i].sig, v); err != nil {
			b.t.Fatal(err)
		}
	}
}

// StepUntil steps until done holds and returns the number of cycles. It ends the test after
// limit cycles.
func (b *Bench) StepUntil(done func() bool, limit int) int {
	b.t.Helper()
	for n := 0; ; n++ {
		if done() {
			return n
		}
		if n >= limit {
			b.t.Fatalf("cycle %d: what was waited for did not come in %d cycles", b.Sim.Cycles(), max(limit, 0))
		}
		b.Step(1)
	}
}
