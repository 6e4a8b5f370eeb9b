package model

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// slowCounts evaluates a model from its definition alone: rational thresholds,
// addresses bit by bit, no folding.
func slowCounts(m *Model, codes []int) (layers [][]uint8, counts []int) {
	var bits []uint8
	for d, code := range codes {
		dim := &m.Obs[d]
		for _, tau := range m.Thresholds.Row(d) {
			on := exceeds(code, tau, dim.Std(), dim.Mean, dim.Scale)
			on = on && tau < 10 || tau < -10
			bits = append(bits, map[bool]uint8{true: 1}[on])
		}
	}
	for _, l := range m.Layers {
		next := make([]uint8, len(l.Tables))
		for j := range next {
			address, weight := 0, 1
			for _, bit := range l.Pins[j] {
				address += weight * int(bits[bit])
				weight *= 2
			}
			next[j] = uint8(l.Tables[j] / (1 << address) % 2)
		}
		layers, bits = append(layers, next), next
	}
	counts = make([]int, m.Groups())
	for i, bit := range bits {
		counts[i/(len(bits)/len(counts))] += int(bit)
	}
	return layers, counts
}

func evalSpecs() []RandomSpec {
	return []RandomSpec{
		{Obs: 3, Groups: 1, B: 31, Widths: []int{64, 64}, N: []int{6}, SensorBits: 12, DACBits: 12},
		{Obs: 5, Groups: 3, B: 7, Widths: []int{20, 10, 31, 16}, N: []int{2, 3, 4, 5}, SensorBits: 8, DACBits: 10, Head: PPO},
		{Obs: 1, Groups: 4, B: 3, Widths: []int{7}, N: []int{6}, SensorBits: 4, DACBits: 2, Head: Argmax},
		{Obs: 2, Groups: 2, B: 5, Widths: []int{9, 9}, N: []int{2}, SensorBits: 2, DACBits: 8, Head: Counts},
	}
}

func TestEvalAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for i, spec := range evalSpecs() {
		m := mustRandom(t, spec, uint64(i))
		f, err := m.Fold()
		require.NoError(t, err)
		e := NewEval(f)
		out := make([]int, m.Groups())
		for range 100 {
			codes := make([]int, spec.Obs)
			for d := range codes {
				codes[d] = r.IntN(2<<(spec.SensorBits-1)) - 1<<(spec.SensorBits-1)
			}
			layers, counts := slowCounts(m, codes)
			require.Equal(t, layers, e.Layers(codes))
			require.Equal(t, counts, e.Counts(codes))
			best := 0
			for c := len(counts) - 1; c >= 0; c-- {
				if counts[c] >= counts[best] {
					best = c
				}
			}
			require.Equal(t, best, e.Class(codes))
			if m.Head.Kind.ROM() {
				e.Act(codes, out)
				for a := range out {
					require.Equal(t, m.ROM(a)[counts[a]], out[a])
				}
			}
		}
	}
}

func TestClassTakesTheLowestIndexOnTies(t *testing.T) {
	require.Equal(t, 1, argmax([]int{2, 5, 5, 5}))
	require.Equal(t, 0, argmax([]int{0, 0}))
}

// TestFloatPolicyOnCodes feeds the float policy exactly what the codes stand
// for. Its quotient rounds, so an encoder bit may differ where the exact value
// is within a few float64 roundings of the threshold, and nowhere else: random
// models have none such, so all counts agree.
func TestFloatPolicyOnCodes(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	m := mustRandom(t, evalSpecs()[0], 9)
	f, err := m.Fold()
	require.NoError(t, err)
	e := NewEval(f)
	p, err := NewFloatPolicy(m)
	require.NoError(t, err)
	codes, obs := make([]int, 3), make([]float64, 3)
	for range 2000 {
		for d := range codes {
			codes[d] = r.IntN(4095) - 2047
			obs[d] = m.Dequantise(d, codes[d])
			require.Equal(t, codes[d], m.Quantise(d, obs[d]))
		}
		require.Equal(t, e.Counts(codes), p.Counts(obs))
		require.Equal(t, e.Class(codes), p.Class(obs))
		got := p.Act(obs)
		for a, c := range e.Counts(codes) {
			require.InDelta(t, m.Decode(a, m.ROM(a)[c]), got[a], m.FullScale(a)/2047*0.5001)
		}
	}
}

func TestRandomIsDeterministic(t *testing.T) {
	spec := Shapes()[0].Spec(32, 8)
	require.Equal(t, mustRandom(t, spec, 1), mustRandom(t, spec, 1))
	require.NotEqual(t, mustRandom(t, spec, 1).Layers, mustRandom(t, spec, 2).Layers)
	spec.B = 4
	require.Equal(t, [][]float64{{-6, -2, 2, 6}}, mustRandom(t, spec, 1).Thresholds.Rows)
	spec.B = 0
	_, err := Random(spec, 1)
	require.ErrorContains(t, err, "0 is out of range 1..4095")
	for _, bad := range []RandomSpec{
		{B: 3},
		{B: 3, Obs: 1, Groups: 1, SensorBits: 8, Widths: []int{1 << 40}, N: []int{6}},
		{B: 3, Obs: 1, Groups: 1, SensorBits: 8, Widths: []int{4}, N: []int{9}},
		{B: 3, Obs: 1, Groups: 1, SensorBits: 8, Widths: []int{4}, N: []int{6, 6}},
		{B: 3, Obs: 1, Groups: 1, SensorBits: 8, DACBits: 8, Widths: []int{4}, N: []int{6}, Head: "dqn"},
	} {
		_, err := Random(bad, 1)
		require.Error(t, err)
	}
}

func BenchmarkEval(b *testing.B) {
	for _, shape := range []Shape{{"Pendulum", 3, 1, 2}, Shapes()[1], Shapes()[3]} {
		width := 1024
		if shape.Env == "Pendulum" {
			width = 64
		}
		b.Run("env="+shape.Env, func(b *testing.B) {
			f, err := mustRandom(b, shape.Spec(width, 12), 1).Fold()
			require.NoError(b, err)
			e := NewEval(f)
			codes, out := make([]int, shape.Obs), make([]int, shape.Actions)
			for b.Loop() {
				codes[0]++
				e.Act(codes, out)
			}
		})
	}
}

func BenchmarkFold(b *testing.B) {
	m := mustRandom(b, Shapes()[3].Spec(1024, 16), 1)
	for b.Loop() {
		if _, err := m.Fold(); err != nil {
			b.Fatal(err)
		}
	}
}
