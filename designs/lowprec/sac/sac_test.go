package sac

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/lowprec"
	"etch/hw/float"
	"etch/ir/bits"
	"etch/testbench"
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

// Recorded steps of a training run go through the emitted Verilog too.
func TestReplayInVerilog(t *testing.T) {
	c := Default(AllSix(), 4)
	c.Steps, c.Warm, c.Hidden, c.Batch = 170, 150, 16, 16
	rec := &Recorder{Every: 10}
	train(t, c, rec)

	o := lowprec.Ours()
	o.Kahan = rec.Steps[0].Kahan
	s, p := testbench.New(t, o, testbench.CoSim("iverilog"))
	put := func(port float.Num, code uint16) { s.SetBits(port.Raw, bits.New(16, uint64(code))) }
	for i, port := range []float.Num{p.Step.First, p.Step.Second, p.Step.Epsilon, p.Step.Rate} {
		put(port, rec.Steps[0].Constants[i])
	}
	s.Set(p.En, 1)
	s.Set(p.Valid, 1)
	rows := rec.Steps[0].Rows[:300]
	for at := range len(rows) + o.Latency() - 1 {
		for i, port := range []float.Num{p.State.Theta, p.State.C, p.State.M, p.State.W, p.G} {
			put(port, rows[min(at, len(rows)-1)][i])
		}
		s.Step(1)
		if done := at - o.Latency() + 1; done >= 0 {
			for i, port := range []float.Num{p.Next.Theta, p.Next.C, p.Next.M, p.Next.W} {
				require.Equal(t, uint64(rows[done][5+i]), s.GetBits(port.Raw).Uint64(), "%x", rows[done])
			}
		}
	}

	head := lowprec.PolicyHead{Head: lowprec.Head{Numbers: lowprec.Half(), Low: c.Low, High: c.High}}
	h, q := testbench.New(t, head, testbench.CoSim("iverilog"))
	h.Set(q.En, 1)
	for _, row := range rec.Heads[:20] {
		for i, port := range []float.Num{q.Mu, q.Raw, q.Eps} {
			h.SetBits(port.Raw, bits.New(16, uint64(row[i])))
		}
		h.Step(head.Latency())
		for i, port := range []float.Num{q.Action.U, q.Action.A, q.Action.LogProb} {
			require.Equal(t, uint64(row[3+i]), h.GetBits(port.Raw).Uint64(), "%x", row)
		}
	}
}
