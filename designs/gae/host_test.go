package gae_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae"
	"etch/designs/gae/host"
	"etch/designs/gae/model"
	"etch/testbench"
	"etch/testbench/axi"
)

// vectors draws the steps of some vectors, in time order.
func vectors(r *rand.Rand, s model.System, n int) (all [][]model.Sample) {
	for range n {
		v := make([]model.Sample, 1+r.IntN(s.Depth/s.Stacks()))
		for i := range v {
			v[i] = model.Sample{Reward: r.Int64N(8<<16) - 4<<16, Value: r.Int64N(8<<16) - 4<<16, Boot: r.Int64N(8<<16) - 4<<16}
			v[i].Cut = i == len(v)-1 || r.IntN(10) == 0
			v[i].Term = v[i].Cut && r.IntN(4) > 0
		}
		all = append(all, v)
	}
	return all
}

// system is what the model says of a drain: the results of each vector, and what
// was saturated.
func system(s model.System, l model.Loading, set model.Settings, placed map[model.Place][]model.Sample) (map[model.Place][]model.Stored, model.LoadClips, model.Clips) {
	out := map[model.Place][]model.Stored{}
	var loadClips model.LoadClips
	var clips model.Clips
	for p, v := range placed {
		var words []model.Word
		var boots []int64
		for _, x := range v {
			w, boot, clipped := s.Load(l, x)
			loadClips.Add(clipped)
			words = append(words, w)
			if w.Cut && !w.Term {
				boots = append(boots, boot)
			}
		}
		out[p] = s.Drain(set, words, boots) // a vector ends in a cut: those around it do not matter
		for _, o := range out[p] {
			clips.Add(o.Clipped)
		}
	}
	return out, loadClips, clips
}

// sameResults fetches results and compares them.
func sameResults(t *testing.T, d *host.Driver, want map[model.Place][]model.Stored) {
	t.Helper()
	for at, steps := range want {
		got, err := d.Fetch(at, len(steps))
		require.NoError(t, err)
		require.Len(t, got, len(steps))
		for i := range got {
			require.Equal(t, steps[i].Advantage, got[i].Advantage)
			require.Equal(t, steps[i].Return, got[i].Return)
		}
	}
}

func systems() []model.System {
	base := model.Paper()
	base.Rows, base.Depth = 4, 32
	var all []model.System
	for _, change := range []func(s *model.System){
		func(s *model.System) {},
		func(s *model.System) { s.Rows, s.RoundRobin = 3, true },
		func(s *model.System) { s.Rows, s.PingPong, s.Narrow = 1, true, true },
		func(s *model.System) { s.Form, s.K = model.CSlow, 4 },
		func(s *model.System) { *s = s.Variant(1) },
		func(s *model.System) { *s = s.Variant(3) },
	} {
		s := base
		change(&s)
		all = append(all, s)
	}
	return all
}

// Whole drains through the host port, several of each system: places, results,
// cycles and counts are the model's.
func TestAccelerator(t *testing.T) {
	for _, sys := range systems() {
		t.Run(fmt.Sprintf("%d rows, %v, two %v, in turn %v, %d bits", sys.Rows, sys.Form, sys.PingPong, sys.RoundRobin, sys.CodeBits), func(t *testing.T) {
			t.Parallel()
			s, _ := testbench.New(t, gae.Accelerator{System: sys}, testbench.CoSim())
			bus, err := axi.NewMaster(s.Sim, "s_axi")
			require.NoError(t, err)
			exercise(t, sys, host.New(bus, sys))
		})
	}
}

