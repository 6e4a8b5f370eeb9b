package replay

import (
	"math/bits"

	"etch/designs/replay/model"
	"etch/hw"
	"etch/hw/arith"
	"etch/hw/pipe"
)

// Widths of logarithms and exponents; see [model.Log2].
const (
	fraction  = model.LogFraction
	errorBits = 32 // of |δ| and ε
	unitBits  = 17 // of α, β and weights: 0 to 1 with 16 fraction bits
	segmentLo = fraction - 6
)

// line is a table of straight lines at a fraction of 20 bits, three stages later.
func line(m *hw.Module, name string, table [64]model.Segment, f hw.UInt, stage int) pipe.Value[hw.UInt] {
	base, slope := make([]uint64, len(table)), make([]uint64, len(table))
	for i, s := range table {
		base[i], slope[i] = uint64(s.Base), uint64(s.Slope)
	}
	at := f.Range(fraction-1, segmentLo)
	rom := func(part string, width int, words []uint64) hw.UInt {
		return hw.Mem(m, name+"_"+part, len(words), hw.Unsigned(width), hw.Contents(words...), hw.Style("logic")).Read(at)
	}
	bases := pipe.Of(m, name+"_start", stage, rom("base", fraction, base))
	slopes := pipe.Of(m, name+"_rise", stage, rom("slope", slopeBits(slope), slope))
	rest := pipe.Of(m, name+"_rest", stage, f.Trunc(segmentLo))
	product := pipe.Of(m, name+"_product", stage+1, slopes.At(stage+1).Mul(rest.At(stage+1)))
	risen := product.At(stage + 2)
	sum := bases.At(stage + 2).Add(arith.Resize(risen.Range(risen.Width()-1, segmentLo), fraction))
	return pipe.Of(m, name, stage+2, sum)
}

func slopeBits(slope []uint64) (n int) {
	for _, s := range slope {
		n = max(n, bits.Len64(s))
	}
	return n
}

// logLatency is the number of stages of log2.
const logLatency = 5

// log2 is the logarithm of x ≥ 1, with 20 fraction bits, logLatency stages later; see
// [model.Log2].
func log2(m *hw.Module, name string, x hw.UInt, stage int) pipe.Value[hw.UInt] {
	if x.Width() == 1 {
		x = x.Extend(2)
	}
	w := x.Width()
	places := pipe.Of(m, name+"_length", stage, x.BitLen())
	value := pipe.Of(m, name+"_value", stage, x)

	// The highest one goes to the top, and the bits below it are the fraction.
	up := places.At(stage + 1)
	f := value.At(stage + 1).ShlBy(up.Lit(w).Sub(up)).Trunc(w - 1)
	if w-1 < fraction {
		f = f.PadLow(fraction - w + 1)
	}
	f = f.Range(f.Width()-1, f.Width()-fraction)
	mantissa := line(m, name+"_line", model.LogTable, pipe.Of(m, name+"_fraction", stage+1, f).At(stage+2), stage+2)
	at := stage + logLatency
	return pipe.Of(m, name, at, hw.Cat(places.At(at).Dec(), mantissa.At(at)))
}

// expLatency is the number of stages of exp2.
const expLatency = 3

// exp2 is the mantissa of 2^y, in [1, 2) with 20 fraction bits, for the fraction of y;
// see [model.Exp2].
func exp2(m *hw.Module, name string, f hw.UInt, stage int) pipe.Value[hw.UInt] {
	l := line(m, name+"_line", model.ExpTable, f, stage)
	at := stage + expLatency
	return pipe.Of(m, name, at, hw.Cat(hw.Ones(1), l.At(at)))
}

// halfUp is a signed number without its 16 lowest bits, rounded.
func halfUp(x hw.SInt) hw.SInt {
	r := x.AddGrow(hw.S(1 << 15).Extend(x.Width()))
	return r.Range(r.Width()-1, 16).AsSigned()
}

// WriteLatency is the number of cycles from the acceptance of an insert or update to its
// operation in the tree: a draw of a request made before may go first.
const WriteLatency = priorityLatency

// priorityLatency is the number of stages of priority.
const priorityLatency = logLatency + expLatency + 5

