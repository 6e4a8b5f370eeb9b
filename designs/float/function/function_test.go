package function

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/float"
	"etch/sim"
	"etch/sim/lanes"
	"etch/testbench"
	"etch/testbench/tools"
)

// every visits the functions; with -short a few of them.
func every(t *testing.T, f func(t *testing.T, fn Function)) {
	for i, fn := range Functions {
		if testing.Short() && i%5 != 0 {
			continue
		}
		t.Run(string(fn), func(t *testing.T) { f(t, fn) })
	}
}

// Every fp16 and bf16 operand gives the correctly rounded result, in the model and in
// the circuit.
func TestCorrect(t *testing.T) {
	every(t, func(t *testing.T, fn Function) {
		for _, f := range []float.Format{float.F16, float.BF16, float.E5M2} {
			u := Unit{Function: fn, Format: f}
			table, err := TableOf(u)
			require.NoError(t, err)
			for code := range uint64(1) << f.Width() {
				if got, want := table.Eval(code), fn.Correct(f, code); got != want {
					t.Fatalf("%v %v %x: model %x, want %x", fn, f, code, got, want)
				}
			}
			u.Flags = true
			circuit(t, u, table)
		}
	})
}

// Flags of known operands, of which each kind has one.
func TestFlags(t *testing.T) {
	f := float.F16
	for _, c := range []struct {
		fn    Function
		x     uint64
		flags float.Flags
	}{
		{Exp, 0x8000, 0}, {Exp, 0x3c00, float.Inexact}, {Exp, 0x4c00, float.Inexact | float.Overflow}, {Exp, 0xcc00, float.Inexact | float.Underflow}, {Exp, 0x7c00, 0},
		{Exp, 0x7c01, float.Invalid}, {Exp, 0x7e01, 0}, {Exp2, 0x4200, 0}, {Exp2, 0xce00, 0}, {Exp2, 0xce40, float.Inexact | float.Underflow}, {Exp2, 0x4c00, float.Inexact | float.Overflow}, {Exp2, 0x6400, float.Inexact | float.Overflow},
		{Exp2, 0x3800, float.Inexact}, {Log, 0x3c00, 0}, {Log, 0x8000, float.DivideByZero}, {Log, 0xbc00, float.Invalid}, {Log2, 1, 0}, {Log2, 3, float.Inexact},
		{Log1p, 0xbc00, float.DivideByZero}, {Log1p, 0x8000, 0}, {Log1p, 1, float.Inexact | float.Underflow}, {Tanh, 0, 0}, {Tanh, 0xfc00, 0}, {Sigmoid, 0, 0}, {Sigmoid, 0xfc00, 0},
		{Softplus, 0, float.Inexact}, {Recip, 0x4000, 0}, {Recip, 0x4200, float.Inexact}, {Recip, 1, float.Inexact | float.Overflow}, {Recip, 0, float.DivideByZero},
		{RSqrt, 0x4400, 0}, {RSqrt, 0x4000, float.Inexact}, {RSqrt, 0xbc00, float.Invalid}, {Sin, 0x3400, 0}, {Sin, 0x3000, float.Inexact}, {Cos, 0x7c00, float.Invalid},
	} {
		require.Equal(t, c.flags, c.fn.Flags(f, c.x), "%v of %x", c.fn, c.x)
	}
}

