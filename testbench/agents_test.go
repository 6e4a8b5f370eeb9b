package testbench

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/stream"
)

// word is an element with two scalars.
type word struct {
	Tag  hw.UInt
	Body hw.SInt
}

type pipePorts struct {
	Dom hw.Domain
	In  stream.Stream[word]
	Out stream.Stream[word]
}

// pipe is a queue of words, with the rules of a stream checked on both sides.
func pipe(depth int) hw.Component[pipePorts] {
	form := word{hw.Unsigned(4), hw.Signed(8)}
	return hw.Func("pipe", pipePorts{hw.In(hw.Domain{}), hw.In(stream.Of(form)), hw.Out(stream.Of(form))}, func(m *hw.Module, p pipePorts) {
		m = m.On(p.Dom)
		stream.Check(m, "given", p.In)
		q := hw.Inst(m, "queue", stream.Queue[word]{Elem: form, Depth: depth}, stream.QueuePorts[word]{Push: p.In, Pop: p.Out})
		stream.Check(m, "gives", p.Out)
		_ = q
	})
}

func words(n int) (list []word) {
	for i := range n {
		list = append(list, word{hw.U(i % 16), hw.S(i%256 - 128)})
	}
	return list
}

func TestSourceAndSink(t *testing.T) {
	for _, pause := range [][2]float64{{0, 0}, {0.5, 0}, {0, 0.5}, {0.7, 0.3}, {0.3, 0.9}} {
		s, p := New(t, pipe(3))
		in := NewSource(s, p.In, Pauses(pause[0], 1))
		out := NewSink(s, p.Out, Pauses(pause[1], 2))
		in.Send(words(300)...)
		n := s.StepUntil(func() bool { return len(out.Got()) == 300 }, 20000)
		require.Zero(t, in.Left())
		out.Expect(words(300)...)
		if pause == [2]float64{} {
			require.Less(t, n, 310, "no pauses, one element a cycle")
		} else {
			require.Greater(t, n, 400, "pauses have no effect")
		}
		s.Step(20)
		out.Expect() // nothing twice
	}
}

func TestSinkExpectFails(t *testing.T) {
	run := func(t testing.TB) *Sink[word] {
		s, p := New(t, pipe(3))
		in, out := NewSource(s, p.In), NewSink(s, p.Out)
		in.Send(words(3)...)
		s.Step(10)
		return out
	}
	passes(t, func(t testing.TB) { run(t).Expect(words(3)...) })
	passes(t, func(t testing.TB) { run(t).Expect(word{Tag: hw.U(0)}, word{Tag: hw.U(1)}, word{}) }) // unset is not compared
	fails(t, func(t testing.TB) { run(t).Expect(words(2)...) }, "out gave 3 elements, want 2")
	fails(t, func(t testing.TB) { run(t).Expect() }, "out gave 3 elements, want 0")
	fails(t, func(t testing.TB) { run(t).Expect(words(4)...) }, "out gave 3 elements, want 4")
	fails(t, func(t testing.TB) {
		bad := words(3)
		bad[1].Body = hw.S(5)
		run(t).Expect(bad...)
	}, "out, element 1: its body = -127, want 5")
	fails(t, func(t testing.TB) { run(t).Expect(word{Tag: hw.U(16)}, word{}, word{}) }, "Expect: 16 does not fit")
}

