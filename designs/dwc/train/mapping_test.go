package train

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, what string, got float32, want, tolerance float64) {
	t.Helper()
	if math.Abs(float64(got)-want) > tolerance {
		t.Fatalf("%s: %v, want %v within %v", what, got, want, tolerance)
	}
}

// directScore is Σ_s (2x−1)·p.
func directScore(word uint64, p *[lanes]float32) float64 {
	sum := 0.0
	for s, v := range p {
		sum += float64(2*int(word>>s&1)-1) * float64(v)
	}
	return sum
}

func TestScoreGradients(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	p := randomLane(r)
	for _, n := range []int{1, 3, 4, 9, 64} {
		words := randomWords(r, n)
		grad := make([]float32, n)
		for i := range grad {
			grad[i] = float32(i) // it adds
		}
		bitScores(grad, words, p)
		for i := range grad {
			near(t, "bit score", grad[i], float64(i)+directScore(words[i], p), 2e-5)
		}
	}
	const perDim = 15
	b := newBlock(1, perDim, nil, 0)
	b.n = lanes
	for s := range lanes {
		b.levels[0][s] = uint16(r.IntN(perDim + 1))
	}
	b.thermometer()
	grad := make([]float32, perDim)
	thermometerScores(grad, make([]float32, perDim+1), &b.levels[0], p)
	for k := range grad {
		near(t, "thermometer score", grad[k], directScore(b.bits[0][k], p), 2e-5)
	}
}

// softmax is that of scores/0.001, in float64 and over all inputs.
func softmax(scores []float32) []float64 {
	w, total := make([]float64, len(scores)), 0.0
	top := float64(scores[argmax(scores)])
	for i, s := range scores {
		w[i] = math.Exp((float64(s) - top) / 0.001)
		total += w[i]
	}
	for i := range w {
		w[i] /= total
	}
	return w
}

func TestScatterIsTheSoftmax(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, spacing := range []float32{1, 0.01, 0.0005} {
		scores := make([]float32, 40)
		for i := range scores {
			scores[i] = r.Float32() * spacing * 40
		}
		p := randomLane(r)
		in := make([][lanes]float32, len(scores))
		scatter(in, scores, int32(argmax(scores)), p)
		for i, w := range softmax(scores) {
			for s := range lanes {
				near(t, "share", in[i][s], w*float64(p[s]), 1e-6)
			}
		}
	}
}

func TestArgmaxTakesTheLowestOnTies(t *testing.T) {
	if got := argmax([]float32{0, 2, 1, 2}); got != 1 {
		t.Errorf("argmax = %d, want 1", got)
	}
}

func TestFixedMappingIsMadeOfPermutations(t *testing.T) {
	const inputs, width, n = 7, 5, 4
	l := newLayer(rand.New(rand.NewPCG(1, 1)), inputs, width, n, Fixed)
	if l.scores != nil {
		t.Error("a fixed mapping has scores")
	}
	for at := 0; at+inputs <= len(l.pins); at += inputs {
		seen := make([]bool, inputs)
		for _, p := range l.pins[at : at+inputs] {
			if seen[p] {
				t.Fatalf("input %d twice in pins %v", p, l.pins[at:at+inputs])
			}
			seen[p] = true
		}
	}
}

func TestSettle(t *testing.T) {
	l := newLayer(rand.New(rand.NewPCG(1, 1)), 3, 1, 2, Learnable)
	copy(l.table, []float32{1.5, -3, 0, 0.25})
	copy(l.scores, []float32{0.1, 0.9, 0.3, 0.5, 0.2, 0.5})
	l.settle(0)
	if got := [4]float32(l.table); got != [4]float32{1, -1, 0, 0.25} {
		t.Errorf("table %v is not clamped to ±1", got)
	}
	if l.truth[0] != 0b1001 { // an entry is 1 only if strictly above 0
		t.Errorf("truth table %04b, want 1001", l.truth[0])
	}
	if l.pins[0] != 1 || l.pins[1] != 0 {
		t.Errorf("pins %v, want [1 0]", l.pins)
	}
}
