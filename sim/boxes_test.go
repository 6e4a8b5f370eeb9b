package sim_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/choose"
	"etch/sim/internal/program"
	"etch/sim/internal/simtest"
	"etch/sim/replay"
	"etch/testbench/randcircuit"
)

// scramble is a Model without meaning: outputs mix the state with the inputs that they depend on, and
// edges mix all inputs into the state.
type scramble struct {
	outs    []int // widths
	mealy   uint64
	state   uint64
	ticks   int
	clocked []bool // by input: a clock, which is 0
}

func mix(x, y uint64) uint64 {
	x = (x ^ y) * 0x9e3779b97f4a7c15
	return x ^ x>>29
}

func fold(v bits.Value) (x uint64) {
	words := make([]uint64, bits.WordCount(v.Width()))
	v.CopyTo(words)
	for _, w := range words {
		x = mix(x, w)
	}
	return x
}

// Depends is a seventh of the pairs of a box, or none.
func (m *scramble) Depends(out, in int) bool {
	return m.mealy != 0 && !m.clocked[in] && mix(m.mealy, uint64(out*64+in))%7 == 0
}

func (m *scramble) Eval(in, out []bits.Value) {
	for o, width := range m.outs {
		x := mix(m.state, uint64(o))
		for i := range in {
			if m.Depends(o, i) {
				x = mix(x, fold(in[i]))
			}
		}
		words := make([]uint64, bits.WordCount(width))
		for k := range words {
			x = mix(x, uint64(k))
			words[k] = x
		}
		out[o] = bits.FromWords(width, words)
	}
}

func (m *scramble) Tick(clock int, in []bits.Value) {
	m.ticks++
	m.state = mix(m.state, uint64(clock))
	for _, v := range in {
		m.state = mix(m.state, fold(v))
	}
}

func (m *scramble) Save() any      { return m.state }
func (m *scramble) Load(state any) { m.state = state.(uint64) }

// boxesOf appends the black boxes below a module that are not in list yet.
func boxesOf(list []*ir.Module, m *ir.Module) []*ir.Module {
	for _, inst := range m.Insts {
		switch below := inst.Mod; {
		case below.Extern == nil:
			list = boxesOf(list, below)
		case !slices.Contains(list, below):
			list = append(list, below)
		}
	}
	return list
}

// scrambled is options that give every black box of a design such a Model.
func scrambled(d *ir.Design, mealy uint64, made *[]*scramble) (options []sim.Option) {
	for _, m := range boxesOf(nil, d.Top) {
		options = append(options, sim.WithModel(m.Name, func() program.Model {
			x := &scramble{mealy: mealy}
			for _, port := range m.Ports {
				if port.Dir == ir.In {
					x.clocked = append(x.clocked, m.TypeOf(port.Type).Kind == ir.Clock)
				} else {
					x.outs = append(x.outs, port.Width)
				}
			}
			*made = append(*made, x)
			return x
		}))
	}
	return options
}

// TestBoxesInCode: machine code with black boxes computes what the interpreter does, with inputs set,
// edges of single clocks, looks between them, snapshots and statements that stop the code.
func TestBoxesInCode(t *testing.T) {
	ran, native := 0, 0
	n := 400
	if testing.Short() {
		n = 100
	}
	narrow := randcircuit.Widths[:slices.Index(randcircuit.Widths, 128)+1] // wider divisions have no code
	for seed := range uint64(n) {
		c := randcircuit.Config{Nodes: 50, Widths: narrow, Modules: 1 + int(seed%4), State: true, Stmts: seed%3 == 0, Extern: true, Control: seed%5 == 0, Falls: seed%7 == 0, Latches: seed%11 == 0, Calm: true}
		d := randcircuit.Design(seed, c)
		mealy := seed % 3 * 77
		var made, other []*scramble
		a, err := sim.New(d, append(scrambled(d, mealy, &made), sim.WithEngine(sim.Interpreter), sim.WithOutput(io.Discard))...)
		if err != nil {
			require.ErrorContains(t, err, "combinational loop")
			continue
		}
		if len(made) == 0 {
			continue
		}
		ran++
		options := append(scrambled(d, mealy, &other), sim.WithEngine(sim.Native), sim.WithOutput(io.Discard))

		// Code that keeps values from call to call must see outputs of boxes change.
		switch seed % 4 {
		case 1:
			options = append(options, sim.WithPolicy(choose.EagerParts()))
		case 2:
			options = append(options, sim.WithPolicy(choose.Eager()))
		}
		b, err := sim.New(d, options...)
		require.NoError(t, err)
		b.Record(1 << 20)
		inCode(t, fmt.Sprint("seed ", seed), a, b, seed)

		// What machine code has recorded of the boxes leads a replay to the same values.
		run, err := replay.Of(b.Recorded())
		require.NoError(t, err)
		_, last := run.Cycles()
		require.NoError(t, run.Go(last))
		same(t, fmt.Sprint("replay of seed ", seed), a, run.Sim())
		if b.Engine() == sim.Native {
			native++
		}
		for i := range made {
			require.Equal(t, made[i].ticks, other[i].ticks, "seed %d", seed)
		}
		require.NoError(t, b.Close())
	}
	t.Logf("%d designs, %d in machine code", ran, native)
	require.Greater(t, native, ran/2)
}

