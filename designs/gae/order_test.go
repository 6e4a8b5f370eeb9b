package gae_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae"
	"etch/designs/gae/host"
	"etch/designs/gae/model"
	"etch/testbench"
	"etch/testbench/axi"
)

func small() model.System {
	sys := model.Paper()
	sys.Rows, sys.Depth = 2, 32
	return sys
}

// drive builds an accelerator with a driver.
func drive(t *testing.T, sys model.System) (*testbench.Bench, gae.AcceleratorPorts, *axi.Master, *host.Driver) {
	s, p := testbench.New(t, gae.Accelerator{System: sys})
	bus, err := axi.NewMaster(s.Sim, "s_axi")
	require.NoError(t, err)
	return s, p, bus, host.New(bus, sys)
}

func write(t *testing.T, bus *axi.Master, r model.Register, v uint32) {
	t.Helper()
	require.NoError(t, bus.Write(4*uint64(r), v))
}

func read(t *testing.T, bus *axi.Master, r model.Register) int {
	t.Helper()
	v, err := bus.Read(4 * uint64(r))
	require.NoError(t, err)
	return int(int32(v))
}

// Clearing right after measuring leaves nothing of what was measured, and counters
// are complete when they are read.
func TestClearWaits(t *testing.T) {
	sys := small()
	_, _, bus, d := drive(t, sys)
	r := rand.New(rand.NewPCG(1, 1))
	block := vectors(r, sys, 1)[0]
	require.NoError(t, d.Measure(block))
	require.Equal(t, len(block), read(t, bus, model.Count))
	require.NoError(t, d.Clear(model.ClearStatistics))
	again := vectors(r, sys, 1)[0]
	require.NoError(t, d.Measure(again))
	require.NoError(t, d.Settle())
	var want model.Statistics
	for _, x := range again {
		want.Add(x.Reward)
	}
	require.Equal(t, int(want.Mean()), read(t, bus, model.RewardMean))
}

// A drain that starts inside a vector is told, and the next vector begins anew
// after a Clear.
func TestStartInsideVector(t *testing.T) {
	sys := small()
	_, _, bus, d := drive(t, sys)
	write(t, bus, model.Begin, 4)
	write(t, bus, model.PushStep, 0)
	write(t, bus, model.PushStep, 0)
	_, err := d.Drain()
	require.ErrorContains(t, err, "out of sequence")
	_, _, err = d.Push(make([]model.Sample, 3))
	require.ErrorContains(t, err, "begun before")
	require.NoError(t, d.Clear(model.ClearCounters))
	_, err = d.Drain()
	require.NoError(t, err)
	_, ok, err := d.Push(make([]model.Sample, 3))
	require.NoError(t, err)
	require.True(t, ok)
}

// What is fetched while rows drain waits for the drain.
func TestFetchWaits(t *testing.T) {
	for _, two := range []bool{false, true} {
		sys := small()
		sys.PingPong = two
		_, _, bus, d := drive(t, sys)
		v := vectors(rand.New(rand.NewPCG(2, 1)), sys, 1)[0]
		at, ok, err := d.Push(v)
		require.NoError(t, err)
		require.True(t, ok)
		write(t, bus, model.Start, 0)
		write(t, bus, model.ValueScale, 77) // so does what the drain goes by
		load, set := sys.Defaults()
		want, _, _ := system(sys, load, set, map[model.Place][]model.Sample{at: v})
		sameResults(t, d, want)
	}
}

// Steps that were streamed before a Start, a Settle or a Clear come before it, on
// one clock and across two.
func TestStreamOrder(t *testing.T) {
	sys := small()
	for _, ratio := range [][2]int{{1, 1}, {1, 7}, {5, 1}} { // core edges every so many host edges, host edges every so many core edges
		s, p := testbench.New(t, gae.TwoClocks{System: sys})
		clk, err := s.Sim.Signal("clk")
		require.NoError(t, err)
		at := 0
		step := func() {
			if at++; at%ratio[0] == 0 {
				s.Tick(p.Core.Clk)
			}
			if at%ratio[1] == 0 {
				s.Sim.TickAll(clk)
			}
		}
		host := func() { // until the host's next edge
			for step(); at%ratio[1] != 0; {
				step()
			}
		}
		bus, err := axi.NewMaster(s.Sim, "s_axi")
		require.NoError(t, err)
		bus.StepBy(host)
		send := func(measure int, n int) (sum int) {
			s.Set(p.Steps.Data.Measure, measure)
			s.Set(p.Steps.Valid, 1)
			for i := range n {
				s.Set(p.Steps.Data.Reward, (i+1)<<16)
				sum += i + 1
				for ready := false; !ready; {
					ready = s.High(p.Steps.Ready)
					host()
				}
			}
			s.Set(p.Steps.Valid, 0)
			return sum
		}
		for range 3 {
			write(t, bus, model.Clear, model.ClearStatistics)
			sum := send(1, 6)
			write(t, bus, model.Settle, 0)
			require.Equal(t, sum<<16/6, read(t, bus, model.RewardMean), ratio)
			for _, n := range []int{32, 6} {
				write(t, bus, model.Begin, uint32(n))
				send(0, n)
				write(t, bus, model.Start, 0)
				for read(t, bus, model.Status)&model.Done == 0 {
				}
				require.Zero(t, read(t, bus, model.Status)&(model.OutOfSequence|model.BootOverflow))
				require.Equal(t, n+gae.Row{System: sys}.RowLatency(), read(t, bus, model.Cycles), ratio)

				// The results cross back, in order and each once.
				write(t, bus, model.SendCount, uint32(n))
				write(t, bus, model.Send, 0)
				var got []int
				s.Set(p.Results.Ready, 1)
				for last := false; !last; {
					if s.High(p.Results.Valid) {
						got = append(got, int(s.Get(p.Results.Data.Advantage)))
						last = s.High(p.Results.Data.Last)
					}
					host()
				}
				s.Set(p.Results.Ready, 0)
				require.Len(t, got, n)
				for i, x := range got {
					write(t, bus, model.Fetch, uint32(i))
					require.Equal(t, read(t, bus, model.AdvantageOut)&(1<<sys.ResultBits()-1), x&(1<<sys.ResultBits()-1))
				}
			}
		}
	}
}

