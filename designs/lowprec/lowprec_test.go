package lowprec

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/float"
	"etch/hw"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/lanes"
	"etch/testbench"
)

// bench runs a unit on a list of elements, one in every cycle, in lanes.
type bench struct {
	t       testing.TB
	lanes   *lanes.Lanes
	latency int
}

const width = 256

func newBench[P any](t testing.TB, c hw.Component[P], latency int, still map[string]uint64) *bench {
	t.Helper()
	d, _, err := hw.Build(c)
	require.NoError(t, err)
	require.Empty(t, hw.Warnings(d))
	l, err := lanes.New(d, width)
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	b := &bench{t, l, latency}
	if latency > 0 {
		require.NoError(t, l.SetAll(b.signal("en"), 1))
	}
	for name, v := range still {
		require.NoError(t, l.SetAll(b.signal(name), v))
	}
	return b
}

func (b *bench) signal(name string) sim.Signal {
	s, err := b.lanes.Signal(name)
	require.NoError(b.t, err, name)
	return s
}

// run feeds elements, each a list of values of the inputs, and compares outputs with those
// of the model.
func (b *bench) run(in, out []string, elements [][]uint64, model func(x []uint64) []uint64) {
	b.t.Helper()
	ins, outs := b.signals(in), b.signals(out)
	rows := (len(elements) + width - 1) / width
	column := make([]uint64, width)
	for row := range rows + b.latency {
		for i, sig := range ins {
			for lane := range column {
				column[lane] = elements[min(row*width+lane, len(elements)-1)][i]
			}
			require.NoError(b.t, b.lanes.SetSlice(sig, column))
		}
		b.lanes.Step(min(1, b.latency))
		done := row - b.latency + 1
		if b.latency == 0 {
			done = row
		}
		if done < 0 || done >= rows {
			continue
		}
		got := make([][]uint64, len(outs))
		for i, sig := range outs {
			got[i] = make([]uint64, width)
			require.NoError(b.t, b.lanes.GetSlice(sig, got[i]))
		}
		for lane := 0; lane < width && done*width+lane < len(elements); lane++ {
			x := elements[done*width+lane]
			for i, want := range model(x) {
				if got[i][lane] != want {
					b.t.Fatalf("%v = %x: %s is %x, the model says %x", in, x, out[i], got[i][lane], want)
				}
			}
		}
	}
	require.NoError(b.t, b.lanes.Err())
}

func (b *bench) signals(names []string) (list []sim.Signal) {
	for _, name := range names {
		list = append(list, b.signal(name))
	}
	return list
}

// elements are tuples of codes: any, of a size as in training, subnormal, zero, special.
func elements(f float.Format, n, width int, seed uint64) (list [][]uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range n {
		x := make([]uint64, width)
		for i := range x {
			switch r.IntN(8) {
			case 0:
				x[i] = r.Uint64() & (1<<f.Width() - 1)
			case 1:
				x[i] = r.Uint64() & (1<<f.Frac - 1)
			case 2:
				x[i] = []uint64{0, f.Neg(0), f.Inf(false), f.Inf(true), f.NaN(), f.Greatest(false), 1}[r.IntN(7)]
			default:
				x[i] = f.Code(r.NormFloat64() * []float64{1, .1, 1e-3}[r.IntN(3)])
			}
		}
		list = append(list, x)
	}
	return list
}

func count(n int) int {
	if testing.Short() {
		return n / 8
	}
	return n
}

// variants are formats and latencies.
func variants() []Numbers {
	return []Numbers{
		Half(),
		{Format: float.F16},
		{Format: float.BF16, Add: 1, Mul: 1, Div: 2, Hypot: 3},
	}
}

var (
	stateIn  = []string{"g", "state_theta", "state_c", "state_m", "state_w"}
	stateOut = []string{"next_theta", "next_c", "next_m", "next_w", "finite"}
)

func stateOf(x []uint64) State[uint64] { return State[uint64]{x[0], x[1], x[2], x[3]} }

func (s State[V]) list() []V { return []V{s.Theta, s.C, s.M, s.W} }

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Every method in every variant is the model's, in the simulator's lanes.
func TestOptimizer(t *testing.T) {
	for i, n := range variants() {
		for _, c := range []Optimizer{
			{n, HAdam, Divided, true, .9, .999, Moments{}}, {n, HAdam, Folded, false, .9, .999, Moments{}}, {n, Adam, Divided, false, .8, .99, Moments{}}, {n, Adam, Folded, true, .9, .999, Moments{}},
		} {
			k := c.StepConstants(i+2, 1e-3, 1e-8, 1e4)
			b := newBench(t, c, c.Latency(), map[string]uint64{"step_first": k.First, "step_second": k.Second, "step_epsilon": k.Epsilon, "step_rate": k.Rate})
			b.run(stateIn, stateOut, elements(n.Format, count(3000), 5, uint64(i)), func(x []uint64) []uint64 {
				s := c.Next(stateOf(x[1:]), x[0], k)
				f := Detector{Format: n.Format}
				return append(s.list(), bit(!f.Finds(s.list())))
			})
		}
	}
}

