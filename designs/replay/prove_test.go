package replay_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/replay"
	"etch/designs/replay/model"
	"etch/hw"
	"etch/testbench/equiv"
)

// sequential is the sequential object described without rows: registers of leaves and
// their running sums.
type sequential struct {
	replay.Config
	Find bool // finds in place of samples: no product
}

type besidePorts struct {
	Valid      hw.Bit
	Kind       hw.Enum[model.Kind]
	Index      hw.UInt
	Generation hw.Bit // the low bit; the others are right
	Priority   hw.UInt
	Target     hw.UInt
	Random     hw.UInt
}

func (c sequential) ports() besidePorts {
	return besidePorts{
		Valid: hw.In(hw.Bit{}), Kind: hw.In(hw.EnumOf(model.Kinds()...)), Index: hw.In(hw.Unsigned(max(1, c.IndexBits()))),
		Generation: hw.In(hw.Bit{}), Priority: hw.In(hw.Unsigned(c.Leaf)), Target: hw.In(hw.Unsigned(c.SumBits())), Random: hw.In(hw.Unsigned(c.DrawBits())),
	}
}

// response is the right one to an operation.
type response struct {
	Hit, Miss       hw.Bit // a draw that finds a slot, or none
	Write           hw.Bit
	Update, Dropped hw.Bit
	Slot            hw.UInt // drawn or written
	Generation      hw.UInt
	Priority        hw.UInt // of a draw
	Total           hw.UInt
}

// apply does the operation of this cycle, if valid is high; asked is the generation
// that an update gives.
func (c sequential) apply(m *hw.Module, valid hw.Bit, p besidePorts) (r response, asked hw.UInt) {
	n, w, u := c.Capacity, c.SumBits(), c.DrawBits()
	is := func(k ...model.Kind) hw.Bit { return valid.And(p.Kind.Is(k...)) }
	leaf := make([]hw.UInt, n)
	sums := []hw.UInt{hw.Zeros(w)}
	for i := range leaf {
		leaf[i] = hw.Reg(m, hw.Name("leaf", i), hw.Unsigned(c.Leaf), hw.U(0))
		sums = append(sums, sums[i].Add(leaf[i].Extend(w)))
	}
	r.Total = sums[n]
	count := hw.Reg(m, "count", hw.UpTo(n), hw.U(0))
	head := hw.Reg(m, "head", hw.Unsigned(c.IndexBits()), hw.U(0))
	lap := hw.Reg(m, "lap", hw.Unsigned(8), hw.U(0))
	top := hw.Reg(m, "max", hw.Unsigned(c.Leaf), hw.U(1<<c.Fraction))

	// The operation's effect.
	insert, clear := is(model.Insert, model.InsertMax), is(model.Clear)
	r.Update = is(model.Update)
	generation := func(i hw.UInt) hw.UInt { return hw.Mux(i.Lt(head), lap, lap.Dec()) }
	asked = hw.Cat(p.Generation, lap.Lit(0).Range(6, 0)).RotL(1).Xor(generation(p.Index)) // right, or one bit wrong
	kept := r.Update.And(p.Index.Extend(w + 1).Lt(count.Extend(w + 1))).AndNot(p.Generation)
	r.Dropped = r.Update.AndNot(kept)
	value := hw.Mux(p.Kind.Is(model.InsertMax), top, p.Priority)
	at := hw.Mux(insert, head, p.Index)
	r.Write = insert.Or(kept)
	for i := range leaf {
		leaf[i].SetIf(r.Write.And(at.Is(i)), value)
		leaf[i].SetIf(clear, hw.U(0))
	}
	top.SetIf(r.Write.And(value.Gt(top)), value)
	m.When(insert, func() {
		wrap := head.Is(n - 1)
		head.Set(hw.Mux(wrap, head.Lit(0), head.Inc()))
		lap.SetIf(wrap, lap.Inc())
		count.SetIf(count.IsNot(n), count.Inc())
	})
	m.When(clear, func() {
		head.Set(hw.U(0))
		count.Set(hw.U(0))
		lap.Set(lap.Inc())
		top.Set(hw.U(1 << c.Fraction))
	})

	// What a draw finds.
	x := hw.Mux(p.Kind.Is(model.Find), p.Target, p.Random.Mul(r.Total).Range(u+w-1, u))
	if c.Find {
		x = p.Target
		m.Assume(p.Kind.IsNot(model.Sample), "finds only")
	}
	draw := is(model.Sample, model.Find)
	var passed []hw.Bit
	for i := range n - 1 {
		passed = append(passed, sums[i+1].Le(x))
	}
	found := hw.FromBits(passed...).PopCount()
	found = hw.Mux(found.IsGe(n), found.Lit(0), found)
	slot := found.Extend(max(found.Width(), c.IndexBits())).Trunc(c.IndexBits())
	r.Miss = draw.And(x.Ge(r.Total))
	r.Hit = draw.AndNot(r.Miss)
	r.Slot = hw.Mux(r.Write, at, slot)
	r.Generation = hw.Mux(insert, lap, generation(r.Slot))
	r.Priority = hw.Vec[hw.UInt](leaf).At(slot)
	return r, asked
}

