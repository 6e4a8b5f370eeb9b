package sac

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw/float"
	"etch/testbench/tools"
)

// The roundings in float32 and float64 are the model's.
func TestNumbers(t *testing.T) {
	for _, f := range []float.Format{float.F16, {Exp: 5, Frac: 4}, float.BF16} {
		n := newNumbers(f)
		r := rand.New(rand.NewPCG(1, uint64(f.Frac)))
		for range 200000 {
			b := r.Uint32()
			if r.IntN(2) == 0 { // near the ends of the format
				b = b&0x807fffff | uint32(r.IntN(44)+100)<<23
			}
			x := math.Float32frombits(b)
			want, _ := float.F32.Convert(uint64(b), f, float.NearestEven)
			require.Equal(t, uint16(want), n.code(n.r(x)), "%x", b)
		}
		for range 100000 {
			x, y := r.Uint64N(1<<(f.Width()-1)), r.Uint64N(1<<(f.Width()-1))
			if r.IntN(2) == 0 {
				y = (x + uint64(r.IntN(2<<f.Frac))) & (1<<(f.Width()-1) - 1)
			}
			want, _ := f.Hypot(x, y, float.NearestEven)
			got := n.hypot(n.slices.Value(x), n.slices.Value(y))
			if f.IsSignaling(x) || f.IsSignaling(y) {
				continue
			}
			require.Equal(t, want, n.slices.Code(got), "%x %x", x, y)
		}
	}
}

// Lists are rounded as their numbers are, in blocks and behind them, with signs, subnormal
// numbers and infinities; a NaN stays one. So is the root of two squares.
func TestLists(t *testing.T) {
	for _, f := range []float.Format{float.F16, {Exp: 5, Frac: 4}, {Exp: 4, Frac: 3}, float.BF16, {Exp: 5, Frac: 13}, {Exp: 8, Frac: 16}} {
		n := newNumbers(f)
		r := rand.New(rand.NewPCG(2, uint64(f.Frac)))
		for range 20000 {
			list := make([]float32, 1+r.IntN(13))
			for i := range list {
				list[i] = near(r, f)
			}
			got := append([]float32(nil), list...)
			n.round(got)
			for i, x := range list {
				require.Equal(t, n.slices.Code(n.r(x)), n.slices.Code(got[i]), "%v of %x", f, math.Float32bits(x))
			}

			a, b := append([]float32(nil), got...), append([]float32(nil), got...)
			r.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
			n.hypots(got, a, b)
			for i, x := range a {
				want, _ := f.Hypot(n.slices.Code(x), n.slices.Code(b[i]), float.NearestEven)
				require.Equal(t, want, n.slices.Code(got[i]), "%v: √(%v² + %v²)", f, x, b[i])
			}
		}
	}
}

// near is a number of float32 of which most lie in a format's range, midpoints among them,
// and some at its ends or beyond.
func near(r *rand.Rand, f float.Format) float32 {
	b := r.Uint32()
	switch r.IntN(16) {
	case 0:
		return float32(math.Inf(1 - 2*int(b&1)))
	case 1:
		return float32(math.NaN())
	case 2:
		return math.Float32frombits(b &^ (1<<31 - 1)) // a zero
	case 3:
		return math.Float32frombits(b) // any
	}
	low, high := f.MinExp()-f.Frac-2, f.MaxExp()+2
	e := uint32(max(low+r.IntN(high-low)+127, 0))
	if r.IntN(2) == 0 {
		b &^= 1<<(22-f.Frac) - 1 // a midpoint or a number of the format
	}
	return math.Float32frombits(b&0x807fffff | min(e, 254)<<23)
}

// The kernel adds in ascending order, and rounds products and sums.
func TestAccumulate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, width := range []int{1, 15, 16, 37, 64} {
		x, w := make([]float32, 200), make([]float32, 50*width)
		y, want := make([]float32, width), make([]float32, width)
		for _, list := range [][]float32{x, w, y} {
			for i := range list {
				list[i] = float32(r.NormFloat64())
			}
		}
		copy(want, y)
		for i := range 50 {
			for j := range want {
				want[j] += float32(x[i*4] * w[i*width+j])
			}
		}
		accumulate(y, x, 4, 50, w, width)
		require.Equal(t, want, y)
	}
}

