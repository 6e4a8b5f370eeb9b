package float_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/float"
	"etch/hw"
	kind "etch/hw/float"
	"etch/ir"
	"etch/sim"
	"etch/sim/lanes"
)

// circuit runs a unit on many operands at once, in the lanes of the simulator.
type circuit struct {
	t       *testing.T
	lanes   *lanes.Lanes
	in      []sim.Signal
	y       sim.Signal
	flags   sim.Signal
	raises  bool // whether there are flags
	latency int
}

// width is the number of lanes.
const width = 1024

func build[P any](t *testing.T, c hw.Component[P]) *ir.Design {
	t.Helper()
	d, _, err := hw.Build(c)
	require.NoError(t, err)
	return d
}

// newCircuit prepares a unit whose operands have these names.
func newCircuit(t *testing.T, d *ir.Design, latency int, operands ...string) *circuit {
	t.Helper()
	l, err := lanes.New(d, width)
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	c := &circuit{t: t, lanes: l, latency: latency}
	find := func(name string) sim.Signal {
		s, err := l.Signal(name)
		require.NoError(t, err)
		return s
	}
	for _, name := range operands {
		c.in = append(c.in, find(name))
	}
	c.y = find("y")
	if f, err := l.Signal("flags"); err == nil {
		c.flags, c.raises = f, true
	}
	require.NoError(t, l.SetAll(find("en"), 1))
	return c
}

// result is what a unit or the model makes of operands.
type result struct {
	y     uint64
	flags kind.Flags
}

// check compares the unit with the model on operands, of which each is a list.
func (c *circuit) check(model func(x []uint64) result, operands ...[]uint64) {
	c.t.Helper()
	n := len(operands[0])
	y, flags := make([]uint64, width), make([]uint64, width)
	x := make([]uint64, len(operands))
	for from := 0; from < n; from += width {
		to := min(from+width, n)
		for i := range operands {
			column := append([]uint64(nil), operands[i][from:to]...)
			column = append(column, make([]uint64, width-len(column))...)
			require.NoError(c.t, c.lanes.SetSlice(c.in[i], column))
		}
		c.lanes.Step(c.latency)
		require.NoError(c.t, c.lanes.GetSlice(c.y, y))
		if c.raises {
			require.NoError(c.t, c.lanes.GetSlice(c.flags, flags))
		}
		for at := from; at < to; at++ {
			for i := range operands {
				x[i] = operands[i][at]
			}
			got, want := result{y[at-from], kind.Flags(flags[at-from])}, model(x)
			if got != want {
				c.t.Fatalf("%x: circuit %x %v, model %x %v", x, got.y, got.flags, want.y, want.flags)
			}
		}
	}
}

// all is every tuple of n codes of a format.
func all(f float.Format, n int) [][]uint64 {
	w := f.Width()
	out := make([][]uint64, n)
	for at := range uint64(1) << (n * w) {
		for i := range out {
			out[i] = append(out[i], at>>(i*w)&(1<<w-1))
		}
	}
	return out
}

// sampled is n tuples of three codes: random, subnormal, near each other, at the ends,
// and with a third that nearly cancels the product of the first two.
func sampled(f float.Format, n int) [][]uint64 {
	r := rand.New(rand.NewPCG(uint64(f.Width()), uint64(f.Frac)))
	mask := uint64(1)<<f.Width() - 1
	field := mask >> (f.Frac + 1) << f.Frac
	out := make([][]uint64, 3)
	for range n {
		var x [3]uint64
		for i := range x {
			x[i] = r.Uint64() & mask
			switch r.IntN(7) {
			case 0:
				x[i] &^= field
			case 1:
				x[i] = (x[i]&^field | x[0]&field + uint64(r.IntN(7)-3)<<f.Frac) & mask
			case 2:
				x[i] = x[i]&^mask>>1 | []uint64{0, 1, f.Greatest(false), f.One(), f.Inf(false), 1 << f.Frac, 1<<f.Frac - 1, f.NaN()}[r.IntN(8)]
			}
		}
		if r.IntN(3) == 0 {
			p, _ := f.Mul(x[0], x[1], kind.NearestEven)
			x[2] = (f.Neg(p) + uint64(r.IntN(5)) - 2) & mask
		}
		if r.IntN(8) == 0 { // a product near the least normal number
			e := f.Bias() + 1 - int(x[0]&field>>f.Frac) + r.IntN(5) - 2
			x[1] = x[1]&^field | uint64(max(e, 0))<<f.Frac&field
		}
		for i := range x {
			out[i] = append(out[i], x[i])
		}
	}
	return out
}

var (
	static = []float.Rounding{float.NearestEven, float.TowardZero, float.Down, float.Up, float.NearestAway}
	narrow = []float.Format{float.E5M2, float.E4M3, float.E4M3FN, {Exp: 3, Frac: 4}, {Exp: 5, Frac: 2, Flush: true}, {Exp: 5, Frac: 2, Saturate: true}}
	tiny   = []float.Format{float.E3M2, float.E2M3, float.E2M1, {Exp: 3, Frac: 2}, {Exp: 2, Frac: 3}, {Exp: 4, Frac: 1}, {Exp: 3, Frac: 2, Flush: true}}
	wide   = []float.Format{float.F16, float.BF16, float.F32, {Exp: 5, Frac: 10, Flush: true}}
)

// samples is n, and fewer with -short.
func samples(n int) int {
	if testing.Short() {
		return n / 8
	}
	return n
}

// named is a subtest's name.
func named(f float.Format, r float.Rounding) string { return fmt.Sprintf("%v_%v", f, r) }

func pair(y uint64, flags kind.Flags) result { return result{y, flags} }
