package float_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/float"
	"etch/hw"
	kind "etch/hw/float"
	"etch/testbench"
)

// Sums of products of random and special codes, with pauses, are those of the model at
// every step.
func TestAccumulator(t *testing.T) {
	for i, f := range []float.Format{float.F16, float.BF16, float.E5M2, float.E4M3, float.E4M3FN, float.E2M1, {Exp: 5, Frac: 2, Flush: true, Saturate: true}} {
		for j, r := range static {
			t.Run(named(f, r), func(t *testing.T) {
				c := float.Accumulator{Op: op(f, r, (i+j)%4), Guard: 9}
				s, p := testbench.New(t, c)
				s.Set(p.En, 1)
				draw := rand.New(rand.NewPCG(uint64(i), uint64(j)))
				want := []result{}
				sum := kind.NewSum(f)
				for cycle := range samples(3000) {
					x := sampled(f, 1)
					for k := range x[:2] {
						if x[k][0] = draw.Uint64() & (1<<f.Width() - 1); (f.IsNaN(x[k][0]) || f.IsInf(x[k][0])) && draw.IntN(4) > 0 {
							x[k][0] = f.One()
						}
					}
					clear, valid := cycle == 0 || draw.IntN(40) == 0, draw.IntN(5) > 0
					s.Set(p.Clear, map[bool]int{true: 1}[clear])
					s.Set(p.Valid, map[bool]int{true: 1}[valid || cycle == 0])
					s.Set(p.A.Raw, int(x[0][0]))
					s.Set(p.B.Raw, int(x[1][0]))
					if valid || cycle == 0 {
						if clear {
							sum = kind.NewSum(f)
						}
						sum.AddProduct(x[0][0], x[1][0])
					}
					want = append(want, pair(sum.Round(r)))
					s.Step(1)
					if at := cycle + 1 - c.Latency(); at >= 0 {
						got := result{uint64(s.Get(p.Y.Raw)), kind.Flags(s.Get(p.Flags))}
						require.Equal(t, want[at], got, "cycle %d", cycle)
					}
				}
			})
		}
	}
}

type flowPorts struct {
	En      hw.Bit    `dir:"in"`
	A, B, C float.Num `dir:"in"`
	Y       float.Num `dir:"out"`
}

// A dataflow lines its operands up by itself, and stands still without its enable.
func TestFlow(t *testing.T) {
	f := float.F16
	n := float.Of(f)
	units := float.Units{Format: f, Add: 3, Mul: 2, FMA: 4}
	stages := 0
	s, p := testbench.New(t, hw.Func("flow", flowPorts{A: n, B: n, C: n, Y: n}, func(m *hw.Module, p flowPorts) {
		u := units.In(m.Enabled(p.En))
		a, b, c := u.Input("a", p.A), u.Input("b", p.B), u.Input("c", p.C)
		x := u.Add(u.Mul(a, b), u.Mul(u.Const(.5), c))
		y := u.Max(u.Named("last").FMA(x, u.Neg(a), u.Sub(c, u.Abs(b))), u.Const(-2))
		stages = y.Stage()
		p.Y.Set(y.At(y.Stage()))
	}), testbench.CoSim())
	require.Equal(t, 2+3+4, stages)
	d := s.Signal("last.y")
	require.Equal(t, "last.y", d.Name())
	draw := rand.New(rand.NewPCG(9, 9))
	var want []uint64
	for range 400 {
		var x [3]uint64
		for i, port := range []float.Num{p.A, p.B, p.C} {
			x[i] = f.Code(draw.NormFloat64())
			s.Set(port.Raw, int(x[i]))
		}
		en := draw.IntN(4) > 0
		s.Set(p.En, map[bool]int{true: 1}[en])
		s.Step(1)
		if !en {
			continue
		}
		sum := units.AddCodes(units.MulCodes(x[0], x[1]), units.MulCodes(f.Code(.5), x[2]))
		y, _ := f.FMA(sum, f.Neg(x[0]), units.SubCodes(x[2], f.Abs(x[1])), float.NearestEven)
		want = append(want, units.MaxCodes(y, f.Code(-2)))
		if len(want) >= stages {
			s.Expect(p.Y.Raw, int(want[len(want)-stages]))
		}
	}
}

// Rounding through the port, by mode and by random bits.
func TestModePort(t *testing.T) {
	for _, o := range basic {
		for i, f := range []float.Format{float.E5M2, float.F16, float.E4M3FN} {
			c := o.circuit(t, op(f, float.Dynamic, i))
			mode, err := c.lanes.Signal("mode_0")
			require.NoError(t, err)
			for _, r := range static {
				require.NoError(t, c.lanes.SetAll(mode, uint64(r)))
				c.check(func(x []uint64) result { return o.model(f, x, r) }, sampled(f, samples(8000))[:len(o.operands)]...)
			}
			for _, k := range []int{1, 4, 11} {
				c := o.circuit(t, op(f, float.Stochastic(k), i))
				mode, err := c.lanes.Signal("mode_0")
				require.NoError(t, err)
				for random := range uint64(min(8, 1<<k)) {
					random = random * 5 % (1 << k)
					require.NoError(t, c.lanes.SetAll(mode, random))
					c.check(func(x []uint64) result { return o.model(f, x, float.Stochastic(k).With(random)) }, sampled(f, samples(4000))[:len(o.operands)]...)
				}
			}
		}
	}
}