// inCode drives two simulators of one design alike and compares all signals.
func inCode(t *testing.T, name string, a, b *sim.Sim, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 9))
	var clocks, inputs [2][]sim.Signal
	for k, s := range []*sim.Sim{a, b} {
		for _, p := range s.Root().Signals() {
			switch {
			case p.IsClock():
				clocks[k] = append(clocks[k], p)
			case p.IsInput():
				inputs[k] = append(inputs[k], p)
			}
		}
	}
	var snaps [2]*sim.Snapshot
	for range 30 {
		for i, in := range inputs[0] {
			if rng.IntN(2) == 0 {
				v := randcircuit.Value(rng, in.Width())
				require.NoError(t, a.SetBits(in, v))
				require.NoError(t, b.SetBits(inputs[1][i], v))
			}
		}
		switch k := rng.IntN(8); {
		case k == 0 && len(clocks[0]) > 0:
			i, n := rng.IntN(len(clocks[0])), 1+rng.IntN(3)
			a.Tick(clocks[0][i], n)
			b.Tick(clocks[1][i], n)
		case k == 1:
			var err error
			snaps[0], err = a.Snapshot()
			require.NoError(t, err)
			snaps[1], err = b.Snapshot()
			require.NoError(t, err)
		case k == 2 && snaps[0] != nil:
			require.NoError(t, a.Restore(snaps[0]))
			require.NoError(t, b.Restore(snaps[1]))
		default:
			n := 1 + rng.IntN(20)>>rng.IntN(4)
			a.Step(n)
			b.Step(n)
		}
		if rng.IntN(3) > 0 {
			same(t, name, a, b)
		}
	}
	same(t, name, a, b)
}

// same compares all signals of two simulators of one design.
func same(t *testing.T, name string, a, b *sim.Sim) {
	t.Helper()
	require.Equal(t, a.Cycles(), b.Cycles(), name)
	for x := range a.Signals() {
		if strings.Contains(x.Name(), "%") {
			continue
		}
		y, err := b.Signal(x.Name())
		require.NoError(t, err)
		require.Equal(t, a.GetBits(x), b.GetBits(y), "%s: %s in cycle %d", name, x.Name(), a.Cycles())
	}
}

// BenchmarkBoxes is a cycle of 3,000 operations with a black box, whose Model takes little time, in
// each engine.
func BenchmarkBoxes(b *testing.B) {
	for _, engine := range []sim.Engine{sim.Interpreter, sim.Native} {
		b.Run("engine="+engine.String(), func(b *testing.B) {
			box := ir.NewModule("box", ir.NewSources())
			box.Extern = &ir.Extern{Module: "BOX"}
			box.AddInput("in", 64, 0, 0)
			box.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
			box.AddOutput("out", 64, 0, ir.None, 0)
			top := simtest.NewBuild("top")
			sum := top.Noise("n", 1)
			for i := range 500 {
				sum = top.Put(ir.Xor, 64, sum, top.Noise(fmt.Sprint("n", i), uint64(i+2)))
			}
			out := top.Child("box", box, sum, top.Clk)
			top.AddOutput("out", 64, 0, top.Put(ir.Add, 64, out[0], sum), 0)

			d, made := simtest.Design(top, box), []*scramble{}
			s, err := sim.New(d, append(scrambled(d, 0, &made), sim.WithEngine(engine))...)
			require.NoError(b, err)
			defer s.Close()
			s.Step(5000)
			for b.Loop() {
				s.Step(1)
			}
		})
	}
}