// Results leave by the stream in time order, one a cycle while they are taken, and are
// those that registers show; what would change them waits until they have left.
func TestResultStream(t *testing.T) {
	systems := []model.System{small(), small(), small(), small()}
	systems[1].Rows = 11 // two groups of rows, the second incomplete
	systems[2].PingPong, systems[2].Narrow = true, true
	systems[3].Form, systems[3].K = model.CSlow, 4
	for _, sys := range systems {
		s, p := testbench.New(t, gae.Accelerator{System: sys}, testbench.CoSim())
		bus, err := axi.NewMaster(s.Sim, "s_axi")
		require.NoError(t, err)
		d := host.New(bus, sys)
		r := rand.New(rand.NewPCG(7, uint64(sys.Rows)))
		places := map[model.Place]int{}
		for _, v := range vectors(r, sys, 2*sys.Rows*sys.Stacks()) {
			if at, ok, err := d.Push(v); err == nil && ok {
				places[at] = len(v)
			}
		}
		_, err = d.Drain()
		require.NoError(t, err)
		for at, n := range places {
			want, err := d.Fetch(at, n)
			require.NoError(t, err)
			for _, pause := range []int{0, 3} { // cycles of a consumer that is slower now and then
				write(t, bus, model.SendCount, uint32(n))
				write(t, bus, model.Send, uint32(at.Row<<16|at.Base))
				cycles := 0
				for i := range n {
					if pause > 0 && r.IntN(3) == 0 {
						s.Step(r.IntN(pause * 5))
					}
					s.Set(p.Results.Ready, 1)
					for !s.High(p.Results.Valid) {
						s.Step(1)
						cycles++
					}
					s.Expect(p.Results.Data.Advantage, int(want[i].Advantage))
					s.Expect(p.Results.Data.Return, int(want[i].Return))
					s.Expect(p.Results.Data.Last, bitOf(i == n-1))
					s.Step(1)
					cycles++
					s.Set(p.Results.Ready, 0)
				}
				if pause == 0 {
					require.LessOrEqual(t, cycles, n+5)
				}
			}
		}
		s.Expect(p.Results.Valid, 0)
	}
}

// A start, a fetch and, with a single memory, a step wait until all results that are
// being sent have left.
func TestSendWaits(t *testing.T) {
	sys := small()
	s, p := testbench.New(t, gae.Accelerator{System: sys})
	bus, err := axi.NewMaster(s.Sim, "s_axi")
	require.NoError(t, err)
	d := host.New(bus, sys)
	v := vectors(rand.New(rand.NewPCG(2, 1)), model.System{Depth: 32, Element: sys.Element}, 1)[0]
	for len(v) < 20 {
		v = append(v, v...)
	}
	v = v[:20]
	at, _, err := d.Push(v)
	require.NoError(t, err)
	_, err = d.Drain()
	require.NoError(t, err)
	want, err := d.Fetch(at, 20)
	require.NoError(t, err)
	write(t, bus, model.SendCount, 20)
	write(t, bus, model.Send, uint32(at.Row<<16|at.Base))
	write(t, bus, model.Begin, 3) // takes none: the consumer is not ready
	taken, cycle := 0, 0
	bus.StepBy(func() { // a consumer that takes a result every third cycle, beside the bus
		cycle++
		s.Set(p.Results.Ready, bitOf(cycle%3 == 0))
		if cycle%3 == 0 && s.High(p.Results.Valid) {
			s.Expect(p.Results.Data.Advantage, int(want[taken].Advantage))
			taken++
		}
		s.Step(1)
	})
	for range 3 {
		write(t, bus, model.RewardIn, 12345)
		write(t, bus, model.PushStep, 0) // waits: it would lie where results are
		require.Equal(t, 20, taken)
	}
	_, err = d.Drain()
	require.NoError(t, err)
}
