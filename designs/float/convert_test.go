package float_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/float"
	"etch/hw/fixed"
	kind "etch/hw/float"
)

// Every code of the small formats and of fp16 in every other format, and fp32 sampled.
func TestConverter(t *testing.T) {
	formats := []float.Format{
		float.F16, float.BF16, float.E5M2, float.E4M3, float.E4M3FN, float.E2M1, float.F32,
		{Exp: 5, Frac: 2, Saturate: true}, {Exp: 4, Frac: 3, Codes: kind.OnlyNaN, Saturate: true}, {Exp: 6, Frac: 9, Flush: true},
	}
	for i, from := range formats {
		for j, to := range formats {
			if from == to || testing.Short() && (i+j)%3 != 0 {
				continue
			}
			for k, r := range static {
				if testing.Short() && (i+j+k)%5 != 0 {
					continue
				}
				t.Run(fmt.Sprintf("%v_to_%v", from, named(to, r)), func(t *testing.T) {
					c := newCircuit(t, build(t, float.Converter{From: from, Op: op(to, r, k)}), k, "a")
					xs := sampled(from, samples(8000))[:1]
					if from.Width() <= 16 {
						xs = all(from, 1)
					}
					c.check(func(x []uint64) result { return pair(from.Convert(x[0], to, r)) }, xs...)
				})
			}
		}
	}
}

// Integers and fixed point, both ways.
func TestFixed(t *testing.T) {
	for i, f := range []float.Format{float.F16, float.BF16, float.E4M3, float.E4M3FN, float.E2M1, {Exp: 5, Frac: 10, Flush: true}} {
		for j, q := range []fixed.Format{{Width: 8}, {Width: 32}, {Width: 16, Frac: 8}, {Width: 9, Frac: 14}, {Width: 6, Frac: -3}, {Width: 24, Frac: 24}} {
			for k, r := range static {
				unsigned := (i+j+k)%2 == 0
				if testing.Short() && (i+j+k)%4 != 0 {
					continue
				}
				mask := uint64(1)<<q.Width - 1
				t.Run(fmt.Sprintf("%v_%v_%v", named(f, r), q, unsigned), func(t *testing.T) {
					to := newCircuit(t, build(t, float.ToFixed{Op: op(f, r, j%4), Fixed: q, Unsigned: unsigned}), j%4, "a")
					to.check(func(x []uint64) result {
						v, flags := f.ToFixed(x[0], q, unsigned, r)
						return result{new(big.Int).And(v, new(big.Int).SetUint64(mask)).Uint64(), flags}
					}, all(f, 1)...)

					from := newCircuit(t, build(t, float.FromFixed{Op: op(f, r, j%4), Fixed: q, Unsigned: unsigned}), j%4, "a")
					raw := all(float.Format{Exp: 2, Frac: min(q.Width, 12) - 3}, 1)
					if q.Width > 12 {
						raw = sampled(float.Format{Exp: 5, Frac: q.Width - 6}, 3000)[:1]
					}
					from.check(func(x []uint64) result {
						v := int64(x[0])
						if !unsigned {
							v = v << (64 - q.Width) >> (64 - q.Width)
						}
						return pair(f.FromInt(big.NewInt(v), -q.Frac, r))
					}, raw...)
				})
			}
		}
	}
}

// Every code of the 16-bit formats, and every pair of the small ones.
func TestUnary(t *testing.T) {
	for i, f := range append([]float.Format{float.F16, float.BF16, float.E2M3}, narrow...) {
		for k, r := range static {
			c := newCircuit(t, build(t, float.RoundToInt{Op: op(f, r, i%3)}), i%3, "a")
			c.check(func(x []uint64) result { return pair(f.RoundToInt(x[0], r)) }, all(f, 1)...)
			if f.Width() == 16 {
				c := newCircuit(t, build(t, float.Root{Op: op(f, r, k)}), k, "a")
				c.check(func(x []uint64) result { return pair(f.Sqrt(x[0], r)) }, all(f, 1)...)
			}
		}
		if f.Width() > 8 {
			continue
		}
		c := newCircuit(t, build(t, float.MinMax{Op: op(f, float.NearestEven, i%2)}), i%2, "a", "b", "max")
		for _, m := range []uint64{0, 1} {
			xs := all(f, 2)
			xs = append(xs, make([]uint64, len(xs[0])))
			for at := range xs[2] {
				xs[2][at] = m
			}
			c.check(func(x []uint64) result {
				if x[2] == 1 {
					return pair(f.Max(x[0], x[1]))
				}
				return pair(f.Min(x[0], x[1]))
			}, xs...)
		}
	}
}

// Converters and units refuse formats that do not exist.
func TestBadFormats(t *testing.T) {
	require.ErrorContains(t, float.Op{Format: float.Format{Exp: 1, Frac: 3}}.Validate(), "1 exponent bits, want 2 to 11")
	require.ErrorContains(t, float.Op{Format: float.F16, Rounding: 6}.Validate(), "is no mode")
	require.ErrorContains(t, float.Converter{From: float.Format{Exp: 5, Frac: 53}, Op: op(float.F16, 0, 0)}.Validate(), "53 fraction bits")
}
