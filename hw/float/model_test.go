package float

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw/fixed"
)

var (
	modes  = []Rounding{NearestEven, TowardZero, Down, Up, NearestAway}
	narrow = []Format{
		E5M2, E4M3, E4M3FN, E3M2, E2M3, E2M1,
		{Exp: 3, Frac: 4}, {Exp: 5, Frac: 1},
		{Exp: 5, Frac: 2, Flush: true}, {Exp: 5, Frac: 2, Saturate: true}, {Exp: 4, Frac: 3, Codes: OnlyNaN, Saturate: true},
	}
)

// Every pair of the formats of up to eight bits, in every mode: sum, difference,
// product, quotient, root and hypot, in both paths, with all flags.
func TestNarrowFormats(t *testing.T) {
	for i, f := range narrow {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(f.String(), func(t *testing.T) {
			j := newJudge(f)
			for a := range uint64(1) << f.Width() {
				x, ok := j.operand(a)
				if !ok {
					continue
				}
				for _, r := range modes {
					if x > 0 {
						agree(t, f, "sqrt", r, j, false, rootOfSum(x, 0), []uint64{a}, arithmetic.root)
					}
				}
				for b := range uint64(1) << f.Width() {
					y, ok := j.operand(b)
					if !ok {
						continue
					}
					for _, r := range modes {
						agreeTwo(t, f, r, j, a, b, x, y)
					}
				}
			}
		})
	}
}

func agreeTwo(t *testing.T, f Format, r Rounding, j *judge, a, b uint64, x, y float64) {
	if s := x + y; s != 0 {
		check(t, f, "add", r, j, s < 0, value(math.Abs(s)), a, b, Format.Add)
	} else {
		v, flags := f.Add(a, b, r)
		require.Equal(t, f.sign(math.Signbit(x) && math.Signbit(y) || r == Down && math.Signbit(x) != math.Signbit(y)), v, "%v + %v", x, y)
		require.Zero(t, flags)
	}
	if d := x - y; d != 0 {
		check(t, f, "sub", r, j, d < 0, value(math.Abs(d)), a, b, Format.Sub)
	}
	neg := math.Signbit(x) != math.Signbit(y)
	if p := x * y; p != 0 {
		check(t, f, "mul", r, j, neg, value(math.Abs(p)), a, b, Format.Mul)
	}
	if x != 0 && y != 0 {
		check(t, f, "div", r, j, neg, ratio(math.Abs(x), math.Abs(y)), a, b, Format.Div)
	}
	if s := x*x + y*y; s != 0 {
		check(t, f, "hypot", r, j, false, rootOfSum(x*x, y*y), a, b, Format.Hypot)
	}
}

func check(t *testing.T, f Format, op string, r Rounding, j *judge, neg bool, x exactly, a, b uint64, model func(Format, uint64, uint64, Rounding) (uint64, Flags)) {
	want, flags := j.round(neg, x, r)
	v, got := model(f, a, b, r)
	if v != want || got != flags {
		t.Fatalf("%v %v %x %x %v: %x %v, want %x %v", f, op, a, b, r, v, got, want, flags)
	}
}

func agree(t *testing.T, f Format, op string, r Rounding, j *judge, neg bool, x exactly, codes []uint64, model func(arithmetic, number, Rounding) (uint64, Flags)) {
	want, flags := j.round(neg, x, r)
	for _, p := range []arithmetic{words{f}, exact{f}} {
		v, got := model(p, f.number(codes[0]), r)
		if v != want || got != flags {
			t.Fatalf("%v %v %x %v by %T: %x %v, want %x %v", f, op, codes, r, p, v, got, want, flags)
		}
	}
}

// Every triple of the 6-bit formats through the fused multiply-add, in every mode.
func TestNarrowFMA(t *testing.T) {
	for _, f := range []Format{E3M2, E2M3, {Exp: 3, Frac: 2}, {Exp: 3, Frac: 2, Flush: true}} {
		j := newJudge(f)
		for at := range uint64(1) << 18 {
			a, b, c := at&63, at>>6&63, at>>12
			x, okX := j.operand(a)
			y, okY := j.operand(b)
			z, okZ := j.operand(c)
			s := x*y + z // exact
			if !okX || !okY || !okZ || s == 0 {
				continue
			}
			for _, r := range modes {
				want, flags := j.round(s < 0, value(math.Abs(s)), r)
				v, got := f.FMA(a, b, c, r)
				if v != want || got != flags {
					t.Fatalf("%v %x · %x + %x %v: %x %v, want %x %v", f, a, b, c, r, v, got, want, flags)
				}
			}
		}
	}
}

