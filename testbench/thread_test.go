package testbench

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
)

type relayPorts struct {
	Dom     hw.Domain
	A, B    hw.UInt
	Sum     hw.UInt // at once
	Delayed hw.UInt // a cycle later
}

// relay adds two inputs.
var relay = hw.Func("relay", relayPorts{hw.In(hw.Domain{}), hw.In(hw.Unsigned(8)), hw.In(hw.Unsigned(8)), hw.Out(hw.Unsigned(8)), hw.Out(hw.Unsigned(8))},
	func(m *hw.Module, p relayPorts) {
		m = m.On(p.Dom)
		p.Sum.Set(p.A.Add(p.B))
		p.Delayed.Set(hw.Delay(m, "delayed_r", p.A.Add(p.B), 1, hw.U(0)))
	})

// Threads run up to their first wait when they are made, go on behind each edge in order
// of creation, the test last, and see what those before them have set.
func TestThreadOrder(t *testing.T) {
	var log []string
	say := func(s *Bench, format string, args ...any) {
		log = append(log, fmt.Sprintf("%d ", s.Sim.Cycles())+fmt.Sprintf(format, args...))
	}
	s, p := New(t, relay)
	s.Go(func() {
		for i := range 3 {
			s.Set(p.A, 10*i)
			say(s, "first sets %d, delayed is %d", 10*i, s.Get(p.Delayed))
			s.Step(1)
		}
		say(s, "first ends")
	})
	s.Go(func() {
		for range 2 {
			say(s, "second sees %d", s.Get(p.Sum))
			s.Step(1)
		}
		s.Go(func() {
			say(s, "third starts")
			s.Step(1)
			say(s, "third ends")
		})
		s.Step(1)
		say(s, "second ends")
	})
	say(s, "test sees %d", s.Get(p.Sum))
	for range 3 {
		s.Step(1)
		say(s, "test sees %d", s.Get(p.Sum))
	}
	require.Equal(t, []string{
		"1 first sets 0, delayed is 0", "1 second sees 0", "1 test sees 0",
		"2 first sets 10, delayed is 0", "2 second sees 10", "2 test sees 10",
		"3 first sets 20, delayed is 10", "3 third starts", "3 test sees 20",
		"4 first ends", "4 second ends", "4 third ends", "4 test sees 20",
	}, log)
	require.False(t, s.busy, "a bench whose threads have ended steps as before")
}

// A thread that sleeps long costs no edge by edge work, and wakes at the right one.
func TestThreadSleeps(t *testing.T) {
	s, p := New(t, relay)
	var woke []uint64
	for _, n := range []int{7, 100, 3} {
		s.Go(func() {
			for range 2 {
				s.Step(n)
				woke = append(woke, s.Sim.Cycles()-1)
			}
		})
	}
	s.Set(p.A, 1)
	s.Step(250)
	require.Equal(t, []uint64{3, 6, 7, 14, 100, 200}, woke)
	require.EqualValues(t, 251, s.Sim.Cycles())
	s.Step(0)
	s.Go(func() { s.Step(0); s.Step(1); woke = nil })
	s.Step(1)
	require.Nil(t, woke)
}

// What is looked at behind Settle is what the edge takes.
func TestSettle(t *testing.T) {
	s, p := New(t, relay)
	var seen, taken []int
	s.Go(func() { // a monitor, made before those it watches
		for {
			s.Settle()
			seen = append(seen, s.Get(p.Sum))
			s.Step(1)
			taken = append(taken, s.Get(p.Delayed))
		}
	})
	s.Go(func() {
		for i := range 5 {
			s.Set(p.A, i)
			s.Step(1)
		}
	})
	s.Settle() // nothing to wait for
	for i := range 5 {
		s.Set(p.B, 100+i)
		s.Step(1)
	}
	require.Equal(t, []int{100, 102, 104, 106, 108}, seen)
	require.Equal(t, seen, taken)

	fails(t, func(t testing.TB) {
		s, p := New(t, relay)
		s.Go(func() { s.Settle(); s.Set(p.A, 1) })
		s.Step(1)
	}, "Set: a is set behind Settle, and others have looked already; Step first")
}

