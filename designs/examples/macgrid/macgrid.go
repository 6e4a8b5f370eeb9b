// Package macgrid is a large design on purpose: N×N multiply-accumulate cells,
// 6N²+3N operations, as one flat module or as instances. It measures elaboration
// and Verilog emission.
package macgrid

import "etch/hw"

// Cell multiplies the numbers that pass to the right and down, and accumulates: product,
// extension, sum and three registers.
type Cell struct{}

type CellPorts struct {
	A, B  hw.SInt `dir:"in"`
	ANext hw.SInt `dir:"out"`
	BNext hw.SInt `dir:"out"`
	Sum   hw.SInt `dir:"out"`
}

func (Cell) Ports() CellPorts {
	data, sum := hw.Signed(8), hw.Signed(32)
	return CellPorts{A: data, B: data, ANext: data, BNext: data, Sum: sum}
}

func (c Cell) Build(m *hw.Module, p CellPorts) {
	a, b, sum := c.body(m, p.A, p.B)
	p.ANext.Set(a)
	p.BNext.Set(b)
	p.Sum.Set(sum)
}

func (Cell) body(m *hw.Module, a, b hw.SInt) (aNext, bNext, sum hw.SInt) {
	sum = hw.Reg(m, "sum", hw.Signed(32), hw.S(0))
	sum.Set(sum.Add(a.Mul(b).Extend(32)))
	// The delays are reset too: the sums would add the values they hold after reset.
	return hw.Delay(m, "a_q", a, 1, hw.S(0)), hw.Delay(m, "b_q", b, 1, hw.S(0)), sum
}

// Grid is N×N cells; a row's last sum is its output.
type Grid struct {
	N    int  `help:"rows and columns of the grid" range:"1..1024"`
	Flat bool `help:"one module instead of instances"`
}

type GridPorts struct {
	A   hw.Vec[hw.SInt] `dir:"in"`  // enters row i from the left
	B   hw.Vec[hw.SInt] `dir:"in"`  // enters column j from the top
	Sum hw.Vec[hw.SInt] `dir:"out"` // of the last cell of each row
}

func (g Grid) Ports() GridPorts {
	in := hw.VecOf(g.N, hw.Signed(8))
	return GridPorts{A: in, B: in, Sum: hw.VecOf(g.N, hw.Signed(32))}
}

func (g Grid) Build(m *hw.Module, p GridPorts) {
	down := p.B
	for i := range g.N {
		// Flat, the cells are logic of one module; else they are instances: the two forms of one
		// circuit for measurements.
		right := p.A[i]
		var sum hw.SInt
		for j := range g.N {
			if g.Flat {
				right, down[j], sum = Cell{}.body(m.Scope("cell", i, j), right, down[j])
				continue
			}
			cell := hw.Inst(m, hw.Name("cell", i, j), Cell{}, CellPorts{A: right, B: down[j]})
			right, down[j], sum = cell.ANext, cell.BNext, cell.Sum
		}
		p.Sum[i].Set(sum)
	}
}