// cases is n, and fewer with -short.
func cases(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// codes are random ones, near each other, subnormal, and at the ends.
func codes(r *rand.Rand, f Format, n int) []uint64 {
	all := uint64(1)<<f.Width() - 1
	field := uint64(f.topExp()) << f.Frac
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.Uint64() & all
		switch r.IntN(6) {
		case 0: // an exponent near the first one's
			out[i] = (out[i]&^field | out[0]&field + uint64(r.IntN(5)-2)<<f.Frac) & all
		case 1:
			out[i] &^= field
		case 2:
			out[i] = out[i]&f.signBit() | [...]uint64{0, 1, f.Greatest(false), f.One(), 1 << f.Frac, 1<<f.Frac - 1}[r.IntN(6)]
		}
	}
	return out
}

// Machine words give what big integers do.
func TestPathsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	all := append([]Format{F16, BF16, TF32, F32, {Exp: 2, Frac: 29}, {Exp: 11, Frac: 20}, {Exp: 8, Frac: 7, Flush: true}}, narrow...)
	for _, f := range all {
		w, e := words{f}, exact{f}
		for range cases(10000) {
			k := codes(r, f, 3)
			mode := append(modes, Stochastic(1+r.IntN(MaxRandom)).With(r.Uint64()))[r.IntN(6)]
			for i := range k { // operands of the paths are finite
				if f.IsNaN(k[i]) || f.IsInf(k[i]) {
					k[i] = f.One()
				}
			}
			if r.IntN(3) == 0 { // near cancellation
				p, _ := f.Mul(k[0], k[1], NearestEven)
				if p = f.Neg(p) + uint64(r.IntN(5)) - 2; p < 1<<f.Width() && !f.IsNaN(p) && !f.IsInf(p) {
					k[2] = p
				}
			}
			x, y, z := f.number(k[0]), f.number(k[1]), f.number(k[2])
			same := func(op string, do func(a arithmetic) (uint64, Flags)) {
				got, flags := do(w)
				want, wanted := do(e)
				if got != want || flags != wanted {
					t.Fatalf("%v %s %x %v: words %x %v, exact %x %v", f, op, k, mode, got, flags, want, wanted)
				}
			}
			same("sum", func(a arithmetic) (uint64, Flags) { return a.sum(x, y, mode) })
			same("product", func(a arithmetic) (uint64, Flags) { return a.product(x, y, mode) })
			same("fma", func(a arithmetic) (uint64, Flags) { return a.productSum(x, y, z, mode) })
			same("hypot", func(a arithmetic) (uint64, Flags) { return a.hypot(x, y, mode) })
			if y.sig != 0 && x.sig != 0 {
				same("quotient", func(a arithmetic) (uint64, Flags) { return a.quotient(x, y, mode) })
				same("root", func(a arithmetic) (uint64, Flags) { return a.root(x, mode) })
			}
			if f.Width() > 8 {
				continue
			}
			s, want := f.Round(x.neg, x.big(), x.exp-3, false, mode)
			v, got := f.roundWord(x.neg, x.sig, x.exp-3, false, mode)
			require.Equal(t, s, v)
			require.Equal(t, want, got)
		}
	}
}