// MPFR computes the functions that it has: results and flags but for that of tiny numbers,
// of all operands. See hw/float for how it is got.
func TestPythonMPFR(t *testing.T) {
	python := os.Getenv("ETCH_FLOAT_PYTHON")
	if python == "" {
		python = tools.Need(t, "float-judges")[0].Path
	}
	for _, f := range []float.Format{float.F16, float.BF16, float.E5M2} {
		var lines strings.Builder
		for code := range 1 << f.Width() {
			fmt.Fprintf(&lines, "%x\n", code)
		}
		for fn, name := range map[Function]string{Exp: "exp", Exp2: "exp2", Log: "log", Log2: "log2", Log1p: "log1p", Tanh: "tanh", RSqrt: "rec_sqrt"} {
			cmd := exec.CommandContext(t.Context(), python, "../../../hw/float/testdata/judge.py", "mpfr", fmt.Sprint(f.Exp), fmt.Sprint(f.Frac), name, "rne")
			cmd.Stdin = strings.NewReader(lines.String())
			var said bytes.Buffer
			cmd.Stderr = &said
			out, err := cmd.Output()
			require.NoError(t, err, said.String())
			answers := strings.Split(strings.TrimSpace(string(out)), "\n")
			require.Len(t, answers, 1<<f.Width())
			for code, answer := range answers {
				if fn == RSqrt && uint64(code) == f.Neg(0) {
					continue // -∞ by IEEE 754, ∞ by MPFR
				}
				y, flags := fn.Correct(f, uint64(code)), fn.Flags(f, uint64(code))&^float.Underflow
				if f.IsSignaling(uint64(code)) {
					flags = 0 // MPFR has no such NaNs
				}
				want := fmt.Sprintf("%x %x", y, uint8(flags))
				if f.IsNaN(y) {
					want = fmt.Sprintf("nan %x", uint8(flags))
					if f.IsNaN(uint64(code)) { // after which MPFR's flag of the operation says nothing
						want, answer = "nan", strings.Fields(answer)[0]
					}
				}
				require.Equal(t, answer, want, "%v %v of %x", f, fn, code)
			}
		}
	}
}

// circuit compares a unit with its model on every operand, in lanes.
func circuit(t *testing.T, u Unit, table *Table) {
	d, _, err := hw.Build(u)
	require.NoError(t, err)
	const width = 1024
	l, err := lanes.New(d, width)
	require.NoError(t, err)
	defer l.Close()
	signal := func(name string) sim.Signal {
		s, err := l.Signal(name)
		require.NoError(t, err)
		return s
	}
	a, y := signal("a"), signal("y")
	require.NoError(t, l.SetAll(signal("en"), 1))
	n := 1 << u.Format.Width()
	in, out, raised := make([]uint64, width), make([]uint64, width), make([]uint64, width)
	for from := 0; from < n+u.Latency()*width; from += width {
		for i := range in {
			in[i] = uint64(from+i) % uint64(n)
		}
		require.NoError(t, l.SetSlice(a, in))
		l.Step(1)
		require.NoError(t, l.GetSlice(y, out))
		if u.Flags {
			require.NoError(t, l.GetSlice(signal("flags_0"), raised))
		}
		if at := from - (u.Latency()-1)*width; at >= 0 {
			for i := range out {
				code := uint64(at+i) % uint64(n)
				if out[i] != table.Eval(code) {
					t.Fatalf("%v: %x: circuit %x, model %x", u, code, out[i], table.Eval(code))
				}
				if want := u.Function.Flags(u.Format, code); u.Flags && float.Flags(raised[i]) != want {
					t.Fatalf("%v: %x: circuit raises %v, model %v", u, code, float.Flags(raised[i]), want)
				}
			}
		}
	}
	require.Empty(t, l.Failures())
}

// With a bound of 0.6 no error is greater, some are greater than 0.5, and the memories
// are no larger.
func TestUlp(t *testing.T) {
	every(t, func(t *testing.T, fn Function) {
		exact, err := TableOf(Unit{Function: fn, Format: float.F16})
		require.NoError(t, err)
		near, err := TableOf(Unit{Function: fn, Format: float.F16, Ulp: 0.6})
		require.NoError(t, err)
		most, differ := MaxUlp(fn, near)
		require.LessOrEqual(t, most, 0.6)
		require.Greater(t, most, 0.5)
		require.NotZero(t, differ)
		require.LessOrEqual(t, near.Bits(), exact.Bits())

		most, differ = MaxUlp(fn, exact)
		require.LessOrEqual(t, most, 0.5)
		require.Zero(t, differ)
	})
}

// The stored forms are those that a search finds.
func TestForms(t *testing.T) {
	if os.Getenv("ETCH_SLOW") == "" {
		t.Skip("ETCH_SLOW=1 searches, for a minute")
	}
	for _, u := range stored() {
		found := newTargets(u).search()
		require.Equal(t, found, forms[formKey{string(u.Function), u.Format.String(), u.ulp()}], "%v:\n%s", u, source())
	}
}

