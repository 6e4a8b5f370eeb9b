package area

import (
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