// moments are optimisers whose moments have formats of their own: wider, narrower, with another range.
func moments() []Optimizer {
	wide, e8m7 := Own{Exp: 5, Frac: 13}, Own(float.BF16)
	return []Optimizer{
		{Half(), HAdam, Divided, true, .9, .999, Moments{W: wide}},
		{Half(), HAdam, Folded, false, .9, .999, Moments{M: wide, W: wide}},
		{Numbers{Format: float.F16, Convert: 1}, Adam, Divided, true, .9, .999, Moments{M: e8m7, W: e8m7}},
		{Numbers{Format: float.BF16}, HAdam, Divided, false, .9, .999, Moments{W: Own(float.F32)}},
		{Numbers{Format: float.F16}, Adam, Folded, true, .9, .99, Moments{M: Own(float.E5M2)}},
	}
}

// ownElements are gradients and states, with moments in their formats.
func ownElements(c Optimizer, n int, seed uint64) [][]uint64 {
	list := elements(c.Format, n, 5, seed)
	m, w := elements(c.m(), n, 1, seed+100), elements(c.w(), n, 1, seed+200)
	for i := range list {
		list[i][3], list[i][4] = m[i][0], w[i][0]
	}
	return list
}

// finiteState is the model of Finite.
func finiteState(c Optimizer, s State[uint64]) bool {
	f, m, w := Detector{Format: c.Format}, Detector{Format: c.m()}, Detector{Format: c.w()}
	return !f.Finds([]uint64{s.Theta, s.C}) && !m.Finds([]uint64{s.M}) && !w.Finds([]uint64{s.W})
}

// Moments in formats of their own are the model's, too.
func TestMoments(t *testing.T) {
	for i, c := range moments() {
		k := c.StepConstants(i+2, 1e-3, 1e-8, 1e4)
		b := newBench(t, c, c.Latency(), map[string]uint64{"step_first": k.First, "step_second": k.Second, "step_epsilon": k.Epsilon, "step_rate": k.Rate})
		b.run(stateIn, stateOut, ownElements(c, count(3000), uint64(i)), func(x []uint64) []uint64 {
			s := c.Next(stateOf(x[1:]), x[0], k)
			return append(s.list(), bit(finiteState(c, s)))
		})
	}
}

// The model of a moment in its own format is that of an optimiser wholly in that format: the first
// moment and the second do not depend on anything else.
func TestMomentsAreThoseOfTheirFormat(t *testing.T) {
	for _, c := range moments()[:3] {
		k := c.StepConstants(3, 1e-3, 1e-8, 1)
		for _, x := range ownElements(c, 2000, 7) {
			got := c.Next(stateOf(x[1:]), x[0], k)
			for _, own := range []struct {
				f         float.Format
				got       uint64
				ofMoments func(State[uint64]) uint64
			}{
				{f: c.m(), got: got.M, ofMoments: func(s State[uint64]) uint64 { return s.M }},
				{f: c.w(), got: got.W, ofMoments: func(s State[uint64]) uint64 { return s.W }},
			} {
				whole := c
				whole.Format, whole.Moments = own.f, Moments{}
				g, _ := c.Format.Convert(x[0], own.f, float.NearestEven)
				want := whole.Next(State[uint64]{M: x[3], W: x[4]}, g, Constants[uint64]{})
				require.Equal(t, own.ofMoments(want), own.got, "%v: %x", c, x)
			}
		}
	}
}

func TestOwnText(t *testing.T) {
	for text, want := range map[string]Own{"same": {}, "e5m13": {Exp: 5, Frac: 13}, "bf16": Own(float.BF16)} {
		var o Own
		require.NoError(t, o.UnmarshalText([]byte(text)))
		require.Equal(t, want, o)
		back, err := o.MarshalText()
		require.NoError(t, err)
		var again Own
		require.NoError(t, again.UnmarshalText(back))
		require.Equal(t, o, again)
	}
	var o Own
	require.ErrorContains(t, o.UnmarshalText([]byte("other")), `"other" is no format`)
	c := Ours()
	c.W = Own{Exp: 20}
	require.ErrorContains(t, c.Validate(), "w: e20m0: 20 exponent bits")
}

