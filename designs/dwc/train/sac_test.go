package train

import (
	"math"
	"math/rand/v2"
	"testing"
)

const diff = 1e-6 // step of the numeric derivatives

func slopeOf(f func(x float64) float64, x float64) float64 {
	return (f(x+diff) - f(x-diff)) / (2 * diff)
}

func TestLogDeviation(t *testing.T) {
	for _, v := range []float64{-3, -0.4, 0, 0.7, 2} {
		got, slope := logDeviation(v)
		want := func(v float64) float64 { return -5 + 3.5*(math.Tanh(v)+1) }
		near(t, "log sigma", float32(got), want(v), 1e-6)
		near(t, "slope", float32(slope), slopeOf(want, v), 1e-6)
	}
}

// The density of a = tanh(y+σε) is the normal density over |da/dε|: the change
// of variables, with the ε that keeps it finite.
func TestLogDensity(t *testing.T) {
	for _, eps := range []float64{-2, -0.3, 0, 1.1} {
		y, logDev := 0.4, -0.7
		a := func(e float64) float64 { return math.Tanh(y + math.Exp(logDev)*e) }
		normal := -eps*eps/2 - math.Log(2*math.Pi)/2
		want := normal - math.Log(slopeOf(a, eps))
		near(t, "log density", float32(logDensity(a(eps), eps, logDev)), want, 1e-5)
	}
}

func TestPreSlopes(t *testing.T) {
	for _, pre := range []float64{-4, -0.5, 0, 1, 3} {
		action, logp := preSlopes(math.Tanh(pre))
		near(t, "action", float32(action), slopeOf(math.Tanh, pre), 1e-6)
		near(t, "log density", float32(logp), slopeOf(func(x float64) float64 {
			a := math.Tanh(x)
			return -math.Log(1 - a*a + 1e-6)
		}, pre), 1e-5)
	}
}

// testSAC returns a learner with two actions whose batch is loaded and whose
// two draws are sampled.
func testSAC(t *testing.T) (*sac, *encoder, *replay, *rand.Rand) {
	t.Helper()
	c := Default()
	c.Widths, c.Bits, c.N = []int{12, 10}, 7, 4
	c.Hidden, c.NoiseHidden, c.Temperature = 16, 8, 0.3
	trainer, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(9, 9))
	mem := &replay{dims: swingDims, actions: 2}
	code := func() []int16 {
		return []int16{int16(r.IntN(3000) - 1500), int16(r.IntN(3000) - 1500), int16(r.IntN(3000) - 1500)}
	}
	for range 300 {
		mem.add(code(), code(), []float32{r.Float32(), -r.Float32()}, -10*r.Float32(), 0)
	}
	s := newSAC(r, swingDims, 2, &c)
	s.load(r, trainer.encoder, mem, true)
	s.now.sample(s.policy, s.noise)
	s.next.sample(s.policy, s.noise)
	return s, trainer.encoder, mem, r
}

// qFloat64 is a critic in float64.
func qFloat64(d *dense, z []float32, a []float64) float64 {
	return denseFloat64(d, widen(d.params), append(widen(z), a...))[0]
}

func (s *sac) row(z []float32, row int) []float32 { return z[row*s.dims : (row+1)*s.dims] }

func TestSampledActions(t *testing.T) {
	s, _, _, _ := testSAC(t)
	noise := widen(s.noise.params)
	for row := range s.which {
		v := denseFloat64(s.noise, noise, widen(s.row(s.now.noise.input(), row)))
		logp := 0.0
		for a := range 2 {
			i := row*2 + a
			logDev := -5 + 3.5*(math.Tanh(v[a])+1)
			blk := s.now.blocks[row/lanes]
			y := s.policy.y[a][blk.counts[a][row%lanes]]
			want := math.Tanh(y + math.Exp(logDev)*s.now.eps[i])
			near(t, "action", float32(s.now.action[i]), want, 1e-5)
			logp += logDensity(want, s.now.eps[i], logDev)
		}
		near(t, "log density", float32(s.now.logp[row]), logp, 1e-3)
	}
}

func TestCriticGoals(t *testing.T) {
	s, _, mem, _ := testSAC(t)
	var targets [shards]*dense
	for i := range targets {
		targets[i] = s.targets[i].clone()
	}
	s.updateCritics(nil, 1)
	for row, at := range s.which {
		_, _, _, reward := mem.at(at)
		z, a := s.row(s.next.noise.input(), row), s.next.action[row*2:row*2+2]
		q := math.Min(qFloat64(targets[0], z, a), qFloat64(targets[1], z, a))
		want := 0.1*float64(reward) + 0.99*(q-0.3*s.next.logp[row])
		near(t, "goal", s.batch.goal[row], want, 1e-4)
	}
}