func TestAgentMisuse(t *testing.T) {
	fails(t, func(t testing.TB) { s, p := New(t, pipe(3)); NewSource(s, p.Out) }, "NewSource: out_valid is an output of pipe, not an input")
	fails(t, func(t testing.TB) { s, p := New(t, pipe(3)); NewSink(s, p.In) }, "NewSink: in_valid is an input of pipe, not an output")
	fails(t, func(t testing.TB) { s, p := New(t, pipe(3)); NewSink(s, p.Out); NewSink(s, p.Out) }, "out_ready is driven by a Sink already")
	fails(t, func(t testing.TB) { s, p := New(t, pipe(3)); NewSource(s, p.In); NewSource(s, p.In) }, "in_valid is driven by a Source already")
	fails(t, func(t testing.TB) { s, p := New(t, pipe(3)); NewSource(s, p.In); s.Set(p.In.Valid, 1) }, "Set: in_valid is driven by a Source")
	fails(t, func(t testing.TB) { s, p := New(t, pipe(3)); NewSource(s, p.In); Put(s, p.In.Data, words(1)[0]) }, "Put: in_data_tag is driven by a Source")
	fails(t, func(t testing.TB) { s, p := New(t, pipe(3)); NewSource(s, p.In).Send(word{Tag: hw.U(16)}) }, "Send: 16 does not fit")
	fails(t, func(t testing.TB) { s, p := New(t, pipe(3)); NewSink(s, p.Out, Pauses(1, 1)) }, "the probability 1 is not in [0, 1)")
	fails(t, func(t testing.TB) { s, p := New(t, pipe(3)); NewSink(s, p.Out, OnClock(hw.Clock{})) }, "OnClock: the hw.Clock is no signal")
	fails(t, func(t testing.TB) { s, _ := New(t, pipe(3)); NewSink(s, stream.Of(word{hw.Unsigned(4), hw.Signed(8)})) }, "NewSink: the hw.Bit is no signal")
}

// Elements are neither lost nor doubled by a reset in the middle.
func TestResetWithAgents(t *testing.T) {
	s, p := New(t, pipe(3))
	in, out := NewSource(s, p.In), NewSink(s, p.Out)
	in.Send(words(8)...)
	s.Step(4)
	taken, left := len(out.Got()), in.Left()
	require.Equal(t, 4, left)
	s.Reset()
	require.Equal(t, left, in.Left(), "the source went on during reset")
	require.Len(t, out.Got(), taken, "the sink went on during reset")
	s.Step(20)
	out.Expect(append(words(taken), words(8)[4:]...)...)
}

func TestSendAndTake(t *testing.T) {
	s, p := New(t, pipe(2))
	Send(s, p.In, words(2)...)
	s.Expect(p.In.Ready, 0)
	s.Expect(p.In.Valid, 0)
	Take(s, p.Out, words(2)...)
	s.Expect(p.Out.Valid, 0)

	fails(t, func(t testing.TB) { s, p := New(t, pipe(2)); Send(s, p.In, words(3)...) }, "Send: element 2: in_ready did not rise in 10000 cycles")
	fails(t, func(t testing.TB) { s, p := New(t, pipe(2)); Take(s, p.Out, words(1)...) }, "Take: element 0: out_valid did not rise")
	fails(t, func(t testing.TB) {
		s, p := New(t, pipe(2))
		Send(s, p.In, words(1)...)
		Take(s, p.Out, word{hw.U(1), hw.S(-128)})
	}, "out_data_tag = 0, want 1")
}

// A producer that takes back what it offered, and one that changes it.
func TestStreamCheckFires(t *testing.T) {
	offer := func(t testing.TB, second word, valid int) {
		s, p := New(t, pipe(1))
		Send(s, p.In, words(1)...) // full
		Put(s, p.In.Data, words(2)[1])
		s.Set(p.In.Valid, 1)
		s.Step(2)
		Put(s, p.In.Data, second)
		s.Set(p.In.Valid, valid)
		s.Step(1)
	}
	passes(t, func(t testing.TB) { offer(t, words(2)[1], 1) })
	fails(t, func(t testing.TB) { offer(t, words(2)[1], 0) }, "valid fell before its element was taken", "agents_test.go", "failed in cycle 4")
	fails(t, func(t testing.TB) { offer(t, words(9)[5], 1) }, "data changed from")
}

type twoPorts struct {
	A, B   hw.Domain
	InA    hw.UInt
	OutA   hw.UInt
	CountB hw.UInt
}

