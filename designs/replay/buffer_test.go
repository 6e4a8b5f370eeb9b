package replay_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/replay"
	"etch/designs/replay/model"
	"etch/hw"
	"etch/sim"
	"etch/testbench"
)

// step is a transition of two parts that carry its number.
type step struct{ Number, Twice hw.UInt }

func stepBuffer(c replay.Config) replay.Buffer[step] {
	return replay.Buffer[step]{Config: c, Elem: step{hw.Unsigned(20), hw.Unsigned(21)}, Flight: 4, Seed: 11}
}

// watched records the operations that the tree of a buffer accepts, from its ports
// inside, and has the sequential object do them.
type watched struct {
	b     *testbench.Bench
	m     *model.Tree
	at    map[string]sim.Signal
	drawn []model.Response
	ops   map[model.Kind]int
}

func watch(t *testing.T, b *testbench.Bench, c replay.Config, seed uint64) *watched {
	m, err := model.New(c.Params, seed)
	require.NoError(t, err)
	w := &watched{b: b, m: m, at: map[string]sim.Signal{}, ops: map[model.Kind]int{}}
	for _, name := range []string{"valid", "data_kind", "data_index", "data_generation", "data_priority", "data_stratum", "data_strata"} {
		w.at[name] = b.Signal("tree.op_" + name)
	}
	return w
}

// look is called before every edge.
func (w *watched) look() {
	get := func(name string) uint64 { return w.b.Sim.Get(w.at[name]) }
	if get("valid") == 0 {
		return
	}
	op := model.Operation{
		Kind: model.Kind(get("data_kind")), Index: int(get("data_index")), Generation: uint8(get("data_generation")), Priority: get("data_priority"),
		Stratum: int(get("data_stratum")), Strata: int(get("data_strata")),
	}
	w.ops[op.Kind]++
	if r := w.m.Apply(op); op.Kind == model.Sample {
		w.drawn = append(w.drawn, r)
	}
}

// Under random pauses on all sides, over more than 256 laps, every draw has the index,
// generation, priority and transition that belong together in the tree's order, and
// the weight that the batch's least priority gives.
func TestBuffer(t *testing.T) {
	cycles := 30_000
	if testing.Short() {
		cycles = 6000
	}
	for _, c := range bufferConfigs {
		laps := exercise(t, c, cycles)
		if c.Capacity == 7 && !testing.Short() {
			require.Greater(t, laps, 300)
		}
	}
}

// The emitted Verilog does the same.
func TestBufferVerilog(t *testing.T) {
	for _, c := range bufferConfigs {
		exercise(t, c, 1500, testbench.CoSim())
	}
}

var bufferConfigs = []replay.Config{
	{Params: model.Params{Capacity: 7, Leaf: 16, Fraction: 12}, K: 4, Read: 1, Strata: 16},
	{Params: model.Params{Capacity: 50, Leaf: 12, Fraction: 6}, K: 2, Read: 2, Strata: 8},
}

