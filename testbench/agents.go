package testbench

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
)

// agent is a thread of the bench that owns one end of a stream. Other threads go on after an edge. An
// agent acts twice before each edge, at its turn and at its look, so that elements that the test
// sends between two Steps move at the next edge. It gives the bench the condition that it waits for:
// testing that costs a tenth of a switch to the thread.
type agent struct {
	b     *Bench
	clock *port // nil: every edge
	rand  *rand.Rand
	pause float64

	thread *Thread
	looks  bool        // it waits for its look, else for its turn
	due    func() bool // the condition, nil: always
}

// start makes the thread of an agent and lets it come to its first wait.
func (a *agent) start(run func()) {
	b := a.b

	// The first agent makes the bench stop at every edge.
	if len(b.agents) == 0 {
		b.t.Cleanup(b.endAgents)
		b.heed()
	}
	b.agents = append(b.agents, a)
	a.thread = b.newThread(run)
	runtime.Callers(3, a.thread.started[:])
	b.resume(a.thread)
}

// turn waits for the moment at which the test and its threads have set all that they
// set before an edge: there the agent drives. It waits for an edge at which due holds,
// and reports false for one of a reset, at which due is not asked.
func (a *agent) turn(due func() bool) bool {
	a.looks, a.due = false, due
	a.thread.suspend()
	return !a.b.resting
}

// look waits for the moment behind all turns before an edge: there the agent sees the values that
// registers are going to take. For due and the result see turn.
func (a *agent) look(due func() bool) bool {
	a.looks, a.due = true, due
	a.thread.suspend()
	return !a.b.resting
}

// resumeAgents gives the agents of these clocks, nil for all, their turns or looks. In a
// reset every agent goes on, whatever it waits for.
func (b *Bench) resumeAgents(clocks []*port, looks bool) {
	for _, a := range b.agents {
		if a.looks == looks && a.on(clocks) && (a.due == nil || a.due()) {
			b.resume(a.thread)
		}
	}
}

// restAgents has all agents offer and take nothing.
func (b *Bench) restAgents() {
	for _, a := range b.agents {
		b.resume(a.thread)
	}
}

// endAgents ends the agents with the test.
func (b *Bench) endAgents() {
	for _, a := range b.agents {
		a.thread.end()
	}
	b.agents = nil
}

// on tells whether an edge of these clocks, nil for all, is one of the agent's.
func (a *agent) on(clocks []*port) bool {
	return a.clock == nil || clocks == nil || slices.Contains(clocks, a.clock)
}

func (a *agent) paused() bool { return a.rand != nil && a.rand.Float64() < a.pause }

// AgentOption changes how a [Source] or [Sink] behaves.
type AgentOption func(*agent) (wrong string)

// Pauses makes an agent pause at random: in each cycle with the given
// probability, at least 0 and below 1, from a seed.
func Pauses(probability float64, seed uint64) AgentOption {
	return func(a *agent) string {
		// In this form NaN is refused too.
		if !(probability >= 0 && probability < 1) {
			return fmt.Sprintf("Pauses: the probability %v is not in [0, 1)", probability)
		}
		a.rand, a.pause = rand.New(rand.NewPCG(seed, 0x9a05e)), probability
		return ""
	}
}

// OnClock ties an agent to a clock of the top. Without it every edge counts, and
// a top of several clocks takes no Tick.
func OnClock(clk hw.Clock) AgentOption {
	return func(a *agent) (why string) {
		a.clock, why = a.b.direction("OnClock", clk, ir.In)
		return why
	}
}

func (b *Bench) newAgent(opts []AgentOption) (a agent, why string) {
	a.b = b
	for _, o := range opts {
		if why := o(&a); why != "" {
			return a, why
		}
	}
	return a, ""
}

// end is one end of a stream of the top, as an agent holds it.
type end struct {
	name         string
	valid, ready *port
	data         []*port // scalars in field order
	paths        []string
}

// end finds the ports of a stream: the agent drives inputs.
func (b *Bench) end(what string, valid, ready hw.Bit, data []hw.Leaf, source bool) (e end, why string) {
	// A sink's data comes from the design: the directions are those of a source, exchanged.
	with, against := ir.In, ir.Out

	if !source {
		with, against = against, with
	}
	if e.valid, why = b.direction(what, valid, with); why != "" {
		return e, why
	}
	if e.ready, why = b.direction(what, ready, against); why != "" {
		return e, why
	}

	e.name = strings.TrimSuffix(e.valid.sig.Name(), "_valid")
	for _, l := range data {
		p, why := b.direction(what, l.Signal, with)
		if why != "" {
			return e, why
		}
		e.data, e.paths = append(e.data, p), append(e.paths, l.Path)
	}
	return e, ""
}

// ticks asks for a clock where there are several.
func (a *agent) ticks() string {
	if a.clock == nil && a.b.clocks > 1 {
		return fmt.Sprintf("Tick: an agent needs OnClock, since %s has %d clocks", a.b.Design.Top.Name, a.b.clocks)
	}
	return ""
}

// claim makes an agent the only one that drives a port.
func claim(by string, ports ...*port) (why string) {
	for _, p := range ports {
		if p.driver != "" {
			return fmt.Sprintf("New%s: %s is driven by %s already", by, p.sig.Name(), p.driver)
		}
	}

	// A port is claimed only if all are free.
	for _, p := range ports {
		p.driver, p.slow = "a "+by, true
	}
	return ""
}

// put drives a port that belongs to an agent; the value has the port's width.
func (a *agent) put(p *port, v bits.Value) {
	if err := a.b.Sim.SetBits(p.sig, v); err != nil {
		panic(fmt.Sprintf("testbench: %v", err)) // the end's ports are checked inputs
	}
}

func (a *agent) putBit(p *port, high bool) {
	v := uint64(0)
	if high {
		v = 1
	}
	a.put(p, bits.New(1, v))
}