var two = hw.Func("two", twoPorts{hw.In(hw.Domain{}), hw.In(hw.Domain{}), hw.In(hw.Unsigned(8)), hw.Out(hw.Unsigned(8)), hw.Out(hw.Unsigned(8))},
	func(m *hw.Module, p twoPorts) {
		a := hw.Reg(m.On(p.A), "a", hw.Unsigned(8), hw.U(0))
		a.Set(p.InA)
		p.OutA.Set(a)
		count := hw.Reg(m.On(p.B), "count", hw.Unsigned(8), hw.U(0))
		count.Set(count.Inc())
		p.CountB.Set(count)
	})

type twoPipePorts struct {
	A, B hw.Domain
	In   stream.Stream[hw.UInt]
	Out  stream.Stream[hw.UInt]
}

// twoPipes takes elements from one clock to another.
var twoPipes = hw.Func("two_pipes", twoPipePorts{hw.In(hw.Domain{}), hw.In(hw.Domain{}), hw.In(stream.Of(hw.Unsigned(8))), hw.Out(stream.Of(hw.Unsigned(8)))},
	func(m *hw.Module, p twoPipePorts) {
		hw.Inst(m, "queue", stream.AsyncQueue[hw.UInt]{Elem: hw.Unsigned(8), Depth: 4},
			stream.AsyncQueuePorts[hw.UInt]{Wr: p.A, Rd: p.B, Push: p.In, Pop: p.Out})
	})

func TestTick(t *testing.T) {
	s, p := New(t, two)
	s.Set(p.InA, 7)
	s.Tick(p.B.Clk)
	s.Tick(p.B.Clk)
	s.Expect(p.OutA, 0)
	s.Expect(p.CountB, 2)
	s.Tick(p.A.Clk)
	s.Expect(p.OutA, 7)
	s.Expect(p.CountB, 2)
	s.Set(p.InA, 8)
	s.Tick(p.A.Clk, p.B.Clk)
	s.Expect(p.OutA, 8)
	s.Expect(p.CountB, 3)

	other, q := New(t, two)
	require.NotNil(t, other)
	fails(t, func(t testing.TB) { s, _ := New(t, two); s.Tick() }, "Tick: which clock?")
	fails(t, func(t testing.TB) { s, _ := New(t, two); s.Tick(q.A.Clk) }, "belongs to another two")
	fails(t, func(t testing.TB) { s, _ := New(t, two); s.Tick(hw.Clock{}) }, "Tick: the hw.Clock is no signal")
	fails(t, func(t testing.TB) { s, p := New(t, twoPipes); NewSink(s, p.Out); s.Tick(p.A.Clk) }, "Tick: an agent needs OnClock, since two_pipes has 2 clocks")
	s2, p2 := New(t, twoPipes)
	out := NewSink(s2, p2.Out, OnClock(p2.B.Clk))
	in := NewSource(s2, p2.In, OnClock(p2.A.Clk))
	in.Send(hw.U(1), hw.U(2), hw.U(3))
	for range 30 {
		s2.Tick(p2.A.Clk)
		s2.Tick(p2.A.Clk)
		s2.Tick(p2.B.Clk)
	}
	out.Expect(hw.U(1), hw.U(2), hw.U(3))
}

func TestStepAndStepUntil(t *testing.T) {
	s, p := New(t, two)
	require.Equal(t, 5, s.StepUntil(func() bool { return s.Get(p.CountB) == 5 }, 5))
	require.Equal(t, 0, s.StepUntil(func() bool { return true }, 0))
	s.Step(0)
	s.Expect(p.CountB, 5)
	s.Reset()
	s.Expect(p.CountB, 0)
	fails(t, func(t testing.TB) { s, _ := New(t, two); s.Step(-1) }, "Step: -1 cycles")
	fails(t, func(t testing.TB) { s, _ := New(t, two); s.StepUntil(func() bool { return false }, 3) }, "cycle 4: what was waited for did not come in 3 cycles")

	free := hw.Func("free", struct{ N hw.UInt }{hw.Out(hw.Unsigned(4))}, func(m *hw.Module, p struct{ N hw.UInt }) {
		n := hw.RegInit(m, "n", hw.Unsigned(4), hw.U(9))
		n.Set(n.Inc())
		p.N.Set(n)
	})
	u, q2 := New(t, free)
	u.Expect(q2.N, 9) // no reset, so New makes no edge
	u.Reset()
	u.Expect(q2.N, 9)
	held, q3 := New(t, two, WithoutReset(), WithSeed(3))
	require.NotZero(t, held.Get(q3.OutA)+held.Get(q3.CountB))
}