func exercise(t *testing.T, c replay.Config, cycles int, opts ...testbench.Option) (laps int) {
	b, p := testbench.New(t, stepBuffer(c), opts...)
	w := watch(t, b, c, 11)
	r := rand.New(rand.NewPCG(3, uint64(c.Capacity)))
	e := model.Exponents{Alpha: 40_000, Beta: 30_000, Epsilon: 655}
	b.Set(p.Settings.Alpha, int(e.Alpha))
	b.Set(p.Settings.Beta, int(e.Beta))
	b.Set(p.Settings.Epsilon, int(e.Epsilon))

	number := 0
	var batch []model.Response
	var weights []uint64
	insert, update, request := false, false, false
	taken, full, elements := 0, 0, 0
	known := []model.Response{{}} // draws that updates refer to
	for range cycles {
		// An element that was offered stays until it is taken.
		if !insert && r.IntN(3) > 0 {
			insert = true
			b.Set(p.Insert.Data.Transition.Number, number)
			b.Set(p.Insert.Data.Transition.Twice, 2*number)
			b.Set(p.Insert.Data.AtMax, r.IntN(2))
			b.Set(p.Insert.Data.Value.Raw, r.IntN(2))
			b.Set(p.Insert.Data.Value.Code, r.IntN(1<<18))
		}
		if !update && r.IntN(2) > 0 {
			update = true
			of := known[r.IntN(len(known))]
			b.Set(p.Update.Data.Index, of.Index)
			b.Set(p.Update.Data.Generation, int(of.Generation))
			b.Set(p.Update.Data.Value.Raw, r.IntN(2))
			b.Set(p.Update.Data.Value.Code, r.IntN(1<<17))
		}
		if !request && r.IntN(4) == 0 {
			request = true
			count := 1 + r.IntN(c.Strata)
			stratified := r.IntN(2)
			if stratified > 0 {
				count &= -count
			}
			b.Set(p.Request.Data.Count, count)
			b.Set(p.Request.Data.Stratified, stratified)
		}
		set := func(sig hw.Bit, v bool) {
			if v {
				b.Set(sig, 1)
			} else {
				b.Set(sig, 0)
			}
		}
		set(p.Insert.Valid, insert)
		set(p.Update.Valid, update)
		set(p.Request.Valid, request)
		set(p.Batch.Ready, r.IntN(3) > 0)

		w.look()
		if insert && b.High(p.Insert.Ready) {
			insert = false
			number++
			laps = number / c.Capacity
		}
		update = update && !b.High(p.Update.Ready)
		request = request && !b.High(p.Request.Ready)
		if b.High(p.Batch.Valid) && b.High(p.Batch.Ready) {
			want := w.drawn[taken]
			taken++
			elements++
			d := p.Batch.Data
			got := model.Response{
				Index: b.Get(d.Index), Generation: uint8(b.Get(d.Generation)), Priority: uint64(b.Get(d.Priority)), Empty: b.High(d.Empty), Sum: want.Sum,
			}
			require.Equal(t, want, got, "draw %d", taken)
			if got.Empty {
				require.Zero(t, b.Get(d.Transition.Number))
			} else {
				n := b.Get(d.Transition.Number)
				require.Equal(t, 2*n, b.Get(d.Transition.Twice), "a transition in two pieces")
				require.Equal(t, got.Index, n%c.Capacity, "transition %d", n)
				require.Equal(t, got.Generation, uint8(n/c.Capacity), "transition %d", n)
				known = append(known, got)
				known = known[max(0, len(known)-40):]
			}
			batch, weights = append(batch, got), append(weights, uint64(b.Get(d.Weight)))
			if b.High(d.Last) {
				least := uint64(1<<c.Leaf - 1)
				for _, x := range batch {
					if !x.Empty {
						least = min(least, x.Priority)
					}
				}
				for i, x := range batch {
					if x.Empty {
						require.Zero(t, weights[i])
					} else {
						require.Equal(t, e.Weight(least, x.Priority), weights[i], "%d of %d", least, x.Priority)
					}
				}
				batch, weights = nil, nil
				full++
			}
		}
		b.Step(1)
	}
	t.Logf("%d elements in %d batches, %d laps; operations of the tree: %v", elements, full, laps, w.ops)
	require.Greater(t, full, cycles/300)
	require.Greater(t, w.ops[model.Update], cycles/20)
	return laps
}

// The rate limit holds inserts and draws within the tolerance of each other.
func TestRateLimit(t *testing.T) {
	c := replay.Config{Params: model.Params{Capacity: 64, Leaf: 16, Fraction: 12}, K: 4, Read: 1, Strata: 8}
	b, p := testbench.New(t, stepBuffer(c))
	b.Set(p.Settings.MinFill, 10)
	b.Set(p.Settings.Ratio, 3<<16)
	b.Set(p.Settings.Tolerance, 12<<16)
	b.Set(p.Insert.Valid, 1)
	b.Set(p.Insert.Data.AtMax, 1)
	b.Set(p.Request.Valid, 1)
	b.Set(p.Request.Data.Count, 8)
	inserted, sampled, early := 0, 0, 0
	r := rand.New(rand.NewPCG(1, 2))
	for cycle := range 4000 {
		switch cycle {
		case 1500:
			b.Set(p.Request.Valid, 0) // no draws: inserts must stop
		case 2000:
			b.Set(p.Request.Valid, 1)
			b.Set(p.Insert.Valid, 0) // no inserts: draws must stop
		case 2500:
			b.Set(p.Insert.Valid, 1)
		}
		b.Set(p.Batch.Ready, r.IntN(2))
		if b.High(p.Events.Inserted) {
			inserted++
		}
		if b.High(p.Events.Sampled) {
			if sampled++; inserted < 10 {
				early++
			}
		}
		b.Step(1)
	}
	t.Logf("%d inserts, %d draws", inserted, sampled)
	require.Zero(t, early)
	// Beyond 10 to 14 inserts of the fill, 3 draws an insert within ±12 and what is on
	// its way: 4 inserts and a batch of 8.
	require.InDelta(t, 3*(inserted-12), sampled, 12+12+12+8)
	require.Greater(t, sampled, 1000)
}
