package sim_test

import (
	"fmt"
	"testing"

	"etch/ir"
	"etch/sim"
	"etch/sim/native/cpu"
	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

// randomElement is a module of some registers whose next values follow from its
// inputs, two words and an enable, and from themselves.
func randomElement(g *gen, w int) *ir.Module {
	b := newBuild("element")
	rst := b.AddInput("rst", 1, ir.TypeID(ir.Reset), 0)
	en := b.AddInput("en", 1, 0, 0)
	words := []ir.ID{b.AddInput("west", w, 0, 0), b.AddInput("north", w, 0, 0)}
	var regs []ir.ID
	for i := range 2 + g.IntN(3) {
		q := b.reg(fmt.Sprintf("q%d", i), w, g.Uint64()&(1<<w-1))
		if g.IntN(2) == 0 {
			r := &b.Regs[b.Node(q).Aux]
			r.Rst, r.Reset = rst, b.konst(w, g.Uint64()&(1<<w-1))
		}
		regs = append(regs, q)
	}
	words = append(words, regs...)
	pick := func() ir.ID { return words[g.IntN(len(words))] }
	for range 3 + g.IntN(8) {
		var x ir.ID
		switch g.IntN(9) {
		case 0:
			x = b.node(ir.Add, w, pick(), pick())
		case 1:
			x = b.node(ir.Sub, w, pick(), pick())
		case 2:
			x = b.slice(b.node(ir.MulS, 2*w, pick(), pick()), 0, w)
		case 3:
			x = b.node(ir.Xor, w, pick(), b.node(ir.Not, w, pick()))
		case 4:
			x = b.node(ir.Mux, w, b.node(ir.LtS, 1, pick(), pick()), pick(), pick())
		case 5:
			x = b.node(ir.Mux, w, b.node(ir.Eq, 1, pick(), pick()), pick(), b.konst(w, 1))
		case 6:
			x = b.node(ir.Mux, w, en, pick(), pick())
		case 7:
			x = b.node(ir.SExt, w, b.slice(pick(), g.IntN(w/2), w/2))
		case 8:
			x = b.node(ir.Cat, w, b.slice(pick(), 0, w-1), b.slice(pick(), w-1, 1))
		}
		words = append(words, x)
	}
	for i, q := range regs {
		x := words[len(words)-1-i]
		if g.IntN(3) == 0 {
			x = b.node(ir.Mux, w, en, x, q)
		}
		b.next(q, x)
	}
	b.AddOutput("east", w, 0, regs[0], 0)
	b.AddOutput("south", w, 0, regs[len(regs)-1], 0)
	return b.Module
}

// randomGrid is elements in rows and columns: words pass to the right and down,
// around the edges in some grids, and those at the edges come from noise.
func randomGrid(seed uint64) *ir.Design {
	g := &gen{Rand: newRand(seed)}
	w := []int{2, 5, 8, 13, 16, 24, 32, 40}[g.IntN(8)]
	rows, cols := 1+g.IntN(9), 2+g.IntN(20)
	pe := randomElement(g, w)
	b := newBuild("grid")
	rst := b.AddInput("rst", 1, ir.TypeID(ir.Reset), 0)
	noise := b.noise("noise", 0x9e3779b97f4a7c15+seed)
	en := b.slice(noise, 60, 1)
	row := make([]ir.ID, cols)
	for j := range row {
		row[j] = b.slice(noise, j%20, w)
	}
	last := b.reg("last", w, 0) // of the row above: a ring through all elements
	east := b.slice(noise, 7, w)
	for i := range rows {
		if g.IntN(2) == 0 {
			east = b.slice(noise, i%16, w)
		}
		if i == 0 && g.IntN(2) == 0 {
			east = last
		}
		for j := range cols {
			out := b.instance(fmt.Sprintf("e_%d_%d", i, j), pe, b.clk, rst, en, east, row[j])
			east, row[j] = out[0], out[1]
		}
	}
	b.next(last, east)
	x := row[0]
	for _, y := range row[1:] {
		x = b.node(ir.Xor, w, b.rotated(x, w), y)
	}
	c := b.reg("c", 64, 0)
	b.next(c, b.node(ir.Xor, 64, b.rotated(c, 64), b.node(ir.ZExt, 64, x)))
	b.AddOutput("check", 64, 0, c, 0)
	return design(b, pe)
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
		g := &gen{Rand: newRand(seed)}
		q := sig(t, s, "e_0_1.q0")
		rst := sig(t, s, "rst")
		for range 6 {
			require.NoError(t, s.Set(rst, uint64(g.IntN(2))))
			s.Step(1)
			require.NoError(t, s.Set(rst, 0))
			s.Step(1 + g.IntN(4))
			require.NoError(t, s.Poke(q, g.value(q.Width())))
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
				require.Equal(t, slow.GetBits(x), fast.GetBits(sig(t, fast, x.Name())), "seed %d: %s", seed, x.Name())
			}
		}
		require.NoError(t, fast.Close())
	}
}