// tree is an instance of a tree that is given the operation, Random when it is due.
func (c sequential) tree(m *hw.Module, unit hw.Component[replay.UnitPorts], p besidePorts, asked hw.UInt) replay.UnitPorts {
	tree := hw.Inst(m, "tree", unit)
	tree.Op.Send(p.Valid, replay.Operation{
		Kind: p.Kind, Index: p.Index, Generation: asked, Priority: p.Priority,
		Stratum: hw.Zeros(1), Strata: hw.Zeros(1), Target: p.Target,
	})
	tree.Random.Set(hw.Delay(m, "random", p.Random, c.Read+2))
	hw.Unused(m, tree.Result.Unfilled)
	hw.Unused(m, tree.Filling)
	hw.Unused(m, tree.Step)
	return tree
}

// same asserts that a result is the right response where due is high.
func same(m *hw.Module, due hw.Bit, got replay.Result, want response) {
	m.When(due.And(want.Hit), func() {
		m.Assert(got.Index.Eq(want.Slot), "the slot that a draw finds")
		m.Assert(got.Priority.Eq(want.Priority), "its priority")
		m.Assert(got.Generation.Eq(want.Generation), "its generation")
	})
	m.When(due.And(want.Write), func() {
		m.Assert(got.Index.Eq(want.Slot), "the slot that a write goes to")
		m.Assert(got.Generation.Eq(want.Generation), "its generation")
	})
	m.When(due.And(want.Hit.Or(want.Miss)), func() {
		m.Assert(got.Empty.Or(got.OutOfRange).Eq(want.Miss), "a draw that finds nothing")
		m.Assert(got.Sum.Eq(want.Total), "the sum of a draw")
	})
	m.When(due.And(want.Update), func() {
		m.Assert(got.Unfilled.Or(got.Stale).Eq(want.Dropped), "an update that is dropped")
	})
}

// beside is a tree of fixed latency with the sequential object next to it.
type beside struct {
	Tree replay.Pipelined
	Find bool
}

func (b beside) Ports() besidePorts { return sequential{b.Tree.Config, b.Find}.ports() }

func (b beside) Build(m *hw.Module, p besidePorts) {
	c := sequential{b.Tree.Config, b.Find}
	now, asked := c.apply(m, p.Valid, p)
	tree := c.tree(m, b.Tree, p, asked)
	hw.Unused(m, tree.Op.Ready)
	late := b.Tree.Latency()
	due := hw.Delay(m, "due", p.Valid, late, hw.Low)
	m.Assert(tree.Result.Valid.Eq(due), "a response comes when it is due")
	same(m, due, tree.Result, hw.Delay(m, "want", now, late))
}

// before is a tree of any latency with the sequential object next to it, which does an
// operation when the tree accepts it; right responses wait in a queue.
type before struct {
	sequential
	Unit  hw.Component[replay.UnitPorts]
	Depth int // operations on their way at most
	Limit int // cycles without a result at most, while there are some
}

func (b before) Ports() besidePorts { return b.ports() }

func (b before) Build(m *hw.Module, p besidePorts) {
	fire := hw.Wire(m, "fire", hw.Bit{})
	now, asked := b.apply(m, fire, p)
	tree := b.tree(m, b.Unit, p, asked)
	fire.Set(p.Valid.And(tree.Op.Ready))

	// Few operations on their way keep the question small.
	level := hw.Reg(m, "level", hw.UpTo(b.Depth), hw.U(0))
	idle := hw.Reg(m, "idle", hw.UpTo(b.Limit), hw.U(0))
	queue := make([]response, b.Depth)
	for i := range queue {
		queue[i] = hw.Reg(m, hw.Name("want", i), hw.Like(now))
	}
	done := tree.Result.Valid
	end := hw.Mux(done, level.Dec(), level) // where an operation goes that comes now
	for i := range queue {
		if i+1 < b.Depth {
			hw.SetIf(queue[i], done, queue[i+1])
		}
		hw.SetIf(queue[i], fire.And(end.Is(i)), now)
	}
	level.Set(hw.Mux(fire, end.Inc(), end))
	idle.Set(hw.Mux(done.Or(level.Is(0)), idle.Lit(0), idle.Inc()))
	m.Assert(idle.IsLt(b.Limit), "a response comes in time")
	m.Assume(level.IsLt(b.Depth).Or(p.Valid.Not()), "the queue has room")
	m.When(done, func() { m.Assert(level.Any(), "a response has an operation") })
	same(m, done, tree.Result, queue[0])
}

