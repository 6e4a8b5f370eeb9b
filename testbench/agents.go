package testbench

import (
	"math/rand/v2"

	"etch/hw"
	"etch/hw/stream"
	"etch/ir/bits"
)

// agent drives ports before each clock edge and looks at them just before it.
type agent interface {
	drive()
	sample(clocks []int)
}

// clocked tells whether an edge concerns an agent.
type clocked struct {
	b     *Bench
	clock int // port index, -1: every edge
	rand  *rand.Rand
	pause float64
}

func (c *clocked) mine(clocks []int) bool {
	if c.clock < 0 || clocks == nil {
		return true
	}
	for _, k := range clocks {
		if k == c.clock {
			return true
		}
	}
	return false
}

func (c *clocked) paused() bool { return c.rand != nil && c.rand.Float64() < c.pause }

// AgentOption changes how a [Source] or [Sink] behaves.
type AgentOption func(*clocked)

// Pauses makes an agent pause at random: in each cycle with the given
// probability, from a seed.
func Pauses(probability float64, seed uint64) AgentOption {
	return func(c *clocked) { c.rand, c.pause = rand.New(rand.NewPCG(seed, 0x9a05e)), probability }
}

// OnClock ties an agent to a clock of the top; without it every edge counts.
func OnClock(clk hw.Clock) AgentOption {
	return func(c *clocked) { c.clock, _ = c.b.port("OnClock", clk) }
}

func newClocked(b *Bench, opts []AgentOption) clocked {
	c := clocked{b: b, clock: -1}
	for _, o := range opts {
		o(&c)
	}
	return c
}

// Source offers values on a stream, one after the other, during Step.
type Source[T any] struct {
	clocked
	to      stream.Stream[T]
	queue   []T
	offered bool
}

// NewSource makes a source of an input stream of the top.
func NewSource[T any](b *Bench, to stream.Stream[T], opts ...AgentOption) *Source[T] {
	s := &Source[T]{clocked: newClocked(b, opts), to: to}
	b.agents = append(b.agents, s)
	return s
}

// Send queues values, literals of the stream's form.
func (s *Source[T]) Send(values ...T) { s.queue = append(s.queue, values...) }

// Left is the number of values that have not moved yet.
func (s *Source[T]) Left() int { return len(s.queue) }

func (s *Source[T]) drive() {
	if !s.offered && len(s.queue) > 0 && !s.paused() {
		Put(s.b, s.to.Data, s.queue[0])
		s.offered = true
	}
	v := 0
	if s.offered {
		v = 1
	}
	s.b.Set(s.to.Valid, v)
}

func (s *Source[T]) sample(clocks []int) {
	if s.offered && s.mine(clocks) && s.b.High(s.to.Ready) {
		s.queue, s.offered = s.queue[1:], false
	}
}

// Sink takes what a stream offers, during Step, and keeps it.
type Sink[T any] struct {
	clocked
	from stream.Stream[T]
	got  [][]bits.Value
}

// NewSink makes a sink of an output stream of the top.
func NewSink[T any](b *Bench, from stream.Stream[T], opts ...AgentOption) *Sink[T] {
	s := &Sink[T]{clocked: newClocked(b, opts), from: from}
	b.agents = append(b.agents, s)
	return s
}

// Got is what has been taken: per element its scalars in field order.
func (s *Sink[T]) Got() [][]bits.Value { return s.got }

// Expect checks that exactly the given elements, literals of the stream's form,
// have been taken, and forgets them.
func (s *Sink[T]) Expect(want ...T) {
	b := s.b
	b.t.Helper()
	if len(s.got) != len(want) {
		b.t.Errorf("cycle %d: %d elements came, want %d", b.Sim.Cycles(), len(s.got), len(want))
	}
	for i := range min(len(s.got), len(want)) {
		at := 0
		err := hw.LeafPairs(s.from.Data, want[i], func(sig, lit hw.Signal) {
			v, given, err := hw.LiteralOf(lit, sig)
			if err != nil {
				b.t.Fatalf("Expect: %v", err)
			}
			if given && !v.Equal(s.got[i][at]) {
				b.t.Errorf("element %d, scalar %d: %v, want %v", i, at, s.got[i][at], v)
			}
			at++
		})
		if err != nil {
			b.t.Fatalf("Expect: %v", err)
		}
	}
	s.got = nil
}

func (s *Sink[T]) drive() {
	ready := 1
	if s.paused() {
		ready = 0
	}
	s.b.Set(s.from.Ready, ready)
}

func (s *Sink[T]) sample(clocks []int) {
	if !s.mine(clocks) || !s.b.High(s.from.Valid) || !s.b.High(s.from.Ready) {
		return
	}
	var vs []bits.Value
	for _, l := range hw.Leaves(s.from.Data) {
		vs = append(vs, s.b.GetBits(l.Signal))
	}
	s.got = append(s.got, vs)
}

// StepUntil steps until done holds, and ends the test if that takes more than
// limit cycles. It returns the number of cycles.
func (b *Bench) StepUntil(done func() bool, limit int) int {
	for n := range limit {
		if done() {
			return n
		}
		b.Step(1)
	}
	if !done() {
		b.t.Helper()
		b.t.Fatalf("cycle %d: what was waited for did not come in %d cycles", b.Sim.Cycles(), limit)
	}
	return limit
}

const patience = 10000 // cycles that Send and Take wait for one element

// Send offers each value, a literal of the stream's form, until it is taken.
func Send[T any](b *Bench, to stream.Stream[T], values ...T) {
	b.t.Helper()
	for _, v := range values {
		Put(b, to.Data, v)
		b.Set(to.Valid, 1)
		b.StepUntil(func() bool { return b.High(to.Ready) }, patience)
		b.Step(1)
	}
	b.Set(to.Valid, 0)
}

// Take accepts as many elements as there are values, literals of the stream's
// form, and compares them.
func Take[T any](b *Bench, from stream.Stream[T], want ...T) {
	b.t.Helper()
	b.Set(from.Ready, 1)
	for _, w := range want {
		b.StepUntil(func() bool { return b.High(from.Valid) }, patience)
		Check(b, from.Data, w)
		b.Step(1)
	}
	b.Set(from.Ready, 0)
}