// stored lists the units whose forms are kept.
func stored() (list []Unit) {
	for _, fn := range Functions {
		list = append(list, Unit{Function: fn, Format: float.F16}, Unit{Function: fn, Format: float.F16, Ulp: 0.6}, Unit{Function: fn, Format: float.BF16})
	}
	return list
}

// source is the text of the stored forms.
func source() string {
	var b strings.Builder
	for _, u := range stored() {
		f := newTargets(u).search()
		fmt.Fprintf(&b, "\t{%q, %q, %v}: {Degree: %d, Low: %d, Slope: %d, Bend: %d},\n", u.Function, u.Format, u.ulp(), f.Degree, f.Low, f.Slope, f.Bend)
	}
	return b.String()
}

// The float64 functions are exact to 2^-40 where big arithmetic is quick to say so, and
// have the values that the limits demand.
func TestTargets(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		f    Function
		x, y float64
	}{
		{Exp, -inf, 0}, {Exp, inf, inf}, {Exp2, 10, 1024}, {Log, 0, -inf}, {Log2, 8, 3}, {Log1p, -1, -inf}, {Tanh, inf, 1}, {Sigmoid, -inf, 0},
		{Sigmoid, 0, .5}, {Softplus, -inf, 0}, {Recip, math.Copysign(0, -1), -inf}, {RSqrt, .25, 2}, {Sin, .25, 1}, {Sin, .5, 0}, {Sin, -.75, 1},
		{Cos, .5, -1}, {Cos, .25, 0}, {Cos, 1024, 1}, {Sin, 1. / 1024 * 512, 0},
	} {
		require.Equal(t, c.y, c.f.At(c.x), "%v of %v", c.f, c.x)
	}
	for _, c := range []struct {
		f Function
		x float64
	}{{Log, -1}, {Log2, math.Inf(-1)}, {Log1p, -1.5}, {RSqrt, -1}, {Sin, inf}, {Cos, -inf}, {Exp, math.NaN()}} {
		y := c.f.At(c.x)
		require.True(t, y != y, "%v of %v", c.f, c.x)
	}
	for i := 1; i < 2000; i++ { // e^x by its series
		x := float64(i-1000) / 128
		sum, term := new(big.Rat), big.NewRat(1, 1)
		for k := int64(1); k < 60; k++ {
			sum.Add(sum, term)
			term.Mul(term, new(big.Rat).Mul(new(big.Rat).SetFloat64(x), big.NewRat(1, k)))
		}
		want, _ := sum.Float64()
		require.InEpsilon(t, want, Exp.At(x), 1e-12)
	}
}

// The emitted Verilog does what the model says, and stands still without its enable.
func TestVerilog(t *testing.T) {
	u := Unit{Function: Tanh, Format: float.F16}
	table, err := TableOf(u)
	require.NoError(t, err)
	s, p := testbench.New(t, u, testbench.CoSim("iverilog"))
	var want []uint64
	for i := range 600 {
		code := uint64(i*7919) & 0xffff
		s.Set(p.A.Raw, int(code))
		en := i%5 != 3
		s.Set(p.En, map[bool]int{true: 1}[en])
		s.Step(1)
		if en {
			want = append(want, table.Eval(code))
		}
		if n := len(want) - u.Latency(); n >= 0 && en {
			s.Expect(p.Y.Raw, int(want[n]))
		}
	}
}

func TestBadUnits(t *testing.T) {
	for want, u := range map[string]Unit{
		"is none of exp, exp2":       {Function: "gamma", Format: float.F16},
		"want IEEE codes of 6 to 16": {Function: Exp, Format: float.F32},
		"neither flush nor saturate": {Function: Exp, Format: float.Format{Exp: 5, Frac: 2, Flush: true}},
	} {
		_, err := TableOf(u)
		require.ErrorContains(t, err, want)
		_, _, err = hw.Build(u)
		require.Error(t, err)
	}
}