// Wait: of the test, of a thread for another, which goes on at once.
func TestThreadWait(t *testing.T) {
	s, p := New(t, relay)
	var order []string
	slow := s.Go(func() {
		s.Step(5)
		s.Set(p.A, 5)
		order = append(order, "slow")
	})
	both := s.Go(func() {
		fast := s.Go(func() { s.Step(2); order = append(order, "fast") })
		fast.Wait()
		slow.Wait()
		slow.Wait() // has ended
		s.Set(p.A, 6)
		order = append(order, "both")
	})
	looker := s.Go(func() { s.Settle(); s.Step(4); s.Settle() })
	s.Go(func() { // what waits for one that ends in Settle goes on behind the edge
		looker.Wait()
		s.Set(p.B, 7)
	})
	require.False(t, both.Ended())
	both.Wait()
	require.True(t, both.Ended())
	require.True(t, slow.Ended())
	require.Equal(t, []string{"fast", "slow", "both"}, order)
	require.EqualValues(t, 6, s.Sim.Cycles())
	s.Expect(p.A, 6)
	s.Step(1)
	s.Expect(p.B, 7)

	fails(t, func(t testing.TB) {
		s, _ := New(t, relay)
		var a, b *Thread
		a = s.Go(func() { s.Step(1); b.Wait() })
		b = s.Go(func() { s.Step(2); a.Wait() })
		a.Wait()
	}, "Wait: the thread that was started at thread_test.go:", "waits for itself")
	fails(t, func(t testing.TB) {
		s, _ := New(t, relay)
		var a *Thread
		a = s.Go(func() { s.Step(1); a.Wait() })
		s.Step(1)
	}, "waits for itself")
	defer func(n int) { mostWait = n }(mostWait)
	mostWait = 1000
	fails(t, func(t testing.TB) {
		s, p := New(t, two)
		s.SetPeriod(p.A.Clk, 10, 5)
		s.Go(func() { s.Tick(p.B.Clk) }).Wait()
	}, "Wait: the thread that was started at thread_test.go:", "has not ended after 1000 edges; it waits for an edge of b_clk")
	fails(t, func(t testing.TB) { s, _ := New(t, relay); s.Go(nil) }, "Go: the function is nil")
}

// A failure in a thread is the test's, at the line in the thread.
func TestThreadFails(t *testing.T) {
	ran := ""
	f := attempt(t, func(t testing.TB) {
		s, p := New(t, relay)
		defer func() { ran += " test" }()
		s.Go(func() {
			defer func() { ran += " other" }()
			s.Step(100)
		})
		s.Go(func() {
			defer func() { ran += " failing" }()
			s.Step(2)
			s.Expect(p.Sum, 9)
			s.Set(p.A, 300)
			ran += " on"
		})
		s.Step(5)
		ran += " on"
	})
	require.Equal(t, []string{"cycle 3: sum = 0, want 9"}, f.errors)
	require.Contains(t, f.fatal, "Set: a cannot be 300")
	for _, line := range f.lines {
		require.Contains(t, line, "TestThreadFails.func1.3")
	}
	require.Equal(t, " failing test other", ran)

	f = attempt(t, func(t testing.TB) { // nested: the starter ends too
		s, _ := New(t, relay)
		s.Go(func() { s.Step(1); s.Go(func() { t.Fatal("inner") }); ran += " on" })
		s.Step(1)
		ran += " on"
	})
	require.Equal(t, "inner", f.fatal)
	require.Equal(t, " failing test other", ran)

	f = attempt(t, func(t testing.TB) { // a panic says where it was
		defer func() { t.Fatal(recover()) }()
		s, _ := New(t, relay)
		s.Go(func() { s.Step(1); var none []int; none[0] = 1 })
		s.Step(1)
	})
	require.Contains(t, f.fatal, "index out of range")
	require.Contains(t, f.fatal, "in the thread that was started at thread_test.go:")
}

// Threads that still run when the test ends are ended, with their deferred calls, also
// where those wait.
func TestThreadsEnd(t *testing.T) {
	var ends []int
	passes(t, func(t testing.TB) {
		s, _ := New(t, relay)
		for i := range 3 {
			s.Go(func() {
				defer func() { ends = append(ends, i) }()
				defer func() { require.Nil(t, recover()); s.Step(1); ends = append(ends, -1) }()
				for {
					s.Step(1)
				}
			})
		}
		s.Step(3)
	})
	require.Equal(t, []int{0, 1, 2}, ends)
}

// Two threads that set one input in one cycle are a mistake, which names both lines.
func TestThreadsSetOneInput(t *testing.T) {
	fails(t, func(t testing.TB) {
		s, p := New(t, relay)
		s.Go(func() { s.Step(1); s.Set(p.A, 1) })
		s.Go(func() { s.Step(1); Put(s, p, relayPorts{A: hw.U(2)}) })
		s.Step(1)
	}, "Put: a has been set in this cycle at thread_test.go:", "to another value: two threads drive it")
	fails(t, func(t testing.TB) {
		s, p := New(t, relay)
		s.Go(func() { s.Step(1); Put(s, p, relayPorts{A: hw.U(2)}); s.Step(1) })
		s.Step(1)
		s.Set(p.A, 1)
	}, "Set: a has been set in this cycle at thread_test.go:")
	passes(t, func(t testing.TB) {
		s, p := New(t, relay)
		s.Set(p.A, 0)
		s.Go(func() { s.Set(p.A, 1); s.Step(1); s.Set(p.B, 4); s.Step(1) }) // behind its creator
		s.Go(func() { s.Step(1); s.Set(p.B, 4); s.Step(1); s.Set(p.B, 5) }) // the same value; in another cycle
		s.Go(func() { s.Set(p.A, 1) })
		s.Set(p.A, 2) // that one has ended, and the test knows
		s.Go(func() {
			s.Go(func() { s.Step(3); s.Set(p.A, 7) }).Wait()
			s.Set(p.A, 8)
		}).Wait()
		s.Set(p.A, 9)
		s.Step(9)
	})
}