func TestKahanAndSoftUpdate(t *testing.T) {
	for i, n := range variants() {
		x := elements(n.Format, count(6000), 3, uint64(i))
		k := Kahan{n}
		newBench(t, k, k.Latency(), nil).run([]string{"s", "c", "v"}, []string{"s_out", "c_out"}, x, func(x []uint64) []uint64 {
			s, c := k.Next(x[0], x[1], x[2])
			return []uint64{s, c}
		})
		for _, c := range []SoftUpdate{{n, .005, 8192, true}, {n, .01, 1, true}, {n, .005, 96, true}, {n, .005, 8192, false}} {
			newBench(t, c, c.Latency(), nil).run([]string{"psi", "b", "c"}, []string{"b_out", "c_out", "target"}, x, func(x []uint64) []uint64 {
				b, rest, target := c.Next(x[0], x[1], x[2])
				return []uint64{b, rest, target}
			})
		}
	}
}

func TestPolicy(t *testing.T) {
	for i, n := range variants() {
		h := Head{n, -10, 2}
		x := elements(n.Format, count(4000), 8, uint64(i))
		head := PolicyHead{h}
		outs := []string{"action_u", "action_a", "action_log_prob", "action_t", "action_sigma", "action_z"}
		newBench(t, head, head.Latency(), nil).run([]string{"mu", "raw", "eps"}, outs, x, func(x []uint64) []uint64 {
			a := head.Next(x[0], x[1], x[2])
			return []uint64{a.U, a.A, a.LogProb, a.T, a.Sigma, a.Z}
		})
		back := PolicyGradient{h}
		ins := []string{"action_u", "action_a", "action_t", "action_sigma", "action_z", "eps", "ga", "weight"}
		newBench(t, back, back.Latency(), nil).run(ins, []string{"slope_mu", "slope_raw"}, x, func(x []uint64) []uint64 {
			g := back.Next(Action[uint64]{U: x[0], A: x[1], T: x[2], Sigma: x[3], Z: x[4]}, x[5], x[6], x[7])
			return []uint64{g.Mu, g.Raw}
		})
		for _, fixed := range []bool{true, false} {
			j := Jacobian{n, fixed}
			newBench(t, j, j.Latency(), nil).run([]string{"u"}, []string{"j", "slope"}, x, func(x []uint64) []uint64 {
				y, slope := j.Next(x[0])
				return []uint64{y, slope}
			})
			d := Normal{n, fixed}
			newBench(t, d, d.Latency(), nil).run([]string{"x", "mu", "sigma"}, []string{"z", "square"}, x, func(x []uint64) []uint64 {
				z, square := d.Next(x[0], x[1], x[2])
				return []uint64{z, square}
			})
		}
	}
}

// The emitted Verilog of the optimiser and of the policy head does what the model says.
func TestVerilog(t *testing.T) {
	c := Ours()
	s, p := testbench.New(t, c, testbench.CoSim("iverilog", "verilator"))
	k := c.StepConstants(5, 1e-3, 1e-8, 1e4)
	put := func(port float.Num, code uint64) { s.SetBits(port.Raw, bits.New(port.Width(), code)) }
	for i, port := range []float.Num{p.Step.First, p.Step.Second, p.Step.Epsilon, p.Step.Rate} {
		put(port, []uint64{k.First, k.Second, k.Epsilon, k.Rate}[i])
	}
	s.Set(p.En, 1)
	s.Set(p.Valid, 1)
	list := elements(c.Format, count(400), 5, 9)
	for at := range len(list) + c.Latency() {
		x := list[min(at, len(list)-1)]
		for i, port := range []float.Num{p.G, p.State.Theta, p.State.C, p.State.M, p.State.W} {
			put(port, x[i])
		}
		s.Step(1)
		if done := at - c.Latency() + 1; done >= 0 && done < len(list) {
			want := c.Next(stateOf(list[done][1:]), list[done][0], k)
			for i, port := range []float.Num{p.Next.Theta, p.Next.C, p.Next.M, p.Next.W} {
				require.Equal(t, want.list()[i], s.GetBits(port.Raw).Uint64(), "%x", list[done])
			}
		}
	}
}

func TestVerilogOfPolicy(t *testing.T) {
	c := PolicyHead{Head{Half(), -10, 2}}
	s, p := testbench.New(t, c, testbench.CoSim("iverilog"))
	s.Set(p.En, 1)
	for _, x := range elements(c.Format, count(160), 3, 5) {
		for i, port := range []float.Num{p.Mu, p.Raw, p.Eps} {
			s.SetBits(port.Raw, bits.New(16, x[i]))
		}
		s.Step(c.Latency())
		require.Equal(t, c.Next(x[0], x[1], x[2]).LogProb, s.GetBits(p.Action.LogProb.Raw).Uint64(), "%x", x)
	}
}
