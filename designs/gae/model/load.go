package model

import "etch/hw/fixed"

// Input is the format of the host's numbers: S15.16 in 32 bits.
var Input = fixed.Format{Width: 32, Frac: 16}

// Sample is a step as the host sends it, raw values of [Input].
type Sample struct {
	Reward, Value int64
	Boot          int64 // read where Cut is set and Term is not
	Term, Cut     bool
}

// Norm standardises a quantity: (x − Mean) · Mantissa · 2^−Shift, rounded, is its
// code. 1/σ is Mantissa · 2^(Output − 16 − Shift) for codes of Output fraction
// bits.
type Norm struct {
	Mean     int64 // raw, of [Input]
	Mantissa int64 // 0, or 2^16 to 2^17 − 1
	Shift    int   // 1 to 63
}

// StandardFrac is the number of fraction bits of a standardised number: steps of
// 2^(3−n) for codes of n bits, otherwise those of data.
func (s System) StandardFrac() int {
	if s.CodeBits == 0 {
		return s.Format().Frac
	}
	return s.CodeBits - 3
}

// standard is the code of a standardised number, from −4 to 4 less a step.
func (s System) standard(n Norm, x int64) (int64, bool) {
	limit := saturator(fixed.Format{Width: s.StandardFrac() + 3})
	return limit(((x-n.Mean)*n.Mantissa>>(n.Shift-1) + 1) >> 1)
}

// data is a number as data, shifted right.
func (s System) data(x int64, shift int) (int64, bool) {
	f := s.Format()
	if x >>= shift; f.Frac >= Input.Frac {
		x <<= f.Frac - Input.Frac
	} else {
		x >>= Input.Frac - f.Frac
	}
	return saturator(f)(x)
}

// Loading are the settings that the host, or the statistics, make before a block is loaded.
type Loading struct {
	Reward, Value Norm
	Shift         int // of quantities that are not standardised; 0 to 15
}

// Load is a sample as it is stored, with its bootstrap value as data; clipped
// counts saturated numbers.
func (s System) Load(l Loading, x Sample) (w Word, boot int64, clipped LoadClips) {
	var a, b, c bool

	// Reward and value are stored as data or as standardised codes, each by its own setting.
	if s.Rewards == Raw {
		w.Reward, a = s.data(x.Reward, l.Shift)
	} else {
		w.Reward, a = s.standard(l.Reward, x.Reward)
	}
	if s.CodeBits == 0 {
		w.Value, b = s.data(x.Value, l.Shift)
	} else {
		w.Value, b = s.standard(l.Value, x.Value)
	}

	w.Term, w.Cut = x.Term, x.Cut

	// A bootstrap value is data in either case: it goes straight to the element.
	if x.Cut && !x.Term {
		boot, c = s.data(x.Boot, l.Shift)
	}
	return w, boot, LoadClips{bit(a), bit(b), bit(c)}
}

// LoadClips counts the numbers that were saturated on loading.
type LoadClips struct{ Reward, Value, Boot int }

// Add adds the counts of d.
func (c *LoadClips) Add(d LoadClips) {
	c.Reward += d.Reward
	c.Value += d.Value
	c.Boot += d.Boot
}
