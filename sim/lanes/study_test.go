package lanes_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/choose"
	"etch/sim/internal/drive"
	"etch/sim/internal/simtest"
	"etch/sim/lanes"
	"etch/sim/lanes/internal/code"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

// TestLaneBodies runs designs with control state in lanes that have bodies for it,
// and every lane in a simulator of its own, with inputs that are the same in all
// lanes for most of the time.
func TestLaneBodies(t *testing.T) {
	seeds := 16
	if testing.Short() {
		seeds = tools.Trials(5, 3)
	}
	studied, used, best := 0, 0, 0.0
	for seed := range uint64(seeds) {
		d := randcircuit.Control(seed)
		n := []int{16, 20, 5, 64}[seed%4]
		b, ok := studyBench(t, d, seed, n)
		if !ok {
			continue
		}
		studied++
		b.follow(t, seed)
		if within, share := b.l.Bodies(); within {
			used++
			best = max(best, share)
		}
		require.NoError(t, b.l.Close())
	}
	if !code.Best(drive.Features).Native {
		t.Skip("no bodies for lanes without machine code")
	}
	t.Logf("of %d designs %d have control state and %d ended with bodies", seeds, studied, used)
	require.Greater(t, studied, seeds/2)
	require.Greater(t, used, studied/4)
	require.Greater(t, best, 0.9, "of the cycles of lanes that agree")
}

// studyBench makes lanes that study at once, and simulators.
func studyBench(t *testing.T, d *ir.Design, seed uint64, n int, with ...sim.Option) (*laneBench, bool) {
	b := &laneBench{Gen: &simtest.Gen{Rand: simtest.NewRand(seed ^ 0xb0d1e5)}, d: d, before: make([][]sim.Failure, n)}
	opts := append(with, lanes.WithWorkers(1+int(seed%2)))
	l, err := lanes.New(d, n, append(opts, sim.WithOutput(b))...)
	require.NoError(t, err)
	b.l = l
	if !l.StudyEagerly() {
		require.NoError(t, l.Close())
		return nil, false
	}
	for range n {
		out := &bytes.Buffer{}
		s, err := sim.New(d, append(opts, sim.WithOutput(out))...)
		require.NoError(t, err)
		b.each, b.said = append(b.each, s), append(b.said, out)
	}
	return b, true
}

// follow makes many cycles and compares from time to time.
func (b *laneBench) follow(t *testing.T, seed uint64) {
	for round := range 24 {
		if round%8 == 0 {
			b.same(t)
		}
		if round%11 == 10 {
			b.drive(t)
		}
		k := []int{1, 40, 2000, 300}[b.IntN(4)]
		b.l.Step(k)
		for _, s := range b.each {
			s.Step(k)
		}
		b.compare(t, b.l.Design().Top.Name)
	}
	b.compareFailures(t, "bodies")
	b.comparePrints(t, "bodies")
}

// same drives all inputs, those of all lanes alike.
func (b *laneBench) same(t *testing.T) {
	for i, p := range b.d.Top.Ports {
		if sig := b.l.Top()[i]; sig.IsInput() {
			v := b.Value(p.Width)
			for lane, s := range b.each {
				require.NoError(t, s.SetBits(s.Top()[i], v))
				require.NoError(t, b.l.SetBits(sig, lane, v))
			}
		}
	}
}

// TestLaneBodiesOfTables runs a design whose control state chooses from tables in
// many bits, which lanes have as gates before there are bodies.
func TestLaneBodiesOfTables(t *testing.T) {
	m := ir.NewModule("tables", ir.NewSources())
	g := &tableDesign{m, m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)}
	in := m.AddInput("in", 32, 0, 0)
	small, large := g.chosen("pc", 4, 1), g.chosen("count", 9, 7)
	var regs []ir.ID
	for i := range 200 {
		regs = append(regs, m.AddReg(fmt.Sprintf("b%d", i), 1, 0, g.clk, 0))
	}
	for i, r := range regs {
		when := g.two(ir.Eq, 1, small, g.c(3, uint64(i)&7))
		if i == 5 {
			when = g.bit(large, 1)
		}
		x := g.two(ir.Xor, 1, g.two(ir.Xor, 1, regs[(i*7+3)%200], regs[(i*13+5)%200]), g.bit(in, i%32))
		m.Regs[m.Node(r).Aux].Next = m.Add(ir.Node{Op: ir.Mux, Width: 1}, when, x, regs[(i+1)%200])
	}
	m.AddOutput("out", 64, 0, m.Add(ir.Node{Op: ir.Cat, Width: 64}, regs[:64]...), 0)
	b, ok := studyBench(t, &ir.Design{Top: m, Modules: []*ir.Module{m}, Src: m.Src}, 0, 20)
	if !ok {
		t.Skip("no bodies for lanes on this machine")
	}
	b.follow(t, 0)
	require.NoError(t, b.l.Close())
}