// exercise runs some drains and holds them against the model.
func exercise(t *testing.T, sys model.System, d *host.Driver) {
	r := rand.New(rand.NewPCG(uint64(sys.Rows), uint64(sys.K)))
	load, set := sys.Defaults()
	gotLoad, gotSet, err := d.Settings()
	require.NoError(t, err)
	require.Equal(t, load, gotLoad)
	require.Equal(t, set, gotSet)
	for n := range 3 {
		if n > 0 {
			load.Shift = r.IntN(4)
			load.Value.Mean, load.Reward.Mantissa = r.Int64N(1<<16), 1<<16+r.Int64N(1<<16)
			set.ValueScale, set.ValueOffset = set.ValueScale*3, 5000
			set.Shift, set.AdvantageStep = load.Shift, r.IntN(14)
			require.NoError(t, d.Load(load))
			require.NoError(t, d.Set(set))
		}
		require.NoError(t, d.Clear(model.ClearCounters))
		schedule := sys.NewSchedule()
		placed := map[model.Place][]model.Sample{}
		for _, v := range vectors(r, sys, 2*sys.Rows*sys.Stacks()) {
			want, room := schedule.Place(len(v))
			got, ok, err := d.Push(v)
			require.NoError(t, err)
			require.Equal(t, room, ok)
			if !ok {
				continue
			}
			want.Base += want.Stack * sys.Depth / sys.Stacks()
			want.Stack = 0
			require.Equal(t, want, got)
			placed[got] = v
		}
		cycles, err := d.Drain()
		require.NoError(t, err)
		fixed := gae.Row{System: sys}.RowLatency()
		require.LessOrEqual(t, cycles, schedule.Makespan()+fixed+sys.Stacks())
		if sys.Stacks() == 1 {
			require.Equal(t, schedule.Makespan()+fixed, cycles)
		}
		want, wantLoad, wantClips := system(sys, load, set, placed)
		sameResults(t, d, want)
		gotLoad, gotClips, err := d.Counters()
		require.NoError(t, err)
		require.Equal(t, wantLoad, gotLoad)
		require.Equal(t, wantClips, gotClips)
	}
}

// A block as PPO has it: every step is measured, the statistics settle, every step
// is loaded, drained and fetched; for every variant of the paper.
func TestVariants(t *testing.T) {
	for variant := 1; variant <= 5; variant++ {
		t.Run(fmt.Sprint(variant), func(t *testing.T) {
			t.Parallel()
			sys := model.Paper()
			sys.Rows, sys.Depth = 2, 32
			sys = sys.Variant(variant)
			s, _ := testbench.New(t, gae.Accelerator{System: sys}, testbench.CoSim())
			bus, err := axi.NewMaster(s.Sim, "s_axi")
			require.NoError(t, err)
			d := host.New(bus, sys)
			r := rand.New(rand.NewPCG(uint64(variant), 2))
			var rewards, values model.Statistics
			load, set := sys.Defaults()
			for range 3 {
				all := vectors(r, sys, 3)
				if sys.Rewards == model.Block {
					rewards = model.Statistics{}
				}
				values = model.Statistics{}
				for _, v := range all {
					for _, x := range v {
						rewards.Add(x.Reward)
						values.Add(x.Value)
					}
					require.NoError(t, d.Measure(v))
				}
				require.NoError(t, d.Settle())
				load, set = sys.Prepare(load, set, &rewards, &values)
				gotLoad, gotSet, err := d.Settings()
				require.NoError(t, err)
				require.Equal(t, load, gotLoad)
				require.Equal(t, set, gotSet)
				placed := map[model.Place][]model.Sample{}
				for _, v := range all {
					at, ok, err := d.Push(v)
					require.NoError(t, err)
					if ok {
						placed[at] = v
					}
				}
				_, err = d.Drain()
				require.NoError(t, err)
				want, _, _ := system(sys, load, set, placed)
				sameResults(t, d, want)
			}
		})
	}
}

// The core on a clock of its own, faster, slower and as fast as the host's.
func TestTwoClocks(t *testing.T) {
	sys := systems()[0]
	for _, ratio := range [][2]int{{1, 1}, {3, 1}, {2, 5}} { // edges of host and core
		t.Run(fmt.Sprint(ratio), func(t *testing.T) {
			t.Parallel()
			s, p := testbench.New(t, gae.TwoClocks{System: sys}, testbench.CoSim())
			bus, err := axi.NewMaster(s.Sim, "s_axi")
			require.NoError(t, err)
			clk, err := s.Sim.Signal("clk")
			require.NoError(t, err)
			credit := 0
			bus.StepBy(func() {
				for credit += ratio[1]; credit >= ratio[0]; credit -= ratio[0] {
					s.Tick(p.Core.Clk)
				}
				s.Sim.TickAll(clk)
			})
			exercise(t, sys, host.New(bus, sys))
		})
	}
}