// The critics' gradient is that of the mean squared distance to the goals.
func TestCriticGradient(t *testing.T) {
	s, _, mem, _ := testSAC(t)
	q := s.critics[1].clone()
	s.updateCritics(nil, 1)
	params := widen(q.params)
	loss := func() float64 {
		sum := 0.0
		for row, at := range s.which {
			_, _, action, _ := mem.at(at)
			v := denseFloat64(q, params, append(widen(s.row(s.now.noise.input(), row)), widen(action)...))[0]
			d := v - float64(s.batch.goal[row])
			sum += d * d / float64(len(s.which))
		}
		return sum
	}
	for i := 0; i < len(params); i += 11 {
		p := params[i]
		want := slopeOf(func(x float64) float64 { params[i] = x; return loss() }, p)
		params[i] = p
		near(t, "parameter", s.tape[1].grads[i], want, 1e-4)
	}
}

// The actor's derivatives by the head's y and by the noise net's output, both
// smooth, against differences of α·log π − min Q.
func TestActorGradients(t *testing.T) {
	s, _, _, _ := testSAC(t)
	noise := append([]float32(nil), s.now.noise.output()...)
	var critics [shards]*dense
	for i := range critics {
		critics[i] = s.critics[i].clone()
	}
	temp := s.temperature()
	y := make([]float64, len(s.now.action))
	for row := range s.which {
		for a := range 2 {
			y[row*2+a] = s.policy.y[a][s.now.blocks[row/lanes].counts[a][row%lanes]]
		}
	}
	s.updateActor(nil, 0)
	loss := func(row int, y, v []float64) float64 {
		action, logp := make([]float64, 2), 0.0
		for a := range action {
			logDev := -5 + 3.5*(math.Tanh(v[a])+1)
			eps := s.now.eps[row*2+a]
			action[a] = math.Tanh(y[a] + math.Exp(logDev)*eps)
			logp += logDensity(action[a], eps, logDev)
		}
		z := s.row(s.now.noise.input(), row)
		q := math.Min(qFloat64(critics[0], z, action), qFloat64(critics[1], z, action))
		return (temp*logp - q) / float64(len(s.which))
	}
	for row := range s.which {
		for a := range 2 {
			yr, vr := append([]float64(nil), y[row*2:row*2+2]...), widen(noise[row*2:row*2+2])
			byY := slopeOf(func(x float64) float64 {
				yr[a] = x
				return loss(row, yr, vr)
			}, yr[a])
			yr[a] = y[row*2+a]
			byV := slopeOf(func(x float64) float64 {
				vr[a] = x
				return loss(row, yr, vr)
			}, vr[a])
			near(t, "by y", s.errs.y[row/lanes][a][row%lanes], byY, 1e-5)
			near(t, "by v", s.noiseErr[row*2+a], byV, 1e-5)
		}
	}
}

func TestTemperatureGradient(t *testing.T) {
	s, _, _, _ := testSAC(t)
	mean := 0.0
	for _, lp := range s.now.logp {
		mean += lp / float64(len(s.now.logp))
	}
	want := slopeOf(func(logTemp float64) float64 { return -math.Exp(logTemp) * (mean + -2) }, math.Log(0.3))
	near(t, "gradient", s.temperatureGradient(), want, 1e-5)
}

func TestNormal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const n = 200000
	var m [5]float64
	for range n {
		x := normal(r)
		for k := range m {
			m[k] += math.Pow(x, float64(k)) / n
		}
	}
	// Standard errors: 1/√n, √2/√n, √15/√n, √96/√n; five of them allowed.
	for k, want := range []float64{1, 0, 1, 0, 3} {
		limit := 5 * math.Sqrt([]float64{0, 1, 2, 15, 96}[k]/n)
		near(t, "moment", float32(m[k]), want, limit+1e-6)
	}
}

func TestLog(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 100000 {
		x := math.Ldexp(r.Float64()+0.5, r.IntN(200)-100)
		if d := math.Abs(log(x) - math.Log(x)); d > 1e-15*math.Max(1, math.Abs(math.Log(x))) {
			t.Fatalf("log(%v) = %v, package math says %v", x, log(x), math.Log(x))
		}
	}
	if log(1) != 0 {
		t.Errorf("log(1) = %v", log(1))
	}
}
