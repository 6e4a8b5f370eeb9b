package dataflow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"etch/designs/float"
	"etch/designs/float/dataflow"
	"etch/hw"
	kind "etch/hw/float"
	"etch/sim"
)

// every uses all operations, names, and a value twice.
const every = `s = a*0.75 - b/(c + 3)
t = hypot(s, -b) + fma(a, b, sqrt(abs(c)))
max(min(t, 4), -s) - s`

// The circuit computes what the model does, bit for bit, with registers and without.
func TestCircuit(t *testing.T) {
	p, err := dataflow.Parse(every)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "c"}, p.Inputs)
	r := rand.New(rand.NewPCG(1, 2))
	for _, u := range []float.Units{
		{Format: float.F16}, {Format: float.E4M3FN, Rounding: float.Down}, {Format: float.BF16, Add: 2, Mul: 1, FMA: 3, Div: 4, Root: 2, Hypot: 5},
	} {
		d, _, err := hw.Build(dataflow.Circuit{Text: every, Units: u})
		require.NoError(t, err)
		s, err := sim.New(d)
		require.NoError(t, err)
		set := func(name string, v uint64) {
			x, err := s.Signal(name)
			require.NoError(t, err)
			s.Set(x, v)
		}
		y, err := s.Signal("y")
		require.NoError(t, err)
		for range 300 {
			x := []float64{r.NormFloat64(), r.NormFloat64() * 3, r.NormFloat64() * 10}
			if u.Add > 0 {
				set("en", 1)
			}
			for i, name := range []string{"in_0", "in_1", "in_2"} {
				code, _ := u.Format.FromFloat64(x[i], u.Rounding)
				set(name, code)
			}
			if u.Add > 0 {
				s.Step(24)
			}
			require.Equal(t, p.Codes(u.Format, u.Rounding, x), s.Get(y), "%v %v", u, x)
		}
		require.NoError(t, s.Close())
	}
}

// Elementary functions are their units, in the model bit for bit, and round correctly in the
// reference's eyes unless more is allowed.
func TestFunctions(t *testing.T) {
	const text = "e = exp(a); log1p(e) + tanh(a)*sigmoid(a) - cos(a)"
	p, err := dataflow.Parse(text)
	require.NoError(t, err)
	u := float.Units{Format: float.F16, Mul: 1}
	d, _, err := hw.Build(dataflow.Circuit{Text: text, Units: u})
	require.NoError(t, err)
	require.Empty(t, hw.Warnings(d))
	s, err := sim.New(d)
	require.NoError(t, err)
	defer s.Close()
	signal := func(name string) sim.Signal {
		x, err := s.Signal(name)
		require.NoError(t, err)
		return x
	}
	s.Set(signal("en"), 1)
	in, y := signal("in_0"), signal("y")
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		x := []float64{r.NormFloat64() * 3}
		code, _ := u.Format.FromFloat64(x[0], u.Rounding)
		s.Set(in, code)
		s.Step(16)
		require.Equal(t, p.Codes(u.Format, u.Rounding, x), s.Get(y), "%v", x)
	}

	one := func(text string, ulp float64, x ...float64) dataflow.Report {
		p, err := dataflow.Parse(text)
		require.NoError(t, err)
		p.Ulp = ulp
		var samples [][]float64
		for _, v := range x {
			samples = append(samples, []float64{v})
		}
		return p.Compare(float.F16, kind.NearestEven, samples)
	}
	var xs []float64
	for code := range uint64(0x4800) {
		xs = append(xs, float.F16.Float64(code))
	}
	assert.LessOrEqual(t, one("exp(a)", 0, xs...).Result.MaxUlp, .5)
	loose := one("log1p(a)", .6, xs...).Result.MaxUlp
	assert.Greater(t, loose, .5)
	assert.LessOrEqual(t, loose, .6)
	assert.Equal(t, 1, one("exp(a)", 0, 12).Overflows, "162755 is past fp16")
	assert.Equal(t, 999., one("sin(a)", 0, .25).Result.SNR, "a quarter of a turn")

	p, err = dataflow.Parse("a*b")
	require.NoError(t, err)
	assert.NoError(t, p.Supports(float.F32, kind.Down))
	p, err = dataflow.Parse("a*exp(b)")
	require.NoError(t, err)
	assert.NoError(t, p.Supports(float.BF16, kind.NearestEven))
	assert.ErrorContains(t, p.Supports(float.F32, kind.NearestEven), "exp: a table of e8m23: want IEEE codes of 6 to 16 bits")
	assert.ErrorContains(t, p.Supports(float.F16, kind.Down), "rounding rdn: exp rounds to nearest even alone")
}

