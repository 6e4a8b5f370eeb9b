package float_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"testing"

	"etch/designs/float"
	"etch/hw/fixed"
	kind "etch/hw/float"
	"etch/testbench"
)

// unusual is formats at the ends of what there is: few exponents with a long fraction, in
// which an alignment is longer than an exponent field can say, and many exponents with
// a short one.
var unusual = []float.Format{
	{Exp: 2, Frac: 14}, {Exp: 4, Frac: 30}, {Exp: 2, Frac: 52}, {Exp: 3, Frac: 17, Flush: true}, {Exp: 6, Frac: 1}, {Exp: 11, Frac: 1}, {Exp: 11, Frac: 52},
	{Exp: 2, Frac: 1}, {Exp: 8, Frac: 2, Saturate: true}, {Exp: 9, Frac: 25}, {Exp: 2, Frac: 26, Codes: kind.Finite}, {Exp: 3, Frac: 9, Codes: kind.OnlyNaN},
}

// ways is the roundings that circuits have: the five modes, and random bits at a port.
var ways = append(static[:len(static):len(static)], float.Stochastic(20))

// modeled compares a unit with its model; a unit with random bits has zeros at the port.
func modeled(c *circuit, r float.Rounding, model func(x []uint64, r float.Rounding) result, columns ...[]uint64) {
	c.t.Helper()
	if r.Random() > 0 {
		r = r.With(0)
	}
	c.check(func(x []uint64) result { return model(x, r) }, columns...)
}

// Operations of one format, its conversions, and products and sums in another format agree
// with the model, in unusual formats.
func TestUnusualFormats(t *testing.T) {
	for i, f := range unusual {
		x, to := sampled(f, samples(1600)), unusual[(i+3)%len(unusual)]
		for j, r := range ways {
			if share := (i + j) % 6; share != 0 && (testing.Short() || share != 3 && os.Getenv("ETCH_SLOW") == "") {
				continue // each format in two roundings, in all of them with ETCH_SLOW=1
			}
			t.Run(named(f, r), func(t *testing.T) {
				for k, o := range basic {
					modeled(o.circuit(t, op(f, r, (i+j+k)%5)), r, func(x []uint64, r float.Rounding) result { return o.model(f, x, r) }, x[:len(o.operands)]...)
				}
				unary(t, f, to, r, x[0])
				across(t, f, to, r, x[:2])
				summed(t, f, r)
			})
		}
	}
}

// unary is the units of one operand.
func unary(t *testing.T, f, to float.Format, r float.Rounding, x []uint64) {
	rint := newCircuit(t, build(t, float.RoundToInt{Op: op(f, r, 1)}), 1, "a")
	modeled(rint, r, func(x []uint64, r float.Rounding) result { return pair(f.RoundToInt(x[0], r)) }, x)
	convert := newCircuit(t, build(t, float.Converter{From: f, Op: op(to, r, 2)}), 2, "a")
	modeled(convert, r, func(x []uint64, r float.Rounding) result { return pair(f.Convert(x[0], to, r)) }, x)
	scale := newCircuit(t, build(t, float.Scaler{Bits: 5, Op: op(f, r, 0)}), 0, "a", "n")
	for n := -16; n < 16; n += 5 {
		modeled(scale, r, func(x []uint64, r float.Rounding) result { return pair(f.Scalb(x[0], n, r)) }, x, constant(uint64(n)&31, len(x)))
	}

	// Integers and fixed point: a fraction that is all below, within, and above the format's.
	for _, q := range []fixed.Format{{Width: 20}, {Width: 12, Frac: 20}, {Width: 40, Frac: 13}} {
		mask := uint64(1)<<q.Width - 1
		fix := newCircuit(t, build(t, float.ToFixed{Op: op(f, r, 1), Fixed: q}), 1, "a")
		modeled(fix, r, func(x []uint64, r float.Rounding) result {
			v, flags := f.ToFixed(x[0], q, false, r)
			return result{new(big.Int).And(v, new(big.Int).SetUint64(mask)).Uint64(), flags}
		}, x)
		raw := make([]uint64, len(x))
		for i := range raw {
			raw[i] = x[i] * 0x9e3779b97f4a7c15 & mask >> (i % q.Width)
		}
		from := newCircuit(t, build(t, float.FromFixed{Op: op(f, r, 1), Fixed: q, Unsigned: true}), 1, "a")
		modeled(from, r, func(x []uint64, r float.Rounding) result {
			return pair(f.FromInt(new(big.Int).SetUint64(x[0]), -q.Frac, r))
		}, raw)
	}
}

