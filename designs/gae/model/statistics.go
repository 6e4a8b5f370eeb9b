package model

import (
	"math/big"
	"math/bits"

	"etch/hw/fixed"
)

// Statistics are exact sums over numbers of [Input], whatever their order: the
// mean and deviation of equations 6 to 9 of the paper without their divisions.
type Statistics struct {
	N       int64 // below 2^32
	Sum     int64
	Squares big.Int // of raw values, below 2^94
}

// Add counts a raw number in.
func (s *Statistics) Add(x int64) {
	s.N++
	s.Sum += x
	s.Squares.Add(&s.Squares, new(big.Int).Mul(big.NewInt(x), big.NewInt(x)))
}

// DeviationFrac is the number of fraction bits of a deviation; LeastDeviation,
// 2^−10, stands for smaller ones.
const (
	DeviationFrac  = 24
	LeastDeviation = 1 << (DeviationFrac - 10)
)

// Mean is the mean, raw of [Input], ties up; of nothing 0.
func (s *Statistics) Mean() int64 {
	if s.N == 0 {
		return 0
	}
	// floor((2·Sum + N) / 2N), all made positive by adding 2^31 to every number
	sum, n := big.NewInt(s.Sum), big.NewInt(s.N)
	sum.Add(sum, new(big.Int).Lsh(n, 31))
	sum.Add(sum.Lsh(sum, 1), n)
	return sum.Div(sum, n.Lsh(n, 1)).Int64() - 1<<31
}

// Deviation is the deviation with DeviationFrac fraction bits, rounded down: the
// root of (N·Σx² − (Σx)²)/N².
func (s *Statistics) Deviation() int64 {
	if s.N == 0 {
		return LeastDeviation
	}
	n := big.NewInt(s.N)
	v := new(big.Int).Mul(n, &s.Squares)
	v.Sub(v, new(big.Int).Mul(big.NewInt(s.Sum), big.NewInt(s.Sum)))
	v.Lsh(v, 2*(DeviationFrac-uint(Input.Frac)))
	v.Div(v, n.Mul(n, n))
	return max(v.Sqrt(v).Int64(), LeastDeviation)
}

// Settled holds the settings that the statistics of a quantity give.
type Settled struct {
	Norm
	Scale, Offset int64 // raw, of data
}

// Settle gives the settings that standardise and restore a quantity with this mean, raw of
// [Input], and deviation, of DeviationFrac fraction bits, if data is shifted right by shift.
func (s System) Settle(mean, deviation int64, shift int) (t Settled) {
	// 1/σ = Mantissa·2^−e
	length := bits.Len64(uint64(deviation))
	t.Mantissa, t.Shift = (1<<(length+MantissaBits)/deviation+1)>>1, length-8
	if t.Mantissa == 1<<MantissaBits {
		t.Mantissa, t.Shift = t.Mantissa/2, t.Shift-1
	}

	t.Shift += Input.Frac - s.StandardFrac()
	t.Mean = mean
	t.Offset, _ = s.data(mean, shift)

	// The scale restores a code: σ in units of data's last bit, with the shift taken off.
	step := DeviationFrac + s.StandardFrac() - s.Format().Frac // fraction bits of σ·2^−StandardFrac above data's
	scale := fixed.Format{Width: 64}.FitInt(deviation, step, fixed.HalfUp, fixed.Wrap)
	t.Scale, _ = saturator(s.Format())(scale)
	t.Scale >>= shift
	return t
}

// Reshift is how samples are loaded and restored by the same statistics if data is
// shifted right by shift, which is no less than it was. Scales and offsets that the
// former shift saturated stay wrong.
func (s System) Reshift(l Loading, set Settings, shift int) (Loading, Settings) {
	// The scale of a code halves with each place; offsets come from the means again, with all
	// their bits.
	more := shift - l.Shift
	l.Shift, set.Shift = shift, shift
	if s.CodeBits != 0 {
		set.ValueScale >>= more
		set.ValueOffset, _ = s.data(l.Value.Mean, shift)
	}
	if s.RestoreRewards {
		set.RewardScale >>= more
		set.RewardOffset, _ = s.data(l.Reward.Mean, shift)
	}
	return l, set
}

// Prepare applies a Settle to the settings, by the statistics of rewards and of values. A quantity
// without statistics changes nothing.
func (s System) Prepare(l Loading, set Settings, rewards, values *Statistics) (Loading, Settings) {
	if s.Rewards != Raw && rewards.N > 0 {
		t := s.Settle(rewards.Mean(), rewards.Deviation(), l.Shift)
		l.Reward, set.RewardScale, set.RewardOffset = t.Norm, t.Scale, t.Offset
	}
	if s.CodeBits != 0 && values.N > 0 {
		t := s.Settle(values.Mean(), values.Deviation(), l.Shift)
		l.Value, set.ValueScale, set.ValueOffset = t.Norm, t.Scale, t.Offset
	}
	return l, set
}
