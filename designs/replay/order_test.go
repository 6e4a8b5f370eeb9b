package replay_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/replay"
	"etch/designs/replay/host"
	"etch/designs/replay/model"
	"etch/sim"
	"etch/testbench"
)

// mix says what random operations are like. Weights are relative.
type mix struct {
	name                                         string
	insert, update, sample, find, clear, nothing int
	near                                         int // 0: indexes anywhere; else within so many of one another
	zeros                                        int // one priority in so many is 0
}

// mixes aim at what may go wrong: operations on one slot or row one behind the other,
// clears amid everything, sums of 0, pauses.
var mixes = []mix{
	{name: "even", insert: 3, update: 4, sample: 4, find: 2, nothing: 1, zeros: 4},
	{name: "one slot", insert: 1, update: 8, sample: 4, find: 4, near: 1, zeros: 3},
	{name: "one row", insert: 1, update: 8, sample: 4, find: 2, nothing: 2, near: 3, zeros: 6},
	{name: "inserts", insert: 9, update: 2, sample: 3, find: 1, zeros: 9},
	{name: "clears", insert: 12, update: 5, sample: 6, find: 3, clear: 2, nothing: 1, zeros: 3},
	{name: "draws", insert: 1, update: 2, sample: 20, find: 5, zeros: 2},
}

// operations draws operations that suit the state of the object.
type operations struct {
	replay.Config
	mix
	r      *rand.Rand
	m      *model.Tree
	centre int
	last   []int // the slots written last
}

// next is an operation, or none.
func (o *operations) next() *model.Operation {
	r := o.r
	if r.IntN(50) == 0 {
		o.centre = r.IntN(o.Capacity)
	}
	priority := r.Uint64() & (1<<o.Leaf - 1)
	switch {
	case r.IntN(o.zeros) == 0:
		priority = 0
	case r.IntN(4) == 0:
		priority = 1<<o.Leaf - 1
	case r.IntN(4) == 0:
		priority = 1
	}
	op := &model.Operation{Priority: priority}
	at := r.IntN(o.insert + o.update + o.sample + o.find + o.clear + o.nothing)
	within := func(weight int) bool { at -= weight; return at < 0 }
	switch {
	case within(o.insert):
		if op.Kind = model.Insert; r.IntN(3) == 0 {
			op.Kind = model.InsertMax
		}
	case within(o.update):
		op.Kind = model.Update
		op.Index = r.IntN(1 << max(1, o.IndexBits()))
		if o.near > 0 && r.IntN(10) > 0 {
			op.Index = (o.centre + r.IntN(o.near)) % o.Capacity
		}
		if len(o.last) > 3 && r.IntN(3) == 0 {
			op.Index = o.last[len(o.last)-1-r.IntN(4)]
		}
		if op.Index < o.Capacity {
			op.Generation = o.m.Generation(op.Index)
		}
		if r.IntN(8) == 0 {
			op.Generation = uint8(r.IntN(256))
		}
	case within(o.sample):
		op.Kind = model.Sample
		if o.Strata > 1 && r.IntN(2) == 0 {
			most := 0
			for 1<<most < o.Strata {
				most++
			}
			op.Strata = r.IntN(most + 1)
			op.Stratum = r.IntN(1 << op.Strata)
		}
	case within(o.find):
		op.Kind = model.Find
		switch s := o.m.Sum(); {
		case r.IntN(6) == 0 || s == 0:
			op.Target = r.Uint64() & (1<<o.SumBits() - 1)
		case r.IntN(3) == 0:
			op.Target = s - 1
		case r.IntN(3) == 0: // on the edge between two slots
			op.Target = o.edge()
		default:
			op.Target = r.Uint64N(s)
		}
	case within(o.clear):
		if r.IntN(1+o.Capacity/8) > 0 {
			return nil
		}
		op.Kind = model.Clear
	default:
		return nil
	}
	return op
}

// edge is the running sum before a slot.
func (o *operations) edge() (x uint64) {
	for i := range o.r.IntN(min(o.Capacity, 64)) {
		x += o.m.Leaf(i)
	}
	return x
}