// Errors of one operation are those of its rounding: at most half a last place, and the
// signal-to-noise ratio of uniform errors.
func TestCompare(t *testing.T) {
	p, err := dataflow.Parse("y = a * b")
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(3, 4))
	var samples [][]float64
	for range 20000 {
		code := func() float64 { return float.F16.Float64(0x3800 + uint64(r.IntN(0x800))) } // in [.5, 2)
		samples = append(samples, []float64{code(), code()})
	}
	rep := p.Compare(float.F16, float.NearestEven, samples)
	require.Equal(t, 20000, rep.Samples)
	require.Len(t, rep.Values, 1)
	assert.LessOrEqual(t, rep.Result.MaxUlp, .5)
	assert.Greater(t, rep.Result.MaxUlp, .49)
	assert.InDelta(t, 6.02*11+10*math.Log10(3)+1.2, rep.Result.SNR, 2.5)
	assert.Zero(t, rep.Overflows+rep.Invalid+rep.Result.Tiny+rep.Result.Cancelled)
	assert.Equal(t, 999., p.Compare(float.F32, float.NearestEven, samples).Result.SNR, "exact")

	// By hand: 300 · 300 overflows, 2^-20 is subnormal, of 1 + 2^-9 - 1 nothing but the
	// last two places are left, and 1/0 is no number in float64 either.
	one := func(text string, x ...float64) dataflow.Report {
		p, err := dataflow.Parse(text)
		require.NoError(t, err)
		return p.Compare(float.F16, kind.NearestEven, [][]float64{x})
	}
	assert.Equal(t, 1, one("a*b", 300, 300).Overflows)
	assert.Equal(t, 1, one("a*b", 300, 300).Result.Overflows)
	assert.Equal(t, 1, one("a*b", 0x1p-10, 0x1p-10).Result.Tiny)
	assert.Equal(t, 1, one("a-b", 1+0x1p-9, 1).Result.Cancelled)
	assert.Equal(t, 0, one("a-b", 3, 1).Result.Cancelled)
	assert.Equal(t, 0, one("a/b", 1, 0).Samples)
	assert.Equal(t, 1, one("a/b", 1, 1e-9).Invalid, "0 in fp16")
	assert.Equal(t, 1, one("a+0", 1e6).Overflows, "an input")
}

// An operation outside its domain is named with its column and the first operands; what
// follows from it is not.
func TestDomain(t *testing.T) {
	for text, want := range map[string]string{
		"sqrt(a) + 1":        "column 1: sqrt of -1 is no number; 1 of 2 samples have no result",
		"1/(a + 1)":          "column 2: div of 1, 0 is no number; 1 of 2 samples have no result",
		"b = a - 3; sqrt(b)": "column 12: sqrt of -4 is no number; 2 of 2 samples have no result",
		"a*1e308*10":         "column 8: mul of -1e+308, 10 is no number; 2 of 2 samples have no result",
		"sqrt(abs(a))":       "",
		"log(a + 1)":         "column 1: log of 0 is no number; 1 of 2 samples have no result",
	} {
		p, err := dataflow.Parse(text)
		require.NoError(t, err)
		if err := p.Domain([][]float64{{-1}, {2}}); want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, want)
		}
	}
}

// The rules of precedence, and each mistake with its column.
func TestParse(t *testing.T) {
	for text, want := range map[string]float64{
		"1 + 2*a": 7, "(1 + 2)*a": 9, "-a*a": -9, "8/a/2": 8. / 3 / 2, "a - 1 - 1": 1, "x = a + 1; x*x": 16, "x = a\n y = x * 2e0": 6, "--a": 3, "+a": 3, ";a*1;": 3,
	} {
		p, err := dataflow.Parse(text)
		require.NoError(t, err, text)
		code := p.Codes(float.F64, float.NearestEven, []float64{3})
		assert.Equal(t, want, float.F64.Float64(code), text)
	}
	for text, want := range map[string]string{
		"":             "empty",
		"1 + 2":        "no inputs",
		"a +":          "at the end: want a number, a name or (",
		"a $ b":        "column 3: '$'",
		"(a + b":       "at the end: want )",
		"a b":          `column 3: "b", want an operator or ;`,
		"3a":           `column 1: "3a", want a decimal number`,
		"a*1e999":      `column 3: "1e999"`,
		"sqrt(a, b)":   `column 10: ")", want ) after 1 operands of sqrt`,
		"a + sine(a)":  `column 5: no function "sine"; did you mean sin?`,
		"logg(a)":      `column 1: no function "logg"; did you mean log or log2?`,
		"gudermann(a)": `column 1: no function "gudermann"; there are sqrt, abs, min, max, hypot, fma, exp, exp2, log, log2, log1p, tanh, sigmoid, softplus, recip, rsqrt, sin, cos`,
		"exp(a, b)":    `want ) after 1 operands of exp`,
		"a = 1":        "no inputs",
		"x = a; x = b": `column 8: "x", want a name that is not used before`,
		"x = a; a = 2": "not used before",
		"sqrt = a":     "not used before",
		"a + b; a":     "nothing behind an expression without a name",
		"2 = a":        "a name before =",
		"sqrt":         "( after sqrt",
	} {
		_, err := dataflow.Parse(text)
		require.ErrorContains(t, err, want, text)
	}
	deep := ""
	for range 200 {
		deep += "("
	}
	_, err := dataflow.Parse(deep + "a")
	require.ErrorContains(t, err, "too large")
}
