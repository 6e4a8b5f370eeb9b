package area

import (
	"fmt"
	"math"
)

// Point is a design that was synthesised.
type Point struct {
	Counts Counts
	Cells  map[string]float64 // lut, ff, dsp, bram
}

// Model estimates cells of one family.
type Model struct {
	lut, ff []float64 // factors of terms
}

// terms are the counts that tables are a sum of. One factor for all bits, since with the
// few points that there are a factor for each kind fits better and predicts worse: 22 %
// instead of 11 % for a learner on ecp5 that was left out.
func (c Counts) terms() []float64 { return []float64{c.Add + c.Logic + c.Select + c.Small, c.Product} }

// registers are the counts that flip-flops are a sum of: some registers end in
// multipliers or memories, and products have parts outside of multipliers.
func (c Counts) registers() []float64 { return []float64{c.Register, c.Product} }

// Fit finds the factors of a family; it takes some more points than there are factors.
func Fit(points []Point) (m Model, err error) {
	if len(points) < 6 {
		return m, fmt.Errorf("%d points are too few to fit an area", len(points))
	}

	// Relative errors: an error of 100 LUT matters in a small design and not in a large one.
	fit := func(cell string, of func(Counts) []float64) []float64 {
		var rows [][]float64
		for _, p := range points {
			rows = append(rows, relative(of(p.Counts), p.Cells[cell]))
		}
		return leastSquares(rows)
	}

	return Model{fit("lut", Counts.terms), fit("ff", Counts.registers)}, nil
}

// relative is a row of terms that add up to 1, if the model is right.
func relative(terms []float64, cells float64) (row []float64) {
	for _, t := range terms {
		row = append(row, t/math.Max(cells, 1))
	}
	return row
}

// Cells are the estimates for a design.
func (m Model) Cells(c Counts) map[string]float64 {
	return map[string]float64{
		"lut": math.Round(dot(m.lut, c.terms())), "ff": math.Round(dot(m.ff, c.registers())),
		"dsp": c.Product, "bram": c.Block,
	}
}

// Errors are the relative errors of tables and flip-flops of each point, estimated by a
// model that was fitted to the other points.
func Errors(points []Point) (errors []map[string]float64, err error) {
	for i, p := range points {
		others := append(append([]Point(nil), points[:i]...), points[i+1:]...)
		m, err := Fit(others)
		if err != nil {
			return nil, err
		}

		// The model has not seen the point: its error is that of a new design.
		got := m.Cells(p.Counts)
		e := map[string]float64{}
		for _, cell := range []string{"lut", "ff"} {
			e[cell] = got[cell]/p.Cells[cell] - 1
		}

		errors = append(errors, e)
	}
	return errors, nil
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// leastSquares finds factors, none below 0, with which rows add up to about 1: coordinate
// descent on the normal equations, which converges for any rows since the error is convex
// (Franc, Hlaváč and Navara, Sequential coordinate-wise algorithm for non-negative least
// squares, 2005).
func leastSquares(rows [][]float64) []float64 {
	// Normal equations h·x = f of the system rows·x = 1.
	n := len(rows[0])
	x := make([]float64, n)
	h, f := make([][]float64, n), make([]float64, n)
	for i := range h {
		h[i] = make([]float64, n)
		for _, r := range rows {
			f[i] += r[i]
			for j := range h[i] {
				h[i][j] += r[i] * r[j]
			}
		}
	}

	// Each coordinate in turn takes its best value with the others fixed, cut off at 0. Two unknowns
	// need far fewer rounds.
	for range 20_000 {
		for i := range x {
			if h[i][i] > 0 {
				x[i] = math.Max(0, x[i]-(dot(h[i], x)-f[i])/h[i][i])
			}
		}
	}

	return x
}