// inOrder compares every response of a circuit with the sequential object's.
func inOrder(c replay.Config, x mix, n int, tree *host.Tree, seed uint64) error {
	m, err := model.New(c.Params, seed)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(7, uint64(len(x.name)+c.K)))
	o := &operations{Config: c, mix: x, r: r, m: m}
	type expected struct {
		op   model.Operation
		want model.Response
	}
	var waiting []expected
	var held *model.Operation
	accepted, responses, idle := 0, 0, 0
	for responses < n {
		if held == nil && accepted < n {
			held = o.next()
		}
		taken, got, came := tree.Cycle(held)
		if idle++; idle > 100_000 {
			return fmt.Errorf("no response for %d cycles behind %d", idle, responses)
		}
		if came {
			if len(waiting) == 0 {
				return fmt.Errorf("response %d has no operation: %+v", responses, got)
			}
			if want := waiting[0].want; got != want {
				return fmt.Errorf("response %d, to %+v:\ngot  %+v\nwant %+v", responses, waiting[0].op, got, want)
			}
			waiting, responses, idle = waiting[1:], responses+1, 0
		}
		if taken {
			want := m.Apply(*held)
			waiting = append(waiting, expected{*held, want})
			if k := held.Kind; k <= model.Update {
				if o.last = append(o.last, want.Index); len(o.last) > 8 {
					o.last = o.last[1:]
				}
			}
			held = nil
			accepted++
		}
	}
	return nil
}

// configs are trees of every K, with capacities that are no powers of two and a top
// level that has fewer children.
func configs() (all []replay.Config) {
	for _, k := range []int{2, 4, 8, 16, 64} {
		for _, capacity := range []int{1, 2, 5, 37, 100, 300} {
			c := replay.Config{Params: model.Params{Capacity: capacity, Leaf: 6, Fraction: 3}, K: k, Read: 1 + capacity%2, Strata: 8}
			if capacity == 100 {
				c.Leaf, c.Fraction = 16, 12
			}
			if capacity == 2 {
				c.Strata = 2
			}
			all = append(all, c)
		}
	}
	return all
}

// Every response of the pipeline is that of the sequential object, in the order in
// which operations were accepted.
func TestPipelinedInOrder(t *testing.T) { everyConfig(t, replay.Tree{Form: replay.InPipeline}, 1) }

// So is every response of the other forms.
func TestSerialInOrder(t *testing.T) { everyConfig(t, replay.Tree{Form: replay.InSeries}, 8) }

func TestScanInOrder(t *testing.T) {
	everyConfig(t, replay.Tree{Form: replay.ByScan, Samplers: 8}, 8)
	everyConfig(t, replay.Tree{Form: replay.ByScan, Samplers: 3, Early: true}, 8)
}

// everyConfig runs every configuration with every mix, with a part of the operations
// in the short test.
func everyConfig(t *testing.T, tree replay.Tree, part int) {
	n := 6000 // times 30 configurations and 6 mixes: more than 10^6
	switch {
	case os.Getenv("ETCH_SLOW") != "":
		n = 170_000 // times 6 mixes: 10^6 for every configuration
	case testing.Short():
		n = 400 / part
	}
	for _, c := range configs() {
		if c.Capacity == 1 && tree.Form != replay.InPipeline {
			continue
		}
		tree := tree // subtests run when the loop is over
		tree.Config, tree.Seed = c, 99
		for i, x := range mixes {
			if testing.Short() && (i+c.K+c.Capacity)%3 != 0 {
				continue
			}
			t.Run(fmt.Sprintf("k=%d/capacity=%d/early=%v/%s", c.K, c.Capacity, tree.Early, x.name), func(t *testing.T) {
				t.Parallel()
				circuit, err := host.Simulate(tree, sim.WithSeed(uint64(c.K)), sim.WithEngine(sim.Native))
				require.NoError(t, err)
				defer circuit.Close()
				require.NoError(t, inOrder(c, x, n, circuit, 99))
			})
		}
	}
}