// stream sends steps by the stream of their own, and returns the cycles it took.
func stream(s *testbench.Bench, p gae.AcceleratorPorts, vector []model.Sample) (cycles int) {
	s.Set(p.Steps.Valid, 1)
	for _, x := range vector {
		s.Set(p.Steps.Data.Reward, int(x.Reward))
		s.Set(p.Steps.Data.Value, int(x.Value))
		s.Set(p.Steps.Data.Boot, int(x.Boot))
		s.Set(p.Steps.Data.Term, bitOf(x.Term))
		s.Set(p.Steps.Data.Cut, bitOf(x.Cut))
		for ready := false; !ready; cycles++ {
			ready = s.High(p.Steps.Ready)
			s.Step(1)
		}
	}
	s.Set(p.Steps.Valid, 0)
	return cycles
}

// The paper's case: 64 vectors of 1024 steps take 1,038 cycles from start to done,
// and reach the rows at one step a cycle.
func TestPaperCycles(t *testing.T) {
	if testing.Short() {
		t.Skip("a run of 64 rows takes seconds")
	}
	sys := model.Paper()
	s, p := testbench.New(t, gae.Accelerator{System: sys})
	bus, err := axi.NewMaster(s.Sim, "s_axi")
	require.NoError(t, err)
	d := host.New(bus, sys)
	r := rand.New(rand.NewPCG(1, 1))
	load, set := sys.Defaults()
	placed := map[model.Place][]model.Sample{}
	moved := 0
	for row := range sys.Rows {
		v := make([]model.Sample, sys.Depth)
		for i := range v {
			v[i] = model.Sample{Reward: r.Int64N(8<<16) - 4<<16, Value: r.Int64N(8<<16) - 4<<16, Boot: r.Int64N(8<<16) - 4<<16}
			v[i].Cut = i == len(v)-1 || i%200 == 199
			v[i].Term = v[i].Cut && i%400 == 399
		}
		require.NoError(t, bus.Write(4*uint64(model.Begin), uint32(len(v))))
		at, err := bus.Read(4 * uint64(model.RowOut))
		require.NoError(t, err)
		require.Equal(t, row, int(at))
		moved += stream(s, p, v)
		placed[model.Place{Row: row}] = v
	}
	require.Equal(t, 64*1024, moved)
	cycles, err := d.Drain()
	require.NoError(t, err)
	require.Equal(t, 1038, cycles)
	want, _, clips := system(sys, load, set, placed)
	for place := range want {
		want[place] = want[place][:8]
	}
	sameResults(t, d, want)
	_, gotClips, err := d.Counters()
	require.NoError(t, err)
	require.Equal(t, clips, gotClips)
	t.Logf("%d elements in %d cycles: %.1f a cycle; at an assumed 300 MHz %.2f µs", 64*1024, cycles, 64*1024/float64(cycles), float64(cycles)/300)
}

// Vectors of 1 to 1024 steps, odd ones among them, more than there are rows: a
// drain takes as many cycles as the fullest row has steps and RowLatency more, which
// is within the bound, and all results are the model's.
func TestMixedLengths(t *testing.T) {
	sys := model.Paper()
	sys.Rows, sys.Stack = 8, 256
	s, p := testbench.New(t, gae.Accelerator{System: sys})
	bus, err := axi.NewMaster(s.Sim, "s_axi")
	require.NoError(t, err)
	d := host.New(bus, sys)
	r := rand.New(rand.NewPCG(3, 1))
	load, set := sys.Defaults()
	for range 2 {
		schedule := sys.NewSchedule()
		placed := map[model.Place][]model.Sample{}
		sum, longest := 0, 0
		for {
			v := vectors(r, sys, 1)[0]
			if r.IntN(3) > 0 {
				v = vectors(r, model.System{Depth: 90}, 1)[0]
			}
			want, room := schedule.Place(len(v))
			require.NoError(t, bus.Write(4*uint64(model.Begin), uint32(len(v))))
			if !room {
				break
			}
			stream(s, p, v)
			placed[want] = v
			sum, longest = sum+len(v), max(longest, len(v))
		}
		require.Greater(t, len(placed), sys.Rows)
		cycles, err := d.Drain()
		require.NoError(t, err)
		latency := gae.Row{System: sys}.RowLatency()
		require.Equal(t, schedule.Makespan()+latency, cycles)
		require.LessOrEqual(t, cycles, (sum+sys.Rows-1)/sys.Rows+longest+latency)
		want, _, _ := system(sys, load, set, placed)
		sameResults(t, d, want)
		t.Logf("%d vectors, %d steps, the longest %d: %d cycles", len(placed), sum, longest, cycles)
	}
}
