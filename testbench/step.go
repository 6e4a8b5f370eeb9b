package testbench

import (
	"slices"

	"etch/hw"
	"etch/ir"
)

// Step makes n rising edges of all clocks together.
func (b *Bench) Step(n int) {
	if !b.marked {
		b.t.Helper()
	}
	b.marked = true
	if n < 0 {
		b.t.Fatalf("Step: %d cycles", n)
	}
	if len(b.agents) == 0 {
		b.Sim.Step(n)
	} else {
		for range n {
			b.drive(nil)
			b.Sim.Step(1)
		}
	}
	if b.async || len(b.failures) > 0 {
		b.t.Helper()
		b.after()
	}
}

// Tick makes one rising edge of the given clocks, all at once.
func (b *Bench) Tick(clocks ...hw.Clock) {
	b.t.Helper()
	if len(clocks) == 0 {
		b.t.Fatal("Tick: which clock? Step makes an edge of all")
	}
	var ticking []*port
	var edges = b.edges[:0]
	for _, c := range clocks {
		p, why := b.direction("Tick", c, ir.In)
		if why != "" {
			b.t.Fatal(why)
		}
		ticking, edges = append(ticking, p), append(edges, p.sig)
	}
	for _, a := range b.agents {
		if why := a.ticks(); why != "" {
			b.t.Fatal(why)
		}
	}
	b.drive(ticking)
	b.edges = edges
	b.Sim.TickAll(edges...)
	b.after()
}

// Reset holds every reset of the top high for one edge of all clocks; agents
// rest meanwhile. A top without resets stays as it is.
func (b *Bench) Reset() {
	b.t.Helper()
	if len(b.resets) == 0 {
		return
	}
	for _, a := range b.agents {
		a.rest()
	}
	b.hold(1)
	b.Sim.Step(1)
	b.hold(0)
	b.after()
}

// after is what follows edges.
func (b *Bench) after() {
	b.t.Helper()
	if b.async {
		b.settle()
	}
	b.report()
}

func (b *Bench) hold(v uint64) {
	b.t.Helper()
	for _, i := range b.resets {
		if err := b.Sim.Set(b.ports[i].sig, v); err != nil {
			b.t.Fatal(err)
		}
	}
}

// drive has the agents of these clocks, nil for all, do their part of an edge.
func (b *Bench) drive(clocks []*port) {
	for _, a := range b.agents {
		if a.on(clocks) {
			a.drive()
		}
	}
	for _, a := range b.agents {
		if a.on(clocks) {
			a.sample()
		}
	}
}

// StepUntil steps until done holds, and ends the test if that takes more than
// limit cycles. It returns the number of cycles.
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

// on tells whether an edge of these clocks, nil for all, is one of c's.
func (c *clocked) on(clocks []*port) bool {
	return c.clock == nil || clocks == nil || slices.Contains(clocks, c.clock)
}