type tableDesign struct {
	m   *ir.Module
	clk ir.ID
}

func (g *tableDesign) c(w int, v uint64) ir.ID { return g.m.Const(bits.New(w, v), 0) }

func (g *tableDesign) two(op ir.Op, w int, x, y ir.ID) ir.ID {
	return g.m.Add(ir.Node{Op: op, Width: int32(w)}, x, y)
}

func (g *tableDesign) bit(x ir.ID, k int) ir.ID {
	return g.m.Add(ir.Node{Op: ir.Slice, Width: 1, Aux: int32(k)}, x)
}

// chosen is a word of three bits that a counter of w bits chooses.
func (g *tableDesign) chosen(name string, w int, step uint64) ir.ID {
	at := g.m.AddReg(name, w, 0, g.clk, 0)
	g.m.Regs[g.m.Node(at).Aux].Next = g.two(ir.Add, w, at, g.c(w, step))
	var keys []bits.Value
	args := []ir.ID{at, g.c(3, 0)}
	for i := range uint64(1) << w {
		keys = append(keys, bits.New(w, i))
		args = append(args, g.c(3, (i*i*7+i>>3+1)&7))
	}
	return g.m.AddCase(3, 0, keys, args...)
}

// TestNoLaneBodies runs a design with a register that chooses, but for whose states
// there is nothing to gain: the study gives up.
func TestNoLaneBodies(t *testing.T) {
	m := simtest.NewBuild("chooser")
	choice, noise, sum := m.Register("choice", 2, 0), m.Noise("noise", 77), m.Register("sum", 64, 1)
	m.Feed(choice, m.Put(ir.Mux, 2, m.Cut(noise, 3, 1), m.Cut(noise, 9, 2), choice))
	x := noise
	for i := range uint64(40) {
		x = m.Put(ir.Xor, 64, m.Put(ir.Add, 64, x, m.Number(64, i*0x123457)), m.Rotated(x, 64))
	}
	m.Feed(sum, m.Put(ir.Add, 64, x, m.Put(ir.Mux, 64, m.Cut(choice, 0, 1), x, sum)))
	m.AddOutput("out", 64, 0, sum, 0)
	b, ok := studyBench(t, simtest.Design(m), 0, 20)
	if !ok {
		t.Skip("no bodies for lanes on this machine")
	}
	b.follow(t, 0)
	within, _ := b.l.Bodies()
	require.False(t, within)
	require.NoError(t, b.l.Close())
}

// TestLanesDecideAlike runs the same lanes twice, the second time with pauses. Without contests,
// both make the same plans and bodies in the same cycles.
func TestLanesDecideAlike(t *testing.T) {
	if !code.Best(drive.Features).Native {
		t.Skip("no bodies for lanes without machine code")
	}

	// Learning begins early, and contests end as they are told to.
	p := choose.Standard()
	p.Lanes.Start, p.Lanes.Waste, p.Lanes.Better, p.Apart.After = 1e5, 1e5, math.Inf(1), math.Inf(1)

	bodies := 0
	for seed := range uint64(6) {
		var runs [2][]string
		for i := range runs {
			l, err := lanes.New(randcircuit.Control(seed), 20, sim.WithSeed(seed), sim.WithPolicy(p))
			require.NoError(t, err)
			for _, n := range []int{3000, 1, 40, 20_000, 500, 60_000} {
				if i == 1 {
					time.Sleep(3 * time.Millisecond)
				}
				l.Step(n)
				runs[i] = append(runs[i], l.Decisions())
			}
			if within, _ := l.Bodies(); within {
				bodies++
			}
			require.NoError(t, l.Close())
		}
		require.Equal(t, runs[0], runs[1], "seed %d", seed)
	}
	require.Positive(t, bodies, "nothing was decided")
}