// fp32 and fp64 are what Go's hardware computes, to the nearest even.
func TestHardware(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	f32 := func(x uint64) float32 { return math.Float32frombits(uint32(x)) }
	f64 := math.Float64frombits
	for range cases(50000) {
		k := codes(r, F32, 2)
		x, y := f32(k[0]), f32(k[1])
		want := []float32{x + y, x - y, x * y, x / y, float32(math.Sqrt(float64(x)))}
		for i, op := range []func() (uint64, Flags){
			func() (uint64, Flags) { return F32.Add(k[0], k[1], NearestEven) },
			func() (uint64, Flags) { return F32.Sub(k[0], k[1], NearestEven) },
			func() (uint64, Flags) { return F32.Mul(k[0], k[1], NearestEven) },
			func() (uint64, Flags) { return F32.Div(k[0], k[1], NearestEven) },
			func() (uint64, Flags) { return F32.Sqrt(k[0], NearestEven) },
		} {
			got, _ := op()
			hard := uint64(math.Float32bits(want[i]))
			require.True(t, got == hard || F32.IsNaN(got) && F32.IsNaN(hard), "fp32 op %d %x: %x, want %x", i, k, got, hard)
		}
		k = codes(r, F64, 3)
		a, b, c := f64(k[0]), f64(k[1]), f64(k[2])
		wide := []float64{a + b, a - b, a * b, a / b, math.Sqrt(a), math.FMA(a, b, c)}
		for i, op := range []func() (uint64, Flags){
			func() (uint64, Flags) { return F64.Add(k[0], k[1], NearestEven) },
			func() (uint64, Flags) { return F64.Sub(k[0], k[1], NearestEven) },
			func() (uint64, Flags) { return F64.Mul(k[0], k[1], NearestEven) },
			func() (uint64, Flags) { return F64.Div(k[0], k[1], NearestEven) },
			func() (uint64, Flags) { return F64.Sqrt(k[0], NearestEven) },
			func() (uint64, Flags) { return F64.FMA(k[0], k[1], k[2], NearestEven) },
		} {
			got, _ := op()
			hard := math.Float64bits(wide[i])
			require.True(t, got == hard || F64.IsNaN(got) && F64.IsNaN(hard), "fp64 op %d %x: %x, want %x", i, k, got, hard)
		}
		v, _ := F64.Convert(k[0], F32, NearestEven)
		hard := uint64(math.Float32bits(float32(a)))
		require.True(t, v == hard || F32.IsNaN(v) && F32.IsNaN(hard), "%x to fp32: %x, want %x", k[0], v, hard)
	}
}

// Slices give what the model does.
func TestSlices(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, f := range []Format{F16, BF16, F32, E5M2, E4M3, TF32} {
		s, ok := f.Slices()
		require.True(t, ok)
		for range 30000 {
			k := codes(r, f, 3)
			x, y, z, to := []float32{s.Value(k[0])}, []float32{s.Value(k[1])}, []float32{s.Value(k[2])}, []float32{0}
			same := func(op string, run func(), want uint64, _ Flags) {
				run()
				got := s.Code(to[0])
				if got != want {
					t.Fatalf("%v %s %x: slices %x, model %x", f, op, k, got, want)
				}
			}
			do := func(op string, run func(), m func() (uint64, Flags)) { v, g := m(); same(op, run, v, g) }
			n := NearestEven
			do("add", func() { s.Add(to, x, y) }, func() (uint64, Flags) { return f.Add(k[0], k[1], n) })
			do("sub", func() { s.Sub(to, x, y) }, func() (uint64, Flags) { return f.Sub(k[0], k[1], n) })
			do("mul", func() { s.Mul(to, x, y) }, func() (uint64, Flags) { return f.Mul(k[0], k[1], n) })
			do("div", func() { s.Div(to, x, y) }, func() (uint64, Flags) { return f.Div(k[0], k[1], n) })
			do("sqrt", func() { s.Sqrt(to, x) }, func() (uint64, Flags) { return f.Sqrt(k[0], n) })
			do("fma", func() { s.FMA(to, x, y, z) }, func() (uint64, Flags) { return f.FMA(k[0], k[1], k[2], n) })
			if !f.IsSignaling(k[0]) && !f.IsSignaling(k[1]) { // float32 has lost which NaN it was
				do("hypot", func() { s.Hypot(to, x, y) }, func() (uint64, Flags) { return f.Hypot(k[0], k[1], n) })
			}
		}
	}
	_, ok := F64.Slices()
	require.False(t, ok)
}

