package checkpoint

import (
	"encoding/binary"
	"math"
)

// decode converts the first len(out) elements of raw.
func (t *Tensor) decode(out []float64, raw []byte) {
	// The usual case has no call per element: weights are millions.
	o := t.order
	switch {
	case t.DType == F32 && o == binary.LittleEndian: // nearly everything
		for i := range out {
			out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
		}
	case t.DType.Float():
		for i := range out {
			out[i] = t.decodeFloat(raw[i*t.DType.Size():])
		}
	default:
		for i := range out {
			out[i] = float64(t.decodeInt(raw[i*t.DType.Size():]))
		}
	}
}

func (t *Tensor) decodeFloat(raw []byte) float64 {
	// bfloat16 is the upper half of a float32.
	switch t.DType {
	case F32:
		return float64(math.Float32frombits(t.order.Uint32(raw)))
	case BF16:
		return float64(math.Float32frombits(uint32(t.order.Uint16(raw)) << 16))
	case F16:
		return float16(t.order.Uint16(raw))
	}
	return math.Float64frombits(t.order.Uint64(raw))
}

func (t *Tensor) decodeInt(raw []byte) int64 {
	switch t.DType {
	case I64:
		return int64(t.order.Uint64(raw))
	case I32:
		return int64(int32(t.order.Uint32(raw)))
	case I16:
		return int64(int16(t.order.Uint16(raw)))
	case I8:
		return int64(int8(raw[0]))
	}
	return int64(raw[0]) // U8, Bool
}

// float16 returns the value of an IEEE 754 half-precision number.
func float16(bits uint16) float64 {
	sign := 1.0
	if bits>>15 != 0 {
		sign = -1
	}

	// Exponent 0 holds 0 and the subnormal numbers, 31 infinity and NaN; others have a leading 1.
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}
