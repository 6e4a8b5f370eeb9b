package sim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/sim/internal/simtest"
	"etch/sim/native/cpu"
	"etch/testbench/tools"
)

// randomElement is a module of some registers whose next values follow from its
// inputs, two words and an enable, and from themselves.
func randomElement(g *simtest.Gen, w int) *ir.Module {
	b := simtest.NewBuild("element")
	rst := b.AddInput("rst", 1, ir.TypeID(ir.Reset), 0)
	en := b.AddInput("en", 1, 0, 0)
	words := []ir.ID{b.AddInput("west", w, 0, 0), b.AddInput("north", w, 0, 0)}
	var regs []ir.ID
	for i := range 2 + g.IntN(3) {
		q := b.Register(fmt.Sprintf("q%d", i), w, g.Uint64()&(1<<w-1))
		if g.IntN(2) == 0 {
			r := &b.Regs[b.Node(q).Aux]
			r.Rst, r.Reset = rst, b.Number(w, g.Uint64()&(1<<w-1))
		}
		regs = append(regs, q)
	}
	words = append(words, regs...)
	pick := func() ir.ID { return words[g.IntN(len(words))] }
	for range 3 + g.IntN(8) {
		var x ir.ID
		switch g.IntN(9) {
		case 0:
			x = b.Put(ir.Add, w, pick(), pick())
		case 1:
			x = b.Put(ir.Sub, w, pick(), pick())
		case 2:
			x = b.Cut(b.Put(ir.MulS, 2*w, pick(), pick()), 0, w)
		case 3:
			x = b.Put(ir.Xor, w, pick(), b.Put(ir.Not, w, pick()))
		case 4:
			x = b.Put(ir.Mux, w, b.Put(ir.LtS, 1, pick(), pick()), pick(), pick())
		case 5:
			x = b.Put(ir.Mux, w, b.Put(ir.Eq, 1, pick(), pick()), pick(), b.Number(w, 1))
		case 6:
			x = b.Put(ir.Mux, w, en, pick(), pick())
		case 7:
			x = b.Put(ir.SExt, w, b.Cut(pick(), g.IntN(w/2), w/2))
		case 8:
			x = b.Put(ir.Cat, w, b.Cut(pick(), 0, w-1), b.Cut(pick(), w-1, 1))
		}
		words = append(words, x)
	}
	for i, q := range regs {
		x := words[len(words)-1-i]
		if g.IntN(3) == 0 {
			x = b.Put(ir.Mux, w, en, x, q)
		}
		b.Feed(q, x)
	}
	b.AddOutput("east", w, 0, regs[0], 0)
	b.AddOutput("south", w, 0, regs[len(regs)-1], 0)
	return b.Module
}

// randomGrid is elements in rows and columns: words pass to the right and down,
// around the edges in some grids, and those at the edges come from noise.
func randomGrid(seed uint64) *ir.Design {
	g := &simtest.Gen{Rand: simtest.NewRand(seed)}
	w := []int{2, 5, 8, 13, 16, 24, 32, 40}[g.IntN(8)]
	rows, cols := 1+g.IntN(9), 2+g.IntN(20)
	pe := randomElement(g, w)
	b := simtest.NewBuild("grid")
	rst := b.AddInput("rst", 1, ir.TypeID(ir.Reset), 0)
	noise := b.Noise("noise", 0x9e3779b97f4a7c15+seed)
	en := b.Cut(noise, 60, 1)
	row := make([]ir.ID, cols)
	for j := range row {
		row[j] = b.Cut(noise, j%20, w)
	}
	last := b.Register("last", w, 0) // of the row above: a ring through all elements
	east := b.Cut(noise, 7, w)
	for i := range rows {
		if g.IntN(2) == 0 {
			east = b.Cut(noise, i%16, w)
		}
		if i == 0 && g.IntN(2) == 0 {
			east = last
		}
		for j := range cols {
			out := b.Child(fmt.Sprintf("e_%d_%d", i, j), pe, b.Clk, rst, en, east, row[j])
			east, row[j] = out[0], out[1]
		}
	}
	b.Feed(last, east)
	x := row[0]
	for _, y := range row[1:] {
		x = b.Put(ir.Xor, w, b.Rotated(x, w), y)
	}
	c := b.Register("c", 64, 0)
	b.Feed(c, b.Put(ir.Xor, 64, b.Rotated(c, 64), b.Put(ir.ZExt, 64, x)))
	b.AddOutput("check", 64, 0, c, 0)
	return simtest.Design(b, pe)
}

// TestArraysInLockstep runs random arrays of equal instances, in calls of one and
// of several cycles, with pokes between them, under both engines.
func TestArraysInLockstep(t *testing.T) {
	t.Run("all features", arraysInLockstep)
	defer sim.Mask(func(f *cpu.Features) { f.AVX2, f.AVX512, f.VBMI = false, false, false })()
	t.Run("no vectors", arraysInLockstep)
}

func arraysInLockstep(t *testing.T) {
	for seed := range uint64(tools.Trials(120, 30)) {
		d := randomGrid(seed)
		s, err := sim.New(d, sim.WithEngine(sim.Lockstep), sim.WithSeed(seed), policyOf(seed))
		if err != nil {
			t.Skip(err)
		}
		g := &simtest.Gen{Rand: simtest.NewRand(seed)}
		q := simtest.Sig(t, s, "e_0_1.q0")
		rst := simtest.Sig(t, s, "rst")
		for range 6 {
			require.NoError(t, s.Set(rst, uint64(g.IntN(2))))
			s.Step(1)
			require.NoError(t, s.Set(rst, 0))
			s.Step(1 + g.IntN(4))
			require.NoError(t, s.Poke(q, g.Value(q.Width())))
			require.NoError(t, s.Err(), "seed %d", seed)
			s.Step(20)
			require.NoError(t, s.Err(), "seed %d", seed)
		}
		require.NoError(t, s.Close())
	}
}

// TestArraysInLongRuns compares the engines after runs of many cycles, which the
// native one does in several calls.
func TestArraysInLongRuns(t *testing.T) {
	for seed := range uint64(25) {
		d := randomGrid(seed)
		fast, err := sim.New(d, sim.WithEngine(sim.Native), sim.WithSeed(seed))
		if err != nil {
			t.Skip(err)
		}
		slow, err := sim.New(d, sim.WithEngine(sim.Interpreter), sim.WithSeed(seed))
		require.NoError(t, err)
		for _, n := range []int{1, 15, 300, 40} {
			fast.Step(n)
			slow.Step(n)
			for x := range slow.Signals() {
				require.Equal(t, slow.GetBits(x), fast.GetBits(simtest.Sig(t, fast, x.Name())), "seed %d: %s", seed, x.Name())
			}
		}
		require.NoError(t, fast.Close())
	}
}
