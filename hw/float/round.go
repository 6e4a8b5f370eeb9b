package float

import "math/big"

// Round is the number ±sig · 2^exp in the format, and a bit more than that where
// sticky: more than nothing, and less than 1 in the last place of sig. With sticky,
// sig has at least Frac + 3 bits, and as many more as the rounding has random ones.
// Every operation of the model rounds here or, in machine words, in roundWord.
func (f Format) Round(neg bool, sig *big.Int, exp int, sticky bool, r Rounding) (uint64, Flags) {
	// A zero with something below it would need more bits than callers promise: it is exact.
	if sig.Sign() == 0 {
		return f.sign(neg), 0
	}

	// Tininess after rounding: the number is rounded a first time as though exponents had no end.
	e := exp + sig.BitLen() - 1 // the number lies in [2^e, 2^(e+1))
	full, _ := cut(neg, sig, exp, sticky, e-f.Frac, r)
	tiny := e+full.BitLen()-(f.Frac+1) < f.MinExp()

	// Then with the last place where the format has it, which subnormal numbers have higher.
	last := max(e, f.MinExp()) - f.Frac // the exponent of the last place
	v, inexact := cut(neg, sig, exp, sticky, last, r)
	return f.assemble(neg, v.Uint64(), last, inexact, tiny, r)
}

// cut is sig · 2^exp as a multiple of 2^last, rounded.
func cut(neg bool, sig *big.Int, exp int, sticky bool, last int, r Rounding) (v *big.Int, inexact bool) {
	// Nothing is cut from a number whose last place is above the format's.
	d := last - exp
	if d <= 0 {
		return new(big.Int).Lsh(sig, uint(-d)), sticky
	}

	// The dropped part against half of the last place: a tie with something below is above it.
	v = new(big.Int).Rsh(sig, uint(d))
	rest := new(big.Int).Sub(sig, new(big.Int).Lsh(v, uint(d)))
	inexact = rest.Sign() != 0 || sticky
	half := rest.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(d-1)))
	if half == 0 && sticky {
		half = 1
	}

	// Deterministic modes look at three facts; the stochastic one adds.
	up := false
	switch k := r.Random(); {
	case k > 0: // the top k bits of the rest and as many random ones
		rest.Lsh(rest, uint(k)).Rsh(rest, uint(d))
		up = rest.Uint64()+r.random() >= 1<<k
	default:
		up = r.up(neg, v.Bit(0) == 1, half, inexact)
	}
	if up {
		v.Add(v, big.NewInt(1))
	}
	return v, inexact
}

// up tells whether the magnitude grows: half is the sign of the dropped part minus half a
// unit of the last place, some tells whether anything goes.
func (r Rounding) up(neg, odd bool, half int, some bool) bool {
	switch r {
	case NearestEven:
		return half > 0 || half == 0 && odd
	case NearestAway:
		return half >= 0
	case Down:
		return neg && some
	case Up:
		return !neg && some
	}
	return false
}

// assemble is the code of v · 2^last, v being at most 2^(Frac+1), or its substitute
// where the range ends.
func (f Format) assemble(neg bool, v uint64, last int, inexact, tiny bool, r Rounding) (uint64, Flags) {
	// Underflow is tiny and inexact; Flush makes every tiny number inexact.
	var flags Flags
	if inexact {
		flags |= Inexact
		if tiny {
			flags |= Underflow
		}
	}
	if tiny && f.Flush {
		return f.sign(neg), Inexact | Underflow
	}

	// Tested before the code is made: an exponent far past the range would wrap in it.
	if last+f.Frac > f.MaxExp() {
		return f.overflow(neg, r), Overflow | Inexact
	}

	// The exponent field of v without its hidden bit, which then carries into it: a
	// subnormal number has none, and 2^(Frac+1) makes two.
	code := uint64(last+f.Frac+f.Bias()-1)<<f.Frac + v
	if code > f.Greatest(false) {
		return f.overflow(neg, r), flags | Overflow | Inexact
	}
	return f.sign(neg) | code, flags
}

// overflow is the result for a number past the range.
func (f Format) overflow(neg bool, r Rounding) uint64 {
	if f.Saturate || r == TowardZero || r == Down && !neg || r == Up && neg {
		return f.Greatest(neg)
	}
	return f.Inf(neg)
}
