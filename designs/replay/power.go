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
const logLatency = 6

// log2 is the logarithm of x/2^point for x ≥ 1, with 20 fraction bits, logLatency stages
// later; see [model.Log2]. length is x.BitLen(), which may come out of a memory with x.
func log2(m *hw.Module, name string, x, length hw.UInt, point, stage int) pipe.Value[hw.SInt] {
	if x.Width() == 1 {
		x = x.Extend(2)
	}
	w := x.Width()
	places := pipe.Of(m, name+"_length", stage, arith.Resize(length, hw.UpTo(w).Width()))
	value := pipe.Of(m, name+"_value", stage, x)

	// The highest one goes to the top, and the bits below it are the fraction. The distance
	// has a register before the shift: subtraction and shift are too long for one stage.
	up := places.At(stage + 1)
	distance := pipe.Of(m, name+"_distance", stage+1, up.Lit(w).Sub(up))
	f := value.At(stage + 2).ShlBy(distance.At(stage + 2)).Trunc(w - 1)
	if w-1 < fraction {
		f = f.PadLow(fraction - w + 1)
	}
	f = f.Range(f.Width()-1, f.Width()-fraction)
	mantissa := line(m, name+"_line", model.LogTable, pipe.Of(m, name+"_fraction", stage+2, f).At(stage+3), stage+3)

	// Its place, less one, is the whole part: in a register of its own, so that the result
	// is one, too.
	whole := hw.S(-1 - point).Extend(max(up.Width(), bits.Len(uint(point))) + 1)
	whole = pipe.Of(m, name+"_whole", stage+1, whole.Add(up.Extend(whole.Width()).AsSigned())).At(stage + logLatency)
	at := stage + logLatency
	return pipe.Of(m, name, at, hw.Cat(whole.AsUnsigned(), mantissa.At(at)).AsSigned())
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

// scaleLatency is the number of stages of scaled.
const scaleLatency = 2

// tile is the number of bits of an unsigned factor that a multiplier block of 18 bits takes.
const tile = 17

// half is the way in which scaled rounds a half.
type half bool

const (
	halfUp   half = true
	halfDown half = false
)

// scaled is x·factor/2^16, rounded, scaleLatency stages later; factor has unitBits.
func scaled(m *hw.Module, name string, stage int, x hw.SInt, factor hw.UInt, to half) pipe.Value[hw.SInt] {
	// Two blocks: the upper bits of x have its sign, the lower ones none.
	low, high := x.Trunc(tile).AsUnsigned(), x.Range(x.Width()-1, tile).AsSigned()
	lower := pipe.Of(m, name+"_lower", stage, factor.Mul(low)).At(stage + 1)
	upper := pipe.Of(m, name+"_upper", stage, factor.Extend(unitBits+1).AsSigned().Mul(high)).At(stage + 1)

	// The product is upper·2^17 + lower. Rounding adds one to lower/2^16 or none, as a carry
	// into the one adder: both addends have a bit more at their low end.
	up := lower.Bit(15)
	if to == halfDown {
		up = up.And(lower.Trunc(15).Any())
	}
	w := upper.Width() + 1
	a := hw.Cat(upper.AsUnsigned(), hw.Zeros(1), hw.Ones(1))
	b := hw.Cat(arith.Resize(lower.Range(lower.Width()-1, 16), w), up)
	return pipe.Of(m, name, stage+1, a.Add(b).Range(w, 1).AsSigned())
}

// WriteLatency is the number of cycles from the acceptance of an insert or update to its
// operation in the tree: a draw of a request made before may go first.
const WriteLatency = priorityLatency

// priorityLatency is the number of stages of priority.
const priorityLatency = 3 + logLatency + scaleLatency + expLatency + 2

// priority is (|δ| + ε)^α as a priority, priorityLatency stages behind stage 0; see
// [model.Exponents].
func (c Config) priority(m *hw.Module, delta, alpha, epsilon hw.UInt) pipe.Value[hw.UInt] {
	// δ + ε; a stage later it is saturated, and never 0.
	at := 1
	grown := pipe.Of(m, "error_sum", at, pipe.Of(m, "error", 0, delta).At(at).AddGrow(epsilon))
	at++
	sum := grown.At(at)
	low := sum.Trunc(errorBits).Or(sum.Bit(errorBits).Rep(errorBits))
	x := pipe.Of(m, "error_moved", at, low.Or(sum.Is(0).UInt().Extend(errorBits)))
	at++
	log := log2(m, "error_log", x.At(at), x.At(at).BitLen(), model.ErrorFraction, at)

	at += logLatency
	exponent := scaled(m, "exponent", at, log.At(at), alpha, halfUp)
	at += scaleLatency
	e := exponent.At(at).AsUnsigned()
	mantissa := exp2(m, "mantissa", e.Trunc(fraction), at)

	// The mantissa's place: to the left by the exponent from the position in which
	// only a half of an LSB is there, then rounded and clamped. The place is known while the
	// mantissa is under way.
	type ends struct{ Small, Large hw.Bit }
	whole := e.Range(e.Width()-1, fraction).AsSigned()
	whole = whole.AddGrow(hw.S(c.Fraction).Extend(max(whole.Width(), bits.Len(uint(c.Fraction))+1)))
	beyond := pipe.Of(m, "beyond", at, ends{whole.IsLt(-1), whole.IsGe(c.Leaf)})
	places := pipe.Of(m, "places", at, whole.AsUnsigned().Inc().Trunc(6))
	at += expLatency
	halves := mantissa.At(at).Extend(fraction + 2 + c.Leaf).ShlBy(places.At(at)) // with fraction + 1 bits behind the point
	placed := pipe.Of(m, "placed", at, halves)
	at++
	r, end := placed.At(at), beyond.At(at)
	code := r.Range(fraction+1+c.Leaf, fraction+1).Extend(c.Leaf + 2).Add(r.Bit(fraction).UInt().Extend(c.Leaf + 2))
	limit := hw.Ones(c.Leaf)
	over := end.Large.Or(code.Range(c.Leaf+1, c.Leaf).Any())
	nothing := r.Range(fraction+1+c.Leaf, fraction).Is(0) // then the code is 0: known beside the carries
	none := end.Small.Or(nothing.AndNot(end.Large))
	return pipe.Of(m, "coded", at, hw.Mux(none, limit.Lit(1), hw.Mux(over, limit, code.Trunc(c.Leaf))))
}

// weightLatency is the number of stages of weight.
const weightLatency = logLatency + 1 + scaleLatency + expLatency + 2

// weight is (least/p)^β with 16 fraction bits, weightLatency stages behind stage 0;
// both are at least 1 where it counts, and length is p.BitLen(); see [model.Exponents].
func (c Config) weight(m *hw.Module, p, length, least, beta hw.UInt) pipe.Value[hw.UInt] {
	// Both come late from memory and tree: they are compared behind a register.
	drawn, smallest := pipe.Of(m, "drawn", 0, p), pipe.Of(m, "least", 0, least)
	one := pipe.Of(m, "equal", 1, drawn.At(1).Le(smallest.At(1)))

	above := log2(m, "drawn_log", p, length, 0, 0)
	below := log2(m, "least_log", least, least.BitLen(), 0, 0)
	at := logLatency
	apart := pipe.Of(m, "weight_apart", at, below.At(at).SubGrow(above.At(at)))
	at++

	// The exponent of p/least is rounded half up, and ours is its negative.
	exponent := scaled(m, "weight_exponent", at, apart.At(at), beta, halfDown)
	at += scaleLatency
	e := exponent.At(at).AsUnsigned()
	mantissa := exp2(m, "weight_mantissa", e.Trunc(fraction), at)
	right := e.Range(e.Width()-1, fraction).AsSigned().Minus().AsUnsigned() // places, at most 32
	down := pipe.Of(m, "weight_down", at, right.Trunc(6))

	// Rounding takes the bit below the LSB: shift, then add it.
	at += expLatency
	shifted := pipe.Of(m, "weight_shifted", at, mantissa.At(at).ShrBy(down.At(at)))
	at++
	const drop = fraction - model.WeightFraction
	low := shifted.At(at)
	w := low.Range(fraction, drop).Extend(unitBits + 1).Add(low.Bit(drop - 1).UInt().Extend(unitBits + 1))
	return pipe.Of(m, "weight", at, hw.Mux(one.At(at), hw.U(1<<model.WeightFraction).Extend(unitBits), w.Trunc(unitBits)))
}
