package float_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/float"
	"etch/hw"
	kind "etch/hw/float"
	"etch/testbench"
)

// doing is the model of an operation of a shared unit.
func doing(do float.Do, f, to float.Format, x [3]uint64, r float.Rounding) result {
	a, b, c := x[0], x[1], x[2]
	switch do {
	case float.DoAdd:
		return pair(f.Add(a, b, r))
	case float.DoSub:
		return pair(f.Sub(a, b, r))
	case float.DoMul:
		return pair(f.Mul(a, b, r))
	case float.DoMulAdd:
		return pair(f.FMA(a, b, c, r))
	case float.DoMulSub:
		return pair(f.FMA(a, b, f.Neg(c), r))
	case float.DoNegMulAdd:
		return pair(f.FMA(f.Neg(a), b, c, r))
	case float.DoNegMulSub:
		return pair(f.FMA(f.Neg(a), b, f.Neg(c), r))
	}
	if f == to {
		return pair(to.Convert(a, to, r))
	}
	return pair(f.Convert(a, to, r))
}

// families is formats that share a unit.
var families = [][]float.Format{
	{float.F16},
	{float.F32, float.F16, float.BF16},
	{float.F16, float.BF16, float.E5M2, float.E4M3},
	{float.E5M2, float.E4M3FN},
	{float.BF16, {Exp: 5, Frac: 10, Saturate: true}, float.E2M3},
}

// Every operation of every format of a shared unit, and all conversions, on directed
// operands.
func TestShared(t *testing.T) {
	for i, list := range families {
		for j, r := range static {
			if testing.Short() && (i+j)%3 != 0 {
				continue
			}
			t.Run(fmt.Sprint(list, r), func(t *testing.T) {
				stages := (i + j) % 6
				o := op(list[0], r, stages)
				u := float.Shared{Op: o, Also: list[1:]}
				names := []string{"a", "b", "c", "do"}
				if len(list) > 1 {
					names = append(names, "in_0", "out_0")
				}
				c := newCircuit(t, build(t, u), stages, names...)
				for in, f := range list {
					x := sampled(f, samples(4000))
					n := len(x[0])
					for code, do := range float.Doings {
						for out, to := range list {
							if do != float.DoConvert && out > 0 || do == float.DoConvert && in == out {
								continue
							}
							columns := append(x[:3:3], constant(uint64(code), n))
							if len(list) > 1 {
								columns = append(columns, constant(uint64(in), n), constant(uint64(out), n))
							}
							c.check(func(x []uint64) result { return doing(do, f, to, [3]uint64(x[:3]), r) }, columns...)
						}
					}
				}
			})
		}
	}
	require.ErrorContains(t, float.Shared{Op: op(float.F32, 0, 0), Also: []float.Format{{Exp: 1, Frac: 3}}}.Validate(), "1 exponent bits")
}

// All pairs, and every conversion, of two 8-bit formats that share a unit.
func TestSharedExhaustive(t *testing.T) {
	list := []float.Format{float.E5M2, float.E4M3}
	for j, r := range static {
		if testing.Short() && j != 2 {
			continue
		}
		c := newCircuit(t, build(t, float.Shared{Op: op(list[0], r, 0), Also: list[1:]}), 0, "a", "b", "c", "do", "in_0", "out_0")
		for in, f := range list {
			for code, do := range float.Doings {
				x := all(f, 2)
				n := len(x[0])
				x = append(x, x[1], constant(uint64(code), n), constant(uint64(in), n), constant(uint64(1-in), n))
				c.check(func(x []uint64) result { return doing(do, f, list[1-in], [3]uint64(x[:3]), r) }, x...)
			}
		}
	}
}

// One fp32, two fp16 or four FP8 numbers in a word.
func TestPacked(t *testing.T) {
	list := []float.Format{float.F32, float.F16, float.E5M2}
	for j, r := range static {
		if testing.Short() && j != 1 {
			continue
		}
		c := newCircuit(t, build(t, float.Packed{Shared: float.Shared{Op: op(list[0], r, j), Also: list[1:]}}), j, "a", "b", "c", "do", "in_0", "out_0")
		for in, f := range list {
			lanes, w := 32/f.Width(), f.Width()
			x := sampled(f, samples(4000)*lanes)
			var words [3][]uint64
			for k := range words {
				for at := 0; at < len(x[k]); at += lanes {
					var word uint64
					for lane := range lanes {
						word |= x[k][at+lane] << (lane * w)
					}
					words[k] = append(words[k], word)
				}
			}
			n := len(words[0])
			for code, do := range float.Doings[:7] {
				c.check(func(x []uint64) (y result) {
					for lane := range lanes {
						var one [3]uint64
						for k := range one {
							one[k] = x[k] >> (lane * w) & (1<<w - 1)
						}
						z := doing(do, f, f, one, r)
						y.y, y.flags = y.y|z.y<<(lane*w), y.flags|z.flags
					}
					return y
				}, words[0], words[1], words[2], constant(uint64(code), n), constant(uint64(in), n), constant(0, n))
			}
		}
	}
	require.ErrorContains(t, float.Packed{Shared: float.Shared{Op: op(float.F32, 0, 0), Also: []float.Format{float.TF32}}}.Validate(), "do not fill a word of 32 bits")
}

// The emitted Verilog of a shared and a packed unit.
func TestVerilogOfShared(t *testing.T) {
	list := []float.Format{float.F16, float.E5M2, float.E4M3FN}
	o := op(list[0], float.NearestEven, 2)
	draw := rand.New(rand.NewPCG(3, 4))
	for _, packed := range []bool{false, true} {
		u := float.Shared{Op: o, Also: list[1:]}
		component := hw.Component[float.SharedPorts](u)
		if packed {
			component = float.Packed{Shared: u}
		}
		s, p := testbench.New(t, component, testbench.CoSim("iverilog"))
		s.Set(p.En, 1)
		for range samples(1600) {
			in, out, code := draw.IntN(3), draw.IntN(3), draw.IntN(len(float.Doings))
			x := sampled(list[in], 1)
			var one [3]uint64
			for k, port := range []hw.UInt{p.A, p.B, p.C} {
				if one[k] = x[k][0]; draw.IntN(3) > 0 {
					one[k] = draw.Uint64() & (1<<list[in].Width() - 1)
				}
				s.Set(port, int(one[k]))
			}
			s.Set(p.Do, code)
			s.Set(p.In[0], in)
			s.Set(p.Out[0], out)
			s.Step(2)
			to := list[in]
			if float.Doings[code] == float.DoConvert {
				to = list[out]
			}
			want := doing(float.Doings[code], list[in], to, one, float.NearestEven)
			got := result{uint64(s.Get(p.Y)) & (1<<to.Width() - 1), kind.Flags(s.Get(p.Flags))}
			if packed && in != 0 { // the other lane has zeros, whose results and flags are its own
				got.flags = want.flags
			}
			require.Equal(t, want, got, "%v %v to %v: %x", float.Doings[code], list[in], to, one)
		}
	}
}