func small(capacity, leaf, k, read int) replay.Pipelined {
	return replay.Pipelined{Config: replay.Config{Params: model.Params{Capacity: capacity, Leaf: leaf, Fraction: 0}, K: k, Read: read, Strata: 2}}
}

// All responses of a small tree are those of the sequential object in every run of so
// many cycles, in which resets with operations on their way may come at any time.
func TestProvedInOrder(t *testing.T) {
	for _, c := range []struct {
		tree   replay.Pipelined
		find   bool
		cycles int
		slow   bool
	}{
		{small(4, 2, 2, 1), false, 16, true},
		{small(8, 1, 2, 1), false, 20, true},
		{small(4, 1, 4, 2), false, 14, true},
		{small(4, 1, 2, 1), true, 16, false},
		{small(3, 1, 4, 2), true, 14, false},
	} {
		t.Run(fmt.Sprintf("%d leaves of %d bits/k=%d/find=%v", c.tree.Capacity, c.tree.Leaf, c.tree.K, c.find), func(t *testing.T) {
			if c.slow && testing.Short() {
				t.Skip("some seconds")
			}
			start := time.Now()
			r := equiv.Bounded(t, beside{c.tree, c.find}, c.cycles, equiv.Reset(1), equiv.Limit(time.Minute))
			require.NotNil(t, r)
			t.Log(c.cycles, "cycles,", c.tree.Latency(), "from operation to response:", r, time.Since(start).Round(time.Millisecond))
		})
	}
}

// The forms of varying latency give the sequential object's responses too.
func TestProvedOtherForms(t *testing.T) {
	for _, c := range []struct {
		form   replay.Form
		tree   replay.Config
		find   bool
		depth  int
		limit  int
		cycles int
		slow   bool
	}{
		{replay.InSeries, small(4, 1, 2, 1).Config, true, 2, 40, 40, false},
		{replay.InSeries, small(4, 1, 4, 2).Config, true, 2, 40, 40, true},
		{replay.InSeries, small(4, 1, 2, 1).Config, true, 2, 40, 50, true},
		{replay.InSeries, small(2, 2, 2, 1).Config, false, 2, 40, 32, true},
		{replay.ByScan, small(2, 2, 2, 1).Config, true, 2, 40, 22, false},
		{replay.ByScan, small(2, 1, 2, 1).Config, true, 2, 40, 30, true},
		{replay.ByScan, small(2, 2, 2, 1).Config, true, 2, 40, 28, true},
		{replay.ByScan, small(3, 1, 4, 1).Config, true, 2, 40, 28, true},
		{replay.ByScan, small(3, 1, 2, 1).Config, true, 3, 40, 24, true},
	} {
		t.Run(fmt.Sprintf("%v/%d leaves of %d bits/k=%d/find=%v/%d cycles", c.form, c.tree.Capacity, c.tree.Leaf, c.tree.K, c.find, c.cycles), func(t *testing.T) {
			if testing.Short() || c.slow && os.Getenv("ETCH_SLOW") == "" {
				t.Skip("seconds, and minutes under ETCH_SLOW=1")
			}
			unit := hw.Component[replay.UnitPorts](replay.Serial{Config: c.tree})
			if c.form == replay.ByScan {
				unit = replay.Scan{Config: c.tree, Samplers: 2}
			}
			start := time.Now()
			r := equiv.Bounded(t, before{sequential{c.tree, c.find}, unit, c.depth, c.limit}, c.cycles, equiv.Reset(1), equiv.Limit(5*time.Minute))
			require.NotNil(t, r)
			t.Log(c.cycles, "cycles:", r, time.Since(start).Round(time.Millisecond))
		})
	}
}

// The same question about trees with a mistake is answered with a run that shows it.
func TestProofFindsFlaws(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for flaw := range replay.Flaws {
		if flaw == "latched sum" {
			continue // it takes more operations
		}
		c := replay.FlawedUnit(small(4, 2, 2, 1), flaw)
		d, _, err := hw.Build(beside{c, false})
		require.NoError(t, err)
		r, err := equiv.VerifyBounded(d, 20, equiv.Reset(1), equiv.Limit(time.Minute))
		require.NoError(t, err)
		require.Equal(t, equiv.Different, r.Outcome, flaw)
	}
}