// Results of the specification, most of them traps.
func TestKnownCases(t *testing.T) {
	n := NearestEven
	two := func(v uint64, g Flags) [2]uint64 { return [2]uint64{v, uint64(g)} }
	for i, c := range []struct{ got, want [2]uint64 }{
		{two(F16.FMA(0x7C00, 0, 0x7E59, n)), [2]uint64{0x7E00, 0x10}},
		{two(F16.Mul(0x03FF, 0x3C01, n)), [2]uint64{0x0400, 0x01}},
		{two(F16.Mul(0x0400, 0x3BFF, n)), [2]uint64{0x0400, 0x03}},
		{two(F16.Add(0x8000, 0x8000, n)), [2]uint64{0x8000, 0}},
		{two(F16.Sub(0x3C00, 0x3C00, Down)), [2]uint64{0x8000, 0}},
		{two(F16.Sqrt(0x8000, n)), [2]uint64{0x8000, 0}},
		{two(F16.Hypot(0x65C3, 0x6594, n)), [2]uint64{0x6802, 1}},
		{two(F16.Hypot(0x0003, 0x0004, n)), [2]uint64{0x0005, 0}},
		{two(F16.Hypot(0x7C00, 0x7E00, n)), [2]uint64{0x7C00, 0}},
		{two(F16.FMA(0x39C0, 0xC3FE, 0x07FE, n)), [2]uint64{0xC1BF, 1}},
		{two(E5M2.Hypot(3, 2, n)), [2]uint64{4, 3}},
		{two(E4M3FN.Mul(0x7E, 0x7E, n)), [2]uint64{0x7F, 5}},
		{two(E2M1.Add(7, 7, n)), [2]uint64{7, 5}},
		{two(F16.Div(0x3C00, 0, n)), [2]uint64{0x7C00, 8}},
		{two(F16.Div(0, 0, n)), [2]uint64{0x7E00, 16}},
		{two(F16.Add(0x7D00, 0x3C00, n)), [2]uint64{0x7E00, 16}},
	} {
		require.Equal(t, c.want, c.got, "case %d", i)
	}
	for v, code := range map[float64]uint64{.9: 0x3B33, 1 - .9: 0x2E66, .999: 0x3BFE, .005: 0x1D1F, 1e-4: 0x068E, math.Ln2: 0x398C, 1e-8: 0} {
		require.Equal(t, code, F16.Code(v), "%v", v)
	}
	require.Equal(t, []uint64{0x7E00, 0x7FC0, 0x7FC00000, 0x7E, 0x7C, 0x7F}, []uint64{F16.NaN(), BF16.NaN(), F32.NaN(), E5M2.NaN(), E4M3.NaN(), E4M3FN.NaN()})
	require.Equal(t, 448.0, E4M3FN.Float64(E4M3FN.Greatest(false)))
	require.Equal(t, 6.0, E2M1.Float64(E2M1.Greatest(false)))
}

// Conversions to integers, fixed point and integral numbers.
func TestIntegers(t *testing.T) {
	q := fixed.Format{Width: 8}
	for _, c := range []struct {
		v        float64
		r        Rounding
		unsigned bool
		want     int64
		flags    Flags
	}{
		{2.5, NearestEven, false, 2, Inexact}, {2.5, NearestAway, false, 3, Inexact}, {-2.5, Down, false, -3, Inexact},
		{-0.5, NearestEven, true, 0, Inexact}, {-1, NearestEven, true, 0, Invalid}, {127.5, NearestEven, false, 127, Invalid},
		{-128, NearestEven, false, -128, 0}, {255, NearestEven, true, 255, 0}, {math.Inf(-1), NearestEven, false, -128, Invalid},
		{math.NaN(), NearestEven, false, 127, Invalid},
	} {
		got, flags := F16.ToFixed(F16.Code(c.v), q, c.unsigned, c.r)
		require.Equal(t, c.want, got.Int64(), "%v", c)
		require.Equal(t, c.flags, flags, "%v", c)
	}
	for v := int64(-300); v <= 300; v++ {
		x, flags := F32.FromInt(big.NewInt(v), -3, NearestEven)
		require.Equal(t, float64(v)/8, F32.Float64(x))
		require.Zero(t, flags)
		y, _ := F32.RoundToInt(x, NearestEven)
		require.Equal(t, math.RoundToEven(float64(v)/8), F32.Float64(y))
	}
	for x := range uint64(1) << 16 { // all of fp16
		y, flags := F16.RoundToInt(x, TowardZero)
		if v := F16.Float64(x); v == v {
			require.Equal(t, math.Trunc(v), F16.Float64(y))
			require.Equal(t, math.Trunc(v) != v, flags == Inexact)
		}
		if up, _ := F16.NextUp(x); F16.Float64(x) < math.Inf(1) {
			require.Greater(t, F16.Float64(up), F16.Float64(x))
			down, _ := F16.NextDown(up)
			require.True(t, down == x || F16.IsZero(x) && F16.IsZero(down), "%x %x %x", x, up, down)
		}
		h, _ := F16.Scalb(x, -1, NearestEven)
		half, _ := F16.Mul(x, F16.Code(0.5), NearestEven)
		require.Equal(t, half, h)
	}
}

