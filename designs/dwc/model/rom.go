package model

import (
	"fmt"
	"math"
)

// countEpsilon keeps the normalised count off 0 and 1, as in training.
const countEpsilon = 1e-6

// Value returns the action, in physical units, of a count 0..g under a ROM head
// of the given kind: y = e^logα·(clamp(count/g, 1e-6, 1−1e-6) − ½) + β, then
// tanh(y)·Scale + Bias for SAC and DDPG, clamp(y, Low, High) for PPO. The bits
// of the result do not depend on the architecture.
func (a *Action) Value(kind HeadKind, count, g int) float64 {
	x := float64(count) / float64(g)
	x = math.Min(math.Max(x, countEpsilon), 1-countEpsilon)

	// Each product is rounded for itself, so no architecture fuses it with the sum.
	y := float64(Exp(a.LogAlpha)*(x-0.5)) + a.Beta
	if kind == PPO {
		return math.Min(math.Max(y, a.Low), a.High)
	}
	return float64(Tanh(y)*a.Scale) + a.Bias
}

// FullScale returns max(|Low|, |High|), the physical value of the DAC code
// 2^(w−1)−1.
func (a *Action) FullScale() float64 {
	return math.Max(math.Abs(a.Low), math.Abs(a.High))
}

// FullScale returns the full scale of action i in physical units.
func (m *Model) FullScale(i int) float64 { return m.Head.Actions[i].FullScale() }

// Encode returns the DAC code of a physical value of action i:
// v/fs·(2^(w−1)−1), rounded half away from zero and saturated to ±(2^(w−1)−1),
// beyond which no code is within the full scale. NaN gives 0.
func (m *Model) Encode(i int, v float64) int {
	limit := float64(MaxCode(m.DACBits))
	c := math.Round(v / m.FullScale(i) * limit)
	if math.IsNaN(c) {
		return 0
	}
	return int(math.Min(math.Max(c, -limit), limit))
}

// Decode returns the physical value of a DAC code of action i.
func (m *Model) Decode(i, code int) float64 {
	return float64(code) / float64(MaxCode(m.DACBits)) * m.FullScale(i)
}

// ROM returns the G+1 signed DAC codes of action i, indexed by its popcount.
// It panics if the head is not a ROM head or i is not an action.
func (m *Model) ROM(i int) []int {
	if !m.Head.Kind.ROM() {
		panic(fmt.Sprintf("model: ROM: the head is %q, which has no action ROM", m.Head.Kind))
	}
	rom := make([]int, m.GroupSize()+1)
	for c := range rom {
		rom[c] = m.Encode(i, m.Head.Actions[i].Value(m.Head.Kind, c, m.GroupSize()))
	}
	return rom
}