// The largest tree, full, with writes and draws on all of it.
func TestLargestInOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("a million inserts")
	}
	c := replay.Config{Params: model.Params{Capacity: 1 << 20, Leaf: 16, Fraction: 12}, K: 4, Read: 2, Strata: 128}
	tree, err := host.Simulate(replay.Tree{Config: c, Seed: 5}, sim.WithEngine(sim.Native))
	require.NoError(t, err)
	defer tree.Close()
	fill := mix{name: "fill", insert: 1000, update: 100, sample: 100, find: 20, zeros: 5}
	require.NoError(t, inOrder(c, fill, 1_400_000, tree, 5))
}

// A reset while operations are on their way leaves nothing of them.
func TestResetAmidOperations(t *testing.T) {
	c := replay.Config{Params: model.Params{Capacity: 21, Leaf: 6, Fraction: 3}, K: 4, Read: 2, Strata: 8}
	tree, err := host.Simulate(replay.Tree{Config: c, Seed: 99}, sim.WithSeed(2))
	require.NoError(t, err)
	defer tree.Close()
	for i := range 60 {
		require.NoError(t, inOrder(c, mixes[i%len(mixes)], 100+i, tree, 99))
		for range 1 + i%40 { // these never get a response that counts
			tree.Cycle(&model.Operation{Kind: model.Kind(i % 6), Priority: 5})
		}
		tree.Cycle(nil)
		tree.Sim.Reset()
	}
}

// Model, simulator and emitted Verilog under two simulators give the same responses,
// in every form.
func TestTreeVerilog(t *testing.T) {
	c := replay.Config{Params: model.Params{Capacity: 21, Leaf: 6, Fraction: 3}, K: 4, Read: 2, Strata: 8}
	for _, tree := range []replay.Tree{
		{Config: c},
		{Config: replay.Config{Params: model.Params{Capacity: 300, Leaf: 16, Fraction: 12}, K: 16, Read: 1, Strata: 2}},
		{Config: replay.Config{Params: model.Params{Capacity: 100, Leaf: 5, Fraction: 0}, K: 2, Read: 1, Strata: 4}},
		{Config: c, Form: replay.InSeries},
		{Config: c, Form: replay.ByScan, Samplers: 3},
		{Config: c, Form: replay.ByScan, Early: true},
	} {
		tree.Seed = 7
		inVerilog(t, tree)
	}
}

// inVerilog is a test of a tree with co-simulation.
func inVerilog(t *testing.T, tree replay.Tree) {
	b, p := testbench.New(t, tree, testbench.CoSim())
	m, err := model.New(tree.Params, 7)
	require.NoError(t, err)
	o := &operations{Config: tree.Config, mix: mixes[0], r: rand.New(rand.NewPCG(3, 4)), m: m}
	var want []model.Response
	var held *model.Operation
	done := 0
	for range 2000 {
		if held == nil {
			held = o.next()
		}
		b.Set(p.Op.Valid, 0)
		if op := held; op != nil {
			b.Set(p.Op.Valid, 1)
			b.Set(p.Op.Data.Kind, int(op.Kind))
			b.Set(p.Op.Data.Index, op.Index)
			b.Set(p.Op.Data.Generation, int(op.Generation))
			b.Set(p.Op.Data.Priority, int(op.Priority))
			b.Set(p.Op.Data.Stratum, op.Stratum)
			b.Set(p.Op.Data.Strata, op.Strata)
			b.Set(p.Op.Data.Target, int(op.Target))
			if b.High(p.Op.Ready) {
				want = append(want, m.Apply(*op))
				held = nil
			}
		}
		b.Step(1)
		if b.High(p.Result.Valid) {
			b.Expect(p.Result.Index, want[0].Index)
			b.Expect(p.Result.Generation, int(want[0].Generation))
			b.Expect(p.Result.Priority, int(want[0].Priority))
			b.Expect(p.Result.Sum, int(want[0].Sum))
			want = want[1:]
			done++
		}
	}
	require.Greater(t, done, 30)
}