func TestOrder(t *testing.T) {
	for _, f := range narrow {
		for a := range uint64(1) << f.Width() {
			for b := range uint64(1) << f.Width() {
				x, y := f.Float64(a), f.Float64(b)
				rel, flags := f.Compare(a, b, false)
				require.Equal(t, []bool{x < y, x == y, x > y, x != x || y != y}, []bool{rel == Less, rel == Equal, rel == Greater, rel == Unordered})
				require.Equal(t, f.IsSignaling(a) || f.IsSignaling(b), flags == Invalid)
				lo, _ := f.Min(a, b)
				hi, _ := f.Max(a, b)
				if x == x && y == y {
					require.Equal(t, math.Min(x, y), f.Float64(lo))
					require.Equal(t, math.Signbit(math.Min(x, y)), math.Signbit(f.Float64(lo)))
					require.Equal(t, math.Signbit(math.Max(x, y)), math.Signbit(f.Float64(hi)))
				} else if y == y {
					require.Equal(t, y, f.Float64(lo))
				}
			}
		}
	}
}

// Stochastic rounding goes up for as many random numbers as the part that goes has
// units.
func TestStochastic(t *testing.T) {
	const bits = 4
	for rest := range uint64(1 << bits) {
		ups := 0
		for random := range uint64(1 << bits) {
			x, flags := F16.FromInt(new(big.Int).SetUint64(0x400<<bits+rest), 0, Stochastic(bits).With(random))
			ups += int(x - F16.Code(0x400<<bits))
			require.Equal(t, rest != 0, flags == Inexact)
		}
		require.Equal(t, int(rest), ups)
	}
}

func TestFormatText(t *testing.T) {
	for text, f := range map[string]Format{
		"fp16": F16, "e5m10": F16, "bf16": BF16, "e4m3fn": E4M3FN, "e2m1": E2M1, "e2m1i": {Exp: 2, Frac: 1},
		"e5m2-sat": {Exp: 5, Frac: 2, Saturate: true}, "FP32-flush-sat": {Exp: 8, Frac: 23, Flush: true, Saturate: true},
	} {
		var g Format
		require.NoError(t, g.UnmarshalText([]byte(text)))
		require.Equal(t, f, g)
		back, err := f.MarshalText()
		require.NoError(t, err)
		require.NoError(t, g.UnmarshalText(back))
		require.Equal(t, f, g, "%s", back)
	}
	for _, bad := range []string{"", "e", "fp17", "e12m3", "e1m3", "e5m0", "e5m53", "e5m10x", "e5m10-fast", "5m10", "e-5m10", "e5m+10"} {
		var g Format
		require.Error(t, g.UnmarshalText([]byte(bad)), bad)
	}
	var r Rounding
	for _, text := range []string{"rne", "rtz", "rdn", "rup", "rna", "dynamic", "sr8"} {
		require.NoError(t, r.UnmarshalText([]byte(text)))
		require.Equal(t, text, r.String())
		require.NoError(t, r.Validate())
	}
	for _, bad := range []string{"", "RNE", "sr0", "sr99", "nearest"} {
		require.Error(t, r.UnmarshalText([]byte(bad)), bad)
	}
}
