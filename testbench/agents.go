package testbench

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
)

// agent drives ports before each edge of its clock and looks at them just before
// it. All agents drive first, then all look.
type agent interface {
	on(clocks []*port) bool
	drive()
	sample()
	rest()               // offer and take nothing during reset
	ticks() (why string) // what speaks against edges of single clocks
}

// clocked is what agents have in common.
type clocked struct {
	b     *Bench
	clock *port // nil: every edge
	rand  *rand.Rand
	pause float64
}

func (c *clocked) paused() bool { return c.rand != nil && c.rand.Float64() < c.pause }

// AgentOption changes how a [Source] or [Sink] behaves.
type AgentOption func(*clocked) (wrong string)

// Pauses makes an agent pause at random: in each cycle with the given
// probability, at least 0 and below 1, from a seed.
func Pauses(probability float64, seed uint64) AgentOption {
	return func(c *clocked) string {
		if !(probability >= 0 && probability < 1) {
			return fmt.Sprintf("Pauses: the probability %v is not in [0, 1)", probability)
		}
		c.rand, c.pause = rand.New(rand.NewPCG(seed, 0x9a05e)), probability
		return ""
	}
}

// OnClock ties an agent to a clock of the top. Without it every edge counts, and
// a top of several clocks takes no Tick.
func OnClock(clk hw.Clock) AgentOption {
	return func(c *clocked) (why string) {
		c.clock, why = c.b.direction("OnClock", clk, ir.In)
		return why
	}
}

func (b *Bench) newClocked(opts []AgentOption) (c clocked, why string) {
	c.b = b
	for _, o := range opts {
		if why := o(&c); why != "" {
			return c, why
		}
	}
	return c, ""
}

// end is one end of a stream of the top, as an agent holds it.
type end struct {
	name         string
	valid, ready *port
	data         []*port // scalars in field order
	paths        []string
}

// end finds the ports of a stream: what the agent drives are inputs.
func (b *Bench) end(what string, valid, ready hw.Bit, data []hw.Leaf, source bool) (e end, why string) {
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
func (c *clocked) ticks() string {
	if c.clock == nil && c.b.clocks > 1 {
		return fmt.Sprintf("Tick: an agent needs OnClock, since %s has %d clocks", c.b.Design.Top.Name, c.b.clocks)
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
	for _, p := range ports {
		p.driver, p.slow = "a "+by, true
	}
	return ""
}

// element is the value of each scalar of a bundle, for those that have one.
type element []struct {
	given bool
	v     bits.Value
}

// elementOf is a bundle of literals as an element of a stream.
func elementOf[T any](what string, form, lit T) (e element, why string) {
	err := hw.LeafPairs(form, lit, func(sig, l hw.Signal) {
		v, given, err := hw.LiteralOf(l, sig)
		if err != nil && why == "" {
			why = fmt.Sprintf("%s: %v", what, err)
		}
		e = append(e, struct {
			given bool
			v     bits.Value
		}{given, v})
	})
	if err != nil {
		why = fmt.Sprintf("%s: %v", what, err)
	}
	return e, why
}

// put drives a port that belongs to an agent; the value has the port's width.
func (c *clocked) put(p *port, v bits.Value) {
	if err := c.b.Sim.SetBits(p.sig, v); err != nil {
		panic(fmt.Sprintf("testbench: %v", err)) // the end's ports are checked inputs
	}
}

func (c *clocked) putBit(p *port, high bool) {
	v := uint64(0)
	if high {
		v = 1
	}
	c.put(p, bits.New(1, v))
}
