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
			}
		}
	}
}