// Agents and threads see the edges of clocks with periods.
func TestThreadsAndPeriods(t *testing.T) {
	s, p := New(t, twoPipes)
	in, out := NewSource(s, p.In, OnClock(p.A.Clk)), NewSink(s, p.Out, OnClock(p.B.Clk))
	in.Send(hw.U(1), hw.U(2), hw.U(3))
	var a, b, any int
	s.Go(func() {
		for ; ; a++ {
			s.Tick(p.A.Clk)
		}
	})
	s.Go(func() {
		for ; ; b++ {
			s.Tick(p.B.Clk)
		}
	})
	s.Go(func() {
		for ; ; any++ {
			s.Step(1)
		}
	})
	s.SetPeriod(p.A.Clk, 10, 5)
	s.SetPeriod(p.B.Clk, 30, 15)
	s.Advance(600)
	require.EqualValues(t, 600, s.Sim.Time()-10) // the reset has taken 10
	require.Equal(t, []int{60, 20, 60}, []int{a, b, any})
	out.Expect(hw.U(1), hw.U(2), hw.U(3))
	s.Tick(p.B.Clk)
	require.Equal(t, []int{60, 21, 61}, []int{a, b, any})
	s.Step(1)
	require.Equal(t, []int{61, 22, 62}, []int{a, b, any})
	s.Go(func() { s.Tick(p.B.Clk, p.A.Clk) }).Wait()
	require.Equal(t, 62, a)

	quiet, q := New(t, two)
	quiet.SetPeriod(q.A.Clk, 10, 5)
	quiet.Set(q.InA, 3)
	quiet.Advance(20)
	quiet.Expect(q.OutA, 3)
	fails(t, func(t testing.TB) { s, p := New(t, two); s.SetPeriod(p.A.Clk, 0, 0) }, "the period is 0")
	fails(t, func(t testing.TB) { s, _ := New(t, two); s.Go(func() { s.Advance(1) }) }, "Advance: a thread does not move time")
}

// Edges behind the bench's back are told.
func TestEdgesOfSim(t *testing.T) {
	fails(t, func(t testing.TB) {
		s, p := New(t, pipe(2))
		NewSink(s, p.Out)
		s.Sim.Step(3)
		s.Step(1)
	}, "3 edges were made by methods of Sim: agents and threads have not seen them")
	fails(t, func(t testing.TB) { s, p := New(t, pipe(2)); NewSink(s, p.Out); s.Sim.Advance(0); s.Sim.Step(2) }, "2 edges were made")
	passes(t, func(t testing.TB) {
		s, p := New(t, pipe(2))
		NewSink(s, p.Out)
		s.Step(5)
		s.Sim.Restart()
		s.Reset()
		s.Step(1)
	})
}

// Reset, Send and Take in threads.
func TestThreadStreams(t *testing.T) {
	judged(t, "iverilog")
	agrees(t, func(t testing.TB) {
		s, p := New(t, pipe(3))
		send := s.Go(func() { Send(s, p.In, words(50)...) })
		take := s.Go(func() {
			s.Step(10)
			Take(s, p.Out, words(20)...)
		})
		take.Wait()
		require.False(t, send.Ended())
		Take(s, p.Out, words(50)[20:]...)
		require.True(t, send.Ended())
		s.Go(func() { s.Step(2); s.Reset() }).Wait()
		s.Expect(p.Out.Valid, 0)
		require.Zero(t, s.Get(p.Dom.Rst))
	})
}

// Equal tests run equally: the drawing of one with three threads does not change.
func TestThreadsRepeat(t *testing.T) {
	draw := func() string {
		var out strings.Builder
		s, p := New(t, pipe(2))
		w := s.Wave()
		for k := range 3 {
			s.Go(func() {
				for i := range 10 {
					s.Step(1 + (i+k)%3)
					fmt.Fprint(&out, k, i, s.Get(p.Out.Valid), ";")
				}
			})
		}
		Send(s, p.In, words(2)...)
		s.Step(40)
		return out.String() + w.String()
	}
	first := draw()
	for range 5 {
		require.Equal(t, first, draw())
	}
}

// BenchmarkStep is a step of a small bench, alone and beside threads.
func BenchmarkStep(b *testing.B) {
	run := func(name string, prepare func(s *Bench, p relayPorts)) {
		b.Run(name, func(b *testing.B) {
			s, p := New(b, relay)
			prepare(s, p)
			for i := 0; b.Loop(); i++ {
				s.Set(p.B, i&255)
				s.Step(1)
			}
		})
	}
	run("alone", func(*Bench, relayPorts) {})
	for _, n := range []int{1, 4} {
		run(fmt.Sprintf("threads=%d", n), func(s *Bench, p relayPorts) {
			for range n {
				s.Go(func() {
					for {
						s.Step(1)
					}
				})
			}
		})
	}
	run("setting", func(s *Bench, p relayPorts) {
		s.Go(func() {
			for i := 0; ; i++ {
				s.Set(p.A, i&255)
				s.Step(1)
			}
		})
	})
	run("sleeping", func(s *Bench, p relayPorts) { s.Go(func() { s.Step(1 << 40) }) })
}