// Gradients of the networks and of the policy are those of finite differences.
func TestGradients(t *testing.T) {
	n := newNumbers(float.F32)
	s := newShape(3, 16, 2)
	p := make([]float32, s.size)
	s.start(p, n, rand.New(rand.NewPCG(1, 3)))
	run := newRun(&s, n, 2)
	copy(run.act[0], []float32{.3, -.2, .9, -.5, .1, .7})
	loss := func() (sum float64) {
		run.forward(p, 2)
		for i, y := range run.act[s.layers()] {
			sum += float64(y) * float64(i+1)
		}
		return sum
	}
	loss()
	copy(run.err[s.layers()], []float32{1, 2, 3, 4})
	g := make([]float32, len(p))
	run.backward(p, g, true)
	for i := range p {
		const h = 1e-2
		was := p[i]
		p[i] = was + h
		up := loss()
		p[i] = was - h
		down := loss()
		p[i] = was
		require.InDelta(t, (up-down)/(2*h), g[i], 2e-2, "weight %d", i)
	}

	for _, fixed := range []bool{false, true} {
		c := Default(Variant{Format: float.F32, Methods: Methods{NormalFix: fixed}}, 1)
		pi := newPolicy(&c, n)
		const gA, weight, h = .7, .4, 1e-3
		of := func(mu, raw float32) float64 {
			x := pi.sample(mu, raw, .6)
			return weight*float64(x.logProb) + gA*float64(x.a)
		}
		x := pi.sample(.2, .5, .6)
		gMu, gRaw := pi.gradient(&x, gA, weight)
		require.InDelta(t, (of(.2+h, .5)-of(.2-h, .5))/(2*h), gMu, 1e-2)
		require.InDelta(t, (of(.2, .5+h)-of(.2, .5-h))/(2*h), gRaw, 1e-2)
	}
}

func variant(t *testing.T, name string) Variant {
	for _, v := range Variants() {
		if v.Name == name {
			return v
		}
	}
	t.Fatal(name)
	return Variant{}
}

func train(t *testing.T, c Config, rec *Recorder) *Result {
	r, err := Train(context.Background(), c, rec, nil)
	require.NoError(t, err)
	return r
}

// Naive fp16 crashes at its first update, and so does loss scaling alone; equal runs are
// equal.
func TestCrashes(t *testing.T) {
	require.Len(t, Variants(), 17)
	for _, name := range []string{"fp16 naive", "loss scaling"} {
		c := Default(variant(t, name), 1)
		require.Equal(t, c.Warm+1, train(t, c, nil).CrashStep, name)
	}
	c := Default(AllSix(), 2)
	c.Steps = 1100
	require.Equal(t, train(t, c, nil), train(t, c, nil))
}

// What a run with all six methods does is what the circuits do, and a changed bit is found.
func TestReplay(t *testing.T) {
	c := Default(AllSix(), 3)
	c.Steps, c.Warm, c.Hidden = 200, 150, 16
	rec := &Recorder{Every: 10}
	train(t, c, rec)
	r, err := Replay(c, rec)
	require.NoError(t, err)
	require.Zero(t, r.Differ(), "%v", r)
	for _, k := range r {
		require.NotZero(t, k.Records, k.Name)
	}
	rec.Spoil()
	r, err = Replay(c, rec)
	require.NoError(t, err)
	require.Equal(t, 4, r.Differ())
}

// Recorded steps of a training run go through the emitted Verilog too, and a changed bit is
// found there.
func TestJudge(t *testing.T) {
	tools.Need(t, "iverilog")
	c := Default(AllSix(), 4)
	c.Steps, c.Warm, c.Hidden, c.Batch = 170, 150, 16, 16
	rec := &Recorder{Every: 10}
	train(t, c, rec)
	r, err := Judge(t.Context(), c, rec, 40, "iverilog")
	require.NoError(t, err)
	require.Zero(t, r.Differ(), "%v", r)
	for _, k := range r {
		require.NotZero(t, k.Records, k.Name)
	}

	rec.Heads[3][5] ^= 1
	r, err = Judge(t.Context(), c, rec, 40, "iverilog")
	require.NoError(t, err)
	require.Equal(t, 1, r.Differ())
}