// priority is (|δ| + ε)^α as a priority, priorityLatency stages behind stage 0; see
// [model.Exponents].
func (c Config) priority(m *hw.Module, delta, alpha, epsilon hw.UInt) pipe.Value[hw.UInt] {
	// δ + ε, saturated, never 0.
	sum := delta.AddGrow(epsilon)
	low := sum.Trunc(errorBits).Or(sum.Bit(errorBits).Rep(errorBits))
	x := pipe.Of(m, "error", 0, hw.Mux(sum.Any(), low, low.Lit(1)))
	log := log2(m, "error_log", x.At(1), 1)

	at := 1 + logLatency
	l := log.At(at).Extend(log.At(at).Width() + 1).AsSigned().Sub(hw.S(model.ErrorFraction << fraction).Extend(log.At(at).Width() + 1))
	y := pipe.Of(m, "power", at, alpha.Extend(unitBits+1).AsSigned().Mul(l))
	at++
	rounded := halfUp(y.At(at))
	rounded = rounded.Add(hw.S(c.Fraction << fraction).Extend(rounded.Width()))
	exponent := pipe.Of(m, "exponent", at, rounded)
	at++
	mantissa := exp2(m, "mantissa", exponent.At(at).AsUnsigned().Trunc(fraction), at)

	// The mantissa's place: to the left by the exponent from the position in which
	// only a half of an LSB is there, then rounded and clamped.
	at += expLatency
	e := exponent.At(at).AsUnsigned()
	whole := e.Range(e.Width()-1, fraction).AsSigned()
	small, large := whole.IsLt(-1), whole.IsGe(c.Leaf)
	places := whole.AsUnsigned().Inc().Trunc(6)
	halves := mantissa.At(at).Extend(fraction + 2 + c.Leaf).ShlBy(places) // with fraction + 1 bits behind the point
	type shifted struct {
		Small, Large hw.Bit
		Halves       hw.UInt
	}
	s := pipe.Of(m, "placed", at, shifted{small, large, halves})
	at++
	r := s.At(at)
	code := r.Halves.Range(fraction+1+c.Leaf, fraction+1).Extend(c.Leaf + 2).Add(r.Halves.Bit(fraction).UInt().Extend(c.Leaf + 2))
	limit := hw.Ones(c.Leaf)
	over := r.Large.Or(code.Range(c.Leaf+1, c.Leaf).Any())
	none := r.Small.Or(code.Is(0).AndNot(r.Large))
	return pipe.Of(m, "coded", at, hw.Mux(none, limit.Lit(1), hw.Mux(over, limit, code.Trunc(c.Leaf))))
}

// weightLatency is the number of stages of weight.
const weightLatency = logLatency + expLatency + 3

// weight is (least/p)^β with 16 fraction bits, weightLatency stages behind stage 0;
// both are at least 1 where it counts; see [model.Exponents].
func (c Config) weight(m *hw.Module, p, least, beta hw.UInt) pipe.Value[hw.UInt] {
	one := pipe.Of(m, "equal", 0, p.Le(least))
	above := log2(m, "drawn_log", p, 0)
	below := log2(m, "least_log", least, 0)
	at := logLatency
	apart := above.At(at).SubGrow(below.At(at))
	y := pipe.Of(m, "weight_power", at, beta.Extend(unitBits+1).AsSigned().Mul(apart))
	at++
	exponent := pipe.Of(m, "weight_exponent", at, halfUp(y.At(at)).Minus())
	at++
	mantissa := exp2(m, "weight_mantissa", exponent.At(at).AsUnsigned().Trunc(fraction), at)
	at += expLatency
	e := exponent.At(at).AsUnsigned()
	down := e.Range(e.Width()-1, fraction).AsSigned().Minus().AsUnsigned() // places to the right, at most 32
	low := mantissa.At(at).ShrBy(down.Trunc(6))
	// Rounding takes the bit below the LSB: shift, then add it.
	const drop = fraction - model.WeightFraction
	w := low.Range(fraction, drop).Extend(unitBits + 1).Add(low.Bit(drop - 1).UInt().Extend(unitBits + 1))
	return pipe.Of(m, "weight", at, hw.Mux(one.At(at), hw.U(1<<model.WeightFraction).Extend(unitBits), w.Trunc(unitBits)))
}
