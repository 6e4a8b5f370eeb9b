package float_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/float"
	"etch/hw"
	kind "etch/hw/float"
	"etch/hw/stream"
	"etch/testbench"
)

// Units that take a digit a cycle give what the model says, in their interval, and keep
// it until it is taken; the emitted Verilog too.
func TestIterative(t *testing.T) {
	for i, f := range []float.Format{float.F16, float.E5M2, float.E4M3FN, {Exp: 3, Frac: 4}} {
		for j, r := range static {
			o := op(f, r, 0)
			x := sampled(f, samples(1600))
			judges := testbench.Option(nil)
			if i == 0 && j == 0 {
				judges = testbench.CoSim("iverilog")
			}
			t.Run("div_"+named(f, r), func(t *testing.T) {
				s, p := testbench.New(t, float.Dividing{Op: o}, judges)
				for at := range x[0] {
					a, b := x[0][at], x[1][at]
					s.Set(p.In.Data.A.Raw, int(a))
					s.Set(p.In.Data.B.Raw, int(b))
					drive(t, s, p.In.Valid, p.In.Ready, p.Out, float.Dividing{Op: o}.Interval(), at, pair(f.Div(a, b, r)))
				}
			})
			t.Run("sqrt_"+named(f, r), func(t *testing.T) {
				s, p := testbench.New(t, float.Rooting{Op: o}, judges)
				for at, a := range x[0] {
					s.Set(p.In.Data.Raw, int(a))
					drive(t, s, p.In.Valid, p.In.Ready, p.Out, float.Rooting{Op: o}.Interval(), at, pair(f.Sqrt(a, r)))
				}
			})
		}
	}
	require.ErrorContains(t, float.Dividing{Op: op(float.F16, float.Dynamic, 0)}.Validate(), "needs no port")
}

// drive offers what stands at the input, waits for the result and, now and then, leaves
// it for a while.
func drive(t *testing.T, s *testbench.Bench, valid, ready hw.Bit, out stream.Stream[float.Result], interval, at int, want result) {
	t.Helper()
	s.Set(out.Ready, 0)
	s.Set(valid, 1)
	require.True(t, s.High(ready))
	s.Step(1)
	s.Set(valid, 0)
	s.StepUntil(func() bool { return s.High(out.Valid) }, 10*interval)
	s.Step(at % 3)
	require.True(t, s.High(out.Valid))
	require.Equal(t, want, result{uint64(s.Get(out.Data.Y.Raw)), kind.Flags(s.Get(out.Data.Flags))}, "case %d", at)
	s.Set(out.Ready, 1)
	s.Step(1)
}

// The initiation interval is Interval, of normal operands with a normal result, in every format.
func TestIterativeInterval(t *testing.T) {
	for _, f := range []float.Format{float.F16, float.E5M2, float.F32, {Exp: 3, Frac: 4}} {
		one := (1<<(f.Exp-1) - 1) << f.Frac
		t.Run(named(f, kind.NearestEven), func(t *testing.T) {
			o := op(f, kind.NearestEven, 0)
			s, p := testbench.New(t, float.Dividing{Op: o})
			s.Set(p.In.Data.A.Raw, one+1)
			s.Set(p.In.Data.B.Raw, one)
			require.Equal(t, float.Dividing{Op: o}.Interval(), interval(t, s, p.In.Valid, p.In.Ready, p.Out))

			r, q := testbench.New(t, float.Rooting{Op: o})
			r.Set(q.In.Data.Raw, one+1)
			require.Equal(t, float.Rooting{Op: o}.Interval(), interval(t, r, q.In.Valid, q.In.Ready, q.Out))
		})
	}
}

// interval is the number of cycles from taking operands to taking the next ones.
func interval(t *testing.T, s *testbench.Bench, valid, ready hw.Bit, out stream.Stream[float.Result]) (n int) {
	s.Set(valid, 1)
	s.Set(out.Ready, 1)
	require.True(t, s.High(ready))
	s.Step(1)
	return 1 + s.StepUntil(func() bool { return s.High(ready) }, 1000)
}
