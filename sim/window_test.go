package sim_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/vcdtext"
	"etch/sim/vcd"
	"etch/testbench/randcircuit"
)

// counters is an 8-bit counter on one clock and a 70-bit one on another.
func counters(t *testing.T) *sim.Sim {
	b := ir.NewModule("counters", ir.NewSources())
	clk := b.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	slow := b.AddInput("slow", 1, ir.TypeID(ir.Clock), 0)
	step := b.AddInput("step", 8, 0, 0)
	n := b.AddReg("n", 8, 0, clk, 0)
	b.Regs[b.Node(n).Aux].Next = b.Add(ir.Node{Op: ir.Add, Width: 8}, n, step)
	wide := b.AddReg("wide", 70, 0, slow, 0)
	b.Regs[b.Node(wide).Aux].Next = b.Add(ir.Node{Op: ir.Not, Width: 70}, wide)
	b.AddOutput("out", 8, 0, n, 0)
	s, err := sim.New(&ir.Design{Top: b, Modules: []*ir.Module{b}, Src: b.Src})
	require.NoError(t, err)
	require.NoError(t, s.Set(s.Top()[2], 1))
	return s
}

// traced is a dump of some part of a run.
func traced(t *testing.T, w *vcd.Writer, text *bytes.Buffer) *vcdtext.Dump {
	t.Helper()
	require.NoError(t, w.Close())
	d, err := vcdtext.Parse(text.String())
	require.NoError(t, err)
	return d
}

// within compares a part of a run with the whole.
func within(t *testing.T, whole, part *vcdtext.Dump, from, to uint64) {
	t.Helper()
	require.Equal(t, whole.Order, part.Order)
	require.Equal(t, from, part.Times[0])
	require.Equal(t, to, part.Times[len(part.Times)-1])
	for name, v := range part.Vars {
		for _, time := range whole.Times {
			if time >= from && time < to {
				require.Equal(t, whole.Vars[name].At(time), v.At(time), "%s at %d", name, time)
			}
		}
		for _, c := range v.Changes {
			require.GreaterOrEqual(t, c.Time, from)
			require.LessOrEqual(t, c.Time, to) // the last cycle's clocks fall at its end
		}
	}
}

// TestWindow opens and closes windows in many ways over one run: 40 cycles of 10
// by hand, inputs changing at their begin, then clocks on the time line from 400.
func TestWindow(t *testing.T) {
	n := func(v uint64) func(*sim.Sim) bool {
		return func(s *sim.Sim) bool { sig, err := s.Signal("n"); return err == nil && s.Get(sig) == v }
	}
	for _, c := range []struct {
		name     string
		window   sim.Window
		from, to uint64
	}{
		{"everything", sim.Window{}, 0, 600},
		{"from a cycle's begin", sim.Window{From: 100}, 100, 600},
		{"from an edge", sim.Window{From: 105}, 105, 600},
		{"from its middle", sim.Window{From: 101}, 105, 600},
		{"to", sim.Window{To: 200}, 0, 200},
		{"from and to", sim.Window{From: 95, To: 305}, 95, 305},
		{"on the time line", sim.Window{From: 450, To: 500}, 451, 500},
		{"three events from the start", sim.Window{After: 2}, 0, 30},
		{"three events from a time", sim.Window{From: 100, After: 2}, 100, 130},
		{"three events from an edge", sim.Window{From: 105, After: 2}, 105, 130},
		{"cycle 7", sim.Window{Trigger: sim.AtCycle(7)}, 70, 600},
		{"cycle 7 and 3 after", sim.Window{Trigger: sim.AtCycle(7), After: 3}, 70, 110},
		{"a value", sim.Window{Trigger: n(12)}, 120, 600},
		{"a value from a time", sim.Window{Trigger: n(1), From: 130}, 512, 600}, // 257
		{"4 before", sim.Window{Trigger: n(12), Before: 4}, 80, 600},
		{"4 before, 2 after", sim.Window{Trigger: n(12), Before: 4, After: 2}, 80, 150},
		{"more before than there is", sim.Window{Trigger: sim.AtCycle(3), Before: 400, After: 1}, 0, 50},
		{"none before a time", sim.Window{Trigger: sim.AtCycle(12), From: 100, Before: 400, After: 1}, 100, 140},
		{"before on the time line", sim.Window{Trigger: sim.AtCycle(45), Before: 3}, 0, 0},
		{"to while waiting", sim.Window{Trigger: sim.AtCycle(12), To: 125, Before: 2}, 100, 125},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := counters(t)
			var wholeText, text bytes.Buffer
			whole, part := vcd.New(&wholeText), vcd.New(&text)
			require.NoError(t, s.Trace(whole))
			c.window.Tracer = part
			require.NoError(t, s.Trace(&c.window))
			clk, slow, step := s.Top()[0], s.Top()[1], s.Top()[2]
			for i := range 40 {
				require.NoError(t, s.Set(step, uint64(1+i/32*8)))
				if i%3 == 0 {
					s.Step(1)
				} else {
					s.Tick(clk, 1)
				}
			}
			require.NoError(t, s.SetPeriod(clk, 6, 404)) // falls after 3
			require.NoError(t, s.SetPeriod(slow, 20, 411))
			s.Run(500)
			require.NoError(t, s.Set(step, 3))
			s.Run(600)
			require.NoError(t, s.Err())
			full := traced(t, whole, &wholeText)
			d := traced(t, part, &text)
			if c.to == 0 { // not worked out by hand
				c.from, c.to = d.Times[0], 600
				require.Greater(t, c.from, uint64(400))
			}
			within(t, full, d, c.from, c.to)
		})
	}
}