// across is units whose result has another format, and those that share a datapath.
func across(t *testing.T, f, to float.Format, r float.Rounding, x [][]uint64) {
	if to.Holds(f) || f.Codes == kind.Finite {
		product := newCircuit(t, build(t, float.Product{From: f, Op: op(to, r, 1)}), 1, "a", "b")
		modeled(product, r, func(x []uint64, r float.Rounding) result { return pair(f.MulTo(x[0], x[1], to, r)) }, x...)
	}
	if r.Random() > 0 {
		return
	}
	shared := newCircuit(t, build(t, float.Shared{Op: op(f, r, 2), Also: []float.Format{to}}), 2, "a", "b", "c", "do", "in_0", "out_0")
	for code, do := range float.Doings {
		columns := [][]uint64{x[0], x[1], x[0], constant(uint64(code), len(x[0])), constant(0, len(x[0])), constant(1, len(x[0]))}
		result := func(x []uint64) result {
			if do == float.DoConvert {
				return doing(do, f, to, [3]uint64(x[:3]), r)
			}
			return doing(do, f, f, [3]uint64(x[:3]), r)
		}
		shared.check(result, columns...)
	}
}

// summed is sums of products. Exact ones of a wide range of exponents are left out: they
// have thousands of bits, and no form of their own.
func summed(t *testing.T, f float.Format, r float.Rounding) {
	if f.Exp > 6 || r.Random() > 0 {
		return
	}
	dot := float.Dot{From: f, N: 3, Op: op(f, r, 2)}
	dots(t, build(t, dot), 2, f, 3, nil, func(x, y []uint64, _ [2]uint64) result { return pair(f.Dot(x, y, f, r)) })
	if f.Codes == kind.Finite {
		return
	}
	block := float.BlockDot{From: f, N: 2, Op: op(f, r, 1)}
	dots(t, build(t, block), 1, f, 2, []string{"scale_a", "scale_b"}, func(x, y []uint64, s [2]uint64) result {
		return pair(f.BlockDot(x, y, uint8(s[0]), uint8(s[1]), f, r))
	})
	if f.Width() < 32 { // what a bench sets is an int
		running := float.Running{Op: op(f, r, 1), Sum: f}
		accumulate(t, f, r, summing{"running", running, running.Latency(), func() accumulator { return runningModel{kind.NewRunning(f, f, r)} }}, testbench.Option(nil))
	}
}

// Every width of exponent and fraction, with a random rounding for each unit; minutes.
func TestEveryFormat(t *testing.T) {
	if os.Getenv("ETCH_SLOW") == "" {
		t.Skip("set ETCH_SLOW=1 to run this test")
	}
	draw := rand.New(rand.NewPCG(11, 52))
	for exp := 2; exp <= 11; exp++ {
		for frac := 1; frac <= 52; frac++ {
			f := float.Format{Exp: exp, Frac: frac}
			x := sampled(f, 1024)
			for _, o := range basic {
				r := ways[draw.IntN(len(ways))]
				t.Run(fmt.Sprint(o.name, "_", named(f, r)), func(t *testing.T) {
					modeled(o.circuit(t, op(f, r, 0)), r, func(x []uint64, r float.Rounding) result { return o.model(f, x, r) }, x[:len(o.operands)]...)
				})
			}
		}
	}
}
