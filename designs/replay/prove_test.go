package replay_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/replay"
	"etch/designs/replay/model"
	"etch/hw"
	"etch/testbench/equiv"
)

// beside is a tree of a few leaves with a sequential object next to it, described
// without rows: registers of leaves and their running sums.
type beside struct {
	Tree replay.Pipelined
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

func (b beside) Ports() besidePorts {
	c := b.Tree
	return besidePorts{
		Valid: hw.In(hw.Bit{}), Kind: hw.In(hw.EnumOf(model.Kinds()...)), Index: hw.In(hw.Unsigned(max(1, c.IndexBits()))),
		Generation: hw.In(hw.Bit{}), Priority: hw.In(hw.Unsigned(c.Leaf)), Target: hw.In(hw.Unsigned(c.SumBits())), Random: hw.In(hw.Unsigned(c.DrawBits())),
	}
}

func (b beside) Build(m *hw.Module, p besidePorts) {
	c := b.Tree
	n, w, u := c.Capacity, c.SumBits(), c.DrawBits()
	is := func(k ...model.Kind) hw.Bit { return p.Valid.And(p.Kind.Is(k...)) }

	leaf := make([]hw.UInt, n)
	sums := []hw.UInt{hw.Zeros(w)}
	for i := range leaf {
		leaf[i] = hw.Reg(m, hw.Name("leaf", i), hw.Unsigned(c.Leaf), hw.U(0))
		sums = append(sums, sums[i].Add(leaf[i].Extend(w)))
	}
	total := sums[n]
	count := hw.Reg(m, "count", hw.UpTo(n), hw.U(0))
	head := hw.Reg(m, "head", hw.Unsigned(c.IndexBits()), hw.U(0))
	lap := hw.Reg(m, "lap", hw.Unsigned(8), hw.U(0))
	top := hw.Reg(m, "max", hw.Unsigned(c.Leaf), hw.U(1<<c.Fraction))

	// The operation's effect.
	insert, update, clear := is(model.Insert, model.InsertMax), is(model.Update), is(model.Clear)
	generation := func(i hw.UInt) hw.UInt { return hw.Mux(i.Lt(head), lap, lap.Dec()) }
	asked := hw.Cat(p.Generation, lap.Lit(0).Range(6, 0)).RotL(1).Xor(generation(p.Index)) // right, or one bit wrong
	kept := update.And(p.Index.Extend(w + 1).Lt(count.Extend(w + 1))).AndNot(p.Generation)
	value := hw.Mux(p.Kind.Is(model.InsertMax), top, p.Priority)
	at := hw.Mux(insert, head, p.Index)
	write := insert.Or(kept)
	for i := range leaf {
		leaf[i].SetIf(write.And(at.Is(i)), value)
		leaf[i].SetIf(clear, hw.U(0))
	}
	top.SetIf(write.And(value.Gt(top)), value)
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
	x := hw.Mux(p.Kind.Is(model.Find), p.Target, p.Random.Mul(total).Range(u+w-1, u))
	if b.Find {
		x = p.Target
	}
	draw := is(model.Sample, model.Find)
	var passed []hw.Bit
	for i := range n - 1 {
		passed = append(passed, sums[i+1].Le(x))
	}
	found := hw.FromBits(passed...).PopCount()
	found = hw.Mux(found.IsGe(n), found.Lit(0), found)
	slot := found.Extend(max(found.Width(), c.IndexBits())).Trunc(c.IndexBits())
	miss := x.Ge(total)
	hit := draw.AndNot(miss)

	if b.Find {
		m.Assume(p.Kind.IsNot(model.Sample), "finds only")
	}
	tree := hw.Inst(m, "tree", hw.Component[replay.UnitPorts](b.Tree))
	tree.Op.Send(p.Valid, replay.Operation{
		Kind: p.Kind, Index: p.Index, Generation: asked, Priority: p.Priority,
		Stratum: hw.Zeros(1), Strata: hw.Zeros(1), Target: p.Target,
	})
	hw.Unused(m, tree.Op.Ready)
	tree.Random.Set(hw.Delay(m, "random", p.Random, c.Read+2))
	late := func(name string, x hw.UInt) hw.UInt { return hw.Delay(m, name, x, c.Latency()) }
	flag := func(name string, x hw.Bit) hw.Bit { return hw.Delay(m, name, x, c.Latency(), hw.Low) }

	m.Assert(tree.Result.Valid.Eq(flag("expected", p.Valid)), "a response comes when it is due")
	m.When(flag("hit", hit), func() {
		m.Assert(tree.Result.Index.Eq(late("slot", slot)), "the slot that a draw finds")
		m.Assert(tree.Result.Priority.Eq(late("priority", hw.Vec[hw.UInt](leaf).At(slot))), "its priority")
		m.Assert(tree.Result.Generation.Eq(late("generation", generation(slot))), "its generation")
	})
	m.When(flag("wrote", write), func() {
		m.Assert(tree.Result.Index.Eq(late("written", at)), "the slot that a write goes to")
		m.Assert(tree.Result.Generation.Eq(late("born", hw.Mux(insert, lap, generation(at)))), "its generation")
	})
	m.When(flag("drew", draw), func() {
		m.Assert(tree.Result.Empty.Or(tree.Result.OutOfRange).Eq(flag("miss", miss)), "a draw that finds nothing")
		m.Assert(tree.Result.Sum.Eq(late("total", total)), "the sum of a draw")
	})
	m.When(flag("updated", update), func() {
		m.Assert(tree.Result.Unfilled.Or(tree.Result.Stale).Eq(flag("dropped", update.AndNot(kept))), "an update that is dropped")
	})
	hw.Unused(m, tree.Result.Unfilled)
	hw.Unused(m, tree.Filling)
	hw.Unused(m, tree.Step)
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
