package area

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
)

// Factors that made the cells are found again, those of 0 among them.
func TestFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var points []Point
	for range 12 {
		c := Counts{Add: 100 * r.Float64(), Logic: 50 * r.Float64(), Select: 90 * r.Float64(), Small: 300 * r.Float64(), Product: float64(r.IntN(9)), Register: 500 * r.Float64()}
		points = append(points, Point{c, map[string]float64{"lut": 0.5*(c.Add+c.Logic+c.Select+c.Small) + 3*c.Product, "ff": 0.9 * c.Register}})
	}
	m, err := Fit(points)
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{0.5, 3}, m.lut, 1e-3)
	require.InDeltaSlice(t, []float64{0.9, 0}, m.ff, 1e-3)
	errors, err := Errors(points)
	require.NoError(t, err)
	for _, e := range errors {
		require.InDelta(t, 0, e["lut"], 0.05)
	}
	_, err = Fit(points[:3])
	require.ErrorContains(t, err, "too few")
}

type ports struct {
	A, B hw.UInt `dir:"in"`
	Out  hw.UInt `dir:"out"`
}

// Counts are of bits, memories of their read ports; extensions of operands do not count.
func TestCounts(t *testing.T) {
	shape := ports{hw.Unsigned(18), hw.Unsigned(18), hw.Unsigned(40)}
	d, _, err := hw.Build(hw.Func("sample", shape, func(m *hw.Module, p ports) {
		block := hw.Mem(m, "block", 1024, hw.Unsigned(40))
		block.Write(p.A.Trunc(10), p.B.Extend(40))
		read := block.SyncRead("read", p.A.Trunc(10), hw.Undefined)
		p.Out.Set(read.Add(p.A.Mul(p.B).Extend(40)))
	}))
	require.NoError(t, err)
	c := Of(d, "ecp5")
	require.Equal(t, Counts{Add: 40, Register: 40, Product: 1, Block: 4}, c)
}

type choice struct {
	Which        hw.UInt `dir:"in"`
	A, B         hw.UInt `dir:"in"`
	Fixed, Other hw.UInt `dir:"out"`
}

// A table of constants takes the cells that hold it, a choice between signals one for each
// bit and value.
func TestCountsTables(t *testing.T) {
	shape := choice{hw.Unsigned(5), hw.Unsigned(7), hw.Unsigned(7), hw.Unsigned(9), hw.Unsigned(7)}
	d, _, err := hw.Build(hw.Func("sample", shape, func(m *hw.Module, p choice) {
		constants, signals := map[int]hw.UInt{}, map[int]hw.UInt{}
		for i := range 31 {
			constants[i] = hw.U(i * 37 % 512)
			signals[i] = []hw.UInt{p.A, p.B}[i%3%2]
		}
		p.Fixed.Set(hw.Choose(p.Which, hw.U(500).Extend(9), constants))
		p.Other.Set(hw.Choose(p.Which, p.A.Not(), signals))
	}))
	require.NoError(t, err)
	constants := map[string]float64{"xc7": 9, "ecp5": 18}
	for family, want := range constants {
		require.Equal(t, want+7*31, Of(d, family).Select, family)
	}
}

// Counts go through a journal unchanged; a line that lacks one is an error that names it.
func TestNumbers(t *testing.T) {
	c := Counts{Add: 1, Logic: 2.5, Select: 3, Register: 4, Small: 5, Product: 6, Block: 7}
	numbers := c.Numbers()
	require.Len(t, numbers, len(Names()))
	back, err := OfNumbers(numbers)
	require.NoError(t, err)
	require.Equal(t, c, back)
	delete(numbers, "small")
	_, err = OfNumbers(numbers)
	require.ErrorContains(t, err, "without small")
	numbers["small"] = math.NaN()
	_, err = OfNumbers(numbers)
	require.ErrorContains(t, err, "small = NaN")
}