// An asynchronous reset works at once, also where nobody looks.
func TestAsyncPulse(t *testing.T) {
	type ports struct {
		Clk   hw.Clock
		Rst   hw.Reset
		Count hw.UInt
	}
	c := hw.Func("async", ports{hw.In(hw.Clock{}), hw.In(hw.AsyncReset()), hw.Out(hw.Unsigned(8))}, func(m *hw.Module, p ports) {
		m = m.On(hw.Domain{Clk: p.Clk, Rst: p.Rst})
		count := hw.Reg(m, "count", hw.Unsigned(8), hw.U(200))
		count.Set(count.Inc())
		p.Count.Set(count)
	})
	s, p := New(t, c)
	s.Step(3)
	s.Set(p.Rst, 1)
	s.Set(p.Rst, 0)
	s.Expect(p.Count, 200)
	s.Step(2)
	s.Expect(p.Count, 202)
}

// Assertions of the design fail the test with their own line, but not without
// end.
func TestAssertions(t *testing.T) {
	type ports struct{ Low, Y hw.Bit }
	wants := hw.Func("wants", ports{hw.In(hw.Bit{}), hw.Out(hw.Bit{})}, func(m *hw.Module, p ports) {
		m.Assert(p.Low.Not(), "low is %d", p.Low)
		p.Y.Set(hw.Delay(m, "y", p.Low, 1))
	})
	passes(t, func(t testing.TB) { s, _ := New(t, wants); s.Step(100) })
	fails(t, func(t testing.TB) { s, p := New(t, wants); s.Set(p.Low, 1); s.Step(1) }, "agents_test.go", "low is 1")
	fails(t, func(t testing.TB) { s, p := New(t, wants); s.Set(p.Low, 1); s.Sim.Step(1) }, "low is 1") // behind the bench's back
	f := attempt(t, func(t testing.TB) {
		s, p := New(t, wants)
		s.Set(p.Low, 1)
		for range 1000 {
			s.Step(1)
		}
	})
	require.Len(t, f.errors, mostFailures+1)
	require.Contains(t, f.errors[mostFailures], "1000 assertions have failed")
}

// Agents end with their test, with what they deferred: no coroutine stays behind.
func TestAgentsEnd(t *testing.T) {
	ended := 0
	passes(t, func(t testing.TB) {
		s, p := New(t, pipe(3))
		in := NewSource(s, p.In)
		NewSink(s, p.Out)
		for _, a := range s.agents {
			t.Cleanup(func() { require.False(t, a.thread.ended) }) // comes before the bench's own
		}
		in.Send(words(9)...)
		s.Step(3)
		s.agents = append(s.agents, &agent{b: s, thread: s.newThread(func() {
			defer func() { ended++ }()
			s.agents[2].turn(nil)
		})})
		s.Step(1)
	})
	require.Equal(t, 1, ended)
}

// BenchmarkAgents is a cycle of a queue between a Source and a Sink: at full rate,
// with pauses on both sides, and with nothing to send.
func BenchmarkAgents(b *testing.B) {
	for _, c := range []struct {
		name  string
		pause float64
		sends bool
	}{{"full", 0, true}, {"pauses", 0.5, true}, {"idle", 0, false}} {
		b.Run(c.name, func(b *testing.B) {
			s, p := New(b, pipe(3))
			var with [2][]AgentOption
			if c.pause > 0 {
				with = [2][]AgentOption{{Pauses(c.pause, 1)}, {Pauses(c.pause, 2)}}
			}
			in, out := NewSource(s, p.In, with[0]...), NewSink(s, p.Out, with[1]...)
			list := words(1000)
			for b.Loop() {
				if c.sends && in.Left() == 0 {
					out.got = out.got[:0]
					in.Send(list...)
				}
				s.Step(1)
			}
		})
	}
}
