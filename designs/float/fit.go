package float

import (
	"fmt"

	"etch/hw"
	"etch/hw/float"
)

// magnitude is a number of any size and exponent, to be made one of the format.
type magnitude struct {
	Neg  hw.Bit
	Mag  hw.UInt
	Top  hw.UInt // the exponent field that a number with Mag's top bit as hidden one has; signed
	Zero hw.Bit
}

// topBits is the width of Top for values from low to high, with room for the leading zeros
// that [Op.fit] takes off it.
func topBits(low, high, mag int) int { return countTo(max(mag-low, high, 1)+2) + 1 }

// fit normalises a magnitude and, where the format has it subnormal, moves it down
// again. Where [Op.normalise] is enough, it is cheaper.
func (o Op) fit(x magnitude) float.Exact {
	keep, w := o.Format.Frac+1+o.Rounding.Tail(), x.Top.Width()
	mag := x.Mag
	if mag.Width() < keep {
		mag = mag.PadLow(keep - mag.Width())
	}

	// All of it moves up; bits under the tail are sticky.
	n := mag.Width()
	zeros := leadingZeros(x.Mag, countTo(x.Mag.Width()-1))
	up := mag.ShlBy(zeros)
	rest := hw.Low
	if n > keep {
		rest = up.Trunc(n - keep).Any()
	}
	exp := x.Top.Sub(resize(zeros, w))
	e := o.denormalise(scaled{Exp: exp, Sig: up.Range(n-1, n-keep), Rest: rest})

	// A zero has the exponent of its operands until here.
	e.Base = o.limit(e.Base.And(x.Zero.Not().Rep(w - 1)))
	e.Neg, e.Zero, e.Special, e.NaN, e.Invalid, e.DivideZero = x.Neg, x.Zero, hw.Low, hw.Low, hw.Low, hw.Low
	return e
}

// from refuses a result's format that lacks the infinities or NaNs of the operands'.
func (o Op) from(from Format) error {
	if err := from.Validate(); err != nil {
		return err
	}
	if err := o.Validate(); err != nil {
		return err
	}
	if !o.Format.Holds(from) {
		return fmt.Errorf("the result's format %v has no codes for the infinities or NaNs of %v", o.Format, from)
	}
	return nil
}
