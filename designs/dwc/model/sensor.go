package model

import "math"

// Clip is the bound to which a normalised observation is clipped.
const Clip = 10

// varEpsilon is added to a variance before the square root (eq. 8).
const varEpsilon = 1e-8

// sensorHeadroom is the paper's factor over the largest value seen (eq. 7).
const sensorHeadroom = 1.1

// Std returns √(Var + 1e-8), the divisor of the normalisation.
func (d *Dim) Std() float64 { return math.Sqrt(d.Var + varEpsilon) }

// MaxCode returns 2^(w−1)−1, the largest code of a signed w-bit word.
func MaxCode(w int) int { return 1<<(w-1) - 1 }

// SensorScale returns q = 1.1·max/(2^(w−1)−1) of eq. 7: the physical units per
// code of a w-bit sensor whose largest reading is max > 0.
func SensorScale(max float64, w int) float64 {
	return float64(sensorHeadroom*max) / float64(MaxCode(w))
}

// Quantise returns the sensor code of x, an observation of dimension d in
// physical units: x/q rounded half away from zero and clamped symmetrically to
// ±(2^(W−1)−1). NaN gives 0.
func (m *Model) Quantise(d int, x float64) int {
	limit := float64(MaxCode(m.SensorBits))
	v := math.Round(x / m.Obs[d].Scale)
	switch {
	case math.IsNaN(v):
		return 0
	case v > limit:
		v = limit
	case v < -limit:
		v = -limit
	}
	return int(v)
}

// Clamps reports whether Quantise clamps x, an observation of dimension d, to the
// end of the sensor's range.
func (m *Model) Clamps(d int, x float64) bool {
	return math.Abs(math.Round(x/m.Obs[d].Scale)) > float64(MaxCode(m.SensorBits))
}

// Dequantise returns code·q, the physical value that a code of dimension d
// stands for.
func (m *Model) Dequantise(d, code int) float64 {
	return float64(code) * m.Obs[d].Scale
}