// TestWindowHistory keeps the past of random designs, whose names for signals a
// VCD has all, also across Restore.
func TestWindowHistory(t *testing.T) {
	for seed := range uint64(20) {
		s, err := sim.New(randcircuit.Design(seed, randcircuit.Config{Nodes: 60, Modules: 2, State: true, Falls: seed%2 == 0}), sim.WithSeed(seed))
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(seed, 9))
		before, at := 1+r.IntN(12), r.Uint64N(30)
		var wholeText, text bytes.Buffer
		whole, part := vcd.New(&wholeText), vcd.New(&text)
		require.NoError(t, s.Trace(whole))
		require.NoError(t, s.Trace(&sim.Window{Tracer: part, Trigger: sim.AtCycle(at), Before: before, After: 5}))
		snap, err := s.Snapshot()
		require.NoError(t, err)
		for i := range 50 {
			for _, p := range s.Top() {
				if p.IsInput() && r.IntN(2) == 0 {
					words := make([]uint64, bits.WordCount(p.Width()))
					for k := range words {
						words[k] = r.Uint64()
					}
					require.NoError(t, s.SetBits(p, bits.FromWords(p.Width(), words)))
				}
			}
			if i == 40 {
				require.NoError(t, s.Restore(snap))
			}
			s.Step(1)
		}
		full := traced(t, whole, &wholeText)
		first := uint64(max(int(at)-before, 0)) * 10
		within(t, full, traced(t, part, &text), first, at*10+60)
	}
}

// TestWindowSees: while the past is shown, signals, Time and Cycles are of then,
// and afterwards of now.
func TestWindowSees(t *testing.T) {
	s := counters(t)
	sig, err := s.Signal("n")
	require.NoError(t, err)
	seen := ""
	look := tracerFunc(func(m sim.Moment) error {
		if m.Phase == sim.Before {
			seen += fmt.Sprint(s.Time(), " ", s.Cycles(), " ", s.Get(sig), "; ")
		}
		return nil
	})
	require.NoError(t, s.Trace(&sim.Window{Tracer: look, Trigger: sim.Equals(sig, 5), Before: 2, After: 1}))
	s.Step(9)
	require.Equal(t, "30 3 3; 40 4 4; 50 5 5; 60 6 6; ", seen)
	require.Equal(t, []uint64{90, 9, 9}, []uint64{s.Time(), s.Cycles(), s.Get(sig)})
}

type tracerFunc func(m sim.Moment) error

func (tracerFunc) Start(*sim.Sim) error        { return nil }
func (f tracerFunc) Sample(m sim.Moment) error { return f(m) }

func TestEquals(t *testing.T) {
	s := counters(t)
	wide, err := s.Signal("wide")
	require.NoError(t, err)
	is := sim.Equals(wide, 3)
	require.False(t, is(s))
	require.NoError(t, s.Poke(wide, bits.New(70, 3)))
	require.True(t, is(s))
	require.NoError(t, s.Poke(wide, bits.New(70, 3).SetBit(69, 1)))
	require.False(t, is(s))
}

func TestWindowErrors(t *testing.T) {
	s := counters(t)
	for want, w := range map[string]*sim.Window{
		"sim: a Window without a Tracer":                       {},
		"sim: a Window from time 7 to 7":                       {Tracer: vcd.New(nil), From: 7, To: 7},
		"sim: a Window of events before a Trigger without one": {Tracer: vcd.New(nil), Before: 1},
		"sim: a Window of -1 events before and 0 after":        {Tracer: vcd.New(nil), Before: -1},
		"vcd: timescale \"x\" is not 1, 10 or 100 of s, ms, us, ns, ps or fs": func() *sim.Window {
			w := vcd.New(nil)
			w.SetTimescale("x")
			return &sim.Window{Tracer: w}
		}(),
	} {
		require.EqualError(t, s.Trace(w), want)
	}
	broken := errors.New("broken")
	w := &sim.Window{From: 35, Tracer: tracerFunc(func(sim.Moment) error { return broken })}
	require.NoError(t, s.Trace(w))
	s.Step(3)
	require.NoError(t, s.Err())
	s.Step(1)
	require.ErrorIs(t, s.Err(), broken)
	require.EqualError(t, s.Trace(w), "sim: a Window traces one simulator, once")

	never := vcd.New(&bytes.Buffer{}) // a trigger that never comes
	require.NoError(t, s.Trace(&sim.Window{Tracer: never, Trigger: func(*sim.Sim) bool { return false }}))
	s.Step(5)
	require.EqualError(t, never.Close(), "vcd: nothing was traced")
}
