// Package matmul is a systolic array that multiplies matrices, written once for fixed
// point and floating point: its element asks a number.Kind for an accumulator.
package matmul

import (
	"etch/hw"
	"etch/hw/number"
)

// Array makes the product of a Rows×K and a K×Cols matrix, for any K up to Products: in
// cycle k it takes column k of the left one and row k of the right one, First with the
// first and Valid with all of them. Each element of the grid sums one element of the
// product, exactly, and rounds it.
type Array[T any] struct {
	Rows     int `help:"rows of the left matrix" range:"1..64"`
	Cols     int `help:"columns of the right matrix" range:"1..64"`
	Products int `help:"the greatest number of products in a sum" range:"1..2^20"`
	Number   number.Kind[T]
}

type ArrayPorts[T any] struct {
	First, Valid hw.Bit `dir:"in"`
	Left         []T    `dir:"in"` // by row
	Right        []T    `dir:"in"` // by column
	Product      [][]T  `dir:"out"`
}

func (c Array[T]) Ports() ArrayPorts[T] {
	n := c.Number.Shape()
	p := ArrayPorts[T]{Left: hw.VecOf(c.Rows, n), Right: hw.VecOf(c.Cols, n)}
	for range c.Rows {
		p.Product = append(p.Product, hw.VecOf(c.Cols, n))
	}
	return p
}

// Settled is the number of cycles from the last column and row to the whole product,
// which stays until the next First.
func (c Array[T]) Settled() int { return c.Rows + c.Cols - 2 + c.Number.SumLatency() }

// Build wires the grid: rows of the left matrix move to the right, columns of the other
// down, each a cycle later than the one before, so that they meet.
func (c Array[T]) Build(m *hw.Module, p ArrayPorts[T]) {
	// A column and its flags are skewed together: the flags travel down with the numbers.
	down := make([]Flow[T], c.Cols)
	for j := range down {
		at := hw.Name("skew_right", j)
		down[j] = hw.Delay(m, at, Flow[T]{p.First, p.Valid, p.Right[j]}, j, c.none())
	}

	for i, row := range p.Product {
		// Row i is i cycles late and column j is j cycles late, so each element meets its pairs.
		x := hw.Delay(m, hw.Name("skew_left", i), p.Left[i], i)
		for j, y := range row {
			e := hw.Inst(m, hw.Name("cell", i, j), Cell[T]{c.Products, c.Number}, CellPorts[T]{Down: down[j], Left: x})
			x, down[j] = e.LeftOut, e.DownOut
			hw.Set(y, e.Sum)
		}
		hw.Unused(m, x)
	}

	hw.Unused(m, down...)
}

func (c Array[T]) none() Flow[T] { return Flow[T]{hw.Low, hw.Low, hw.Zero(c.Number.Shape())} }

// Cell sums the products of the elements that pass.
type Cell[T any] struct {
	Products int `help:"the greatest number of products in a sum" range:"1..2^20"`
	Number   number.Kind[T]
}

// Flow is an element of the right matrix on its way down.
type Flow[T any] struct {
	First, Valid hw.Bit
	X            T
}

type CellPorts[T any] struct {
	Down    Flow[T] `dir:"in"`
	DownOut Flow[T] `dir:"out"`
	Left    T       `dir:"in"`
	LeftOut T       `dir:"out"`
	Sum     T       `dir:"out"`
}

func (c Cell[T]) Ports() CellPorts[T] {
	n := c.Number.Shape()
	return CellPorts[T]{Down: Flow[T]{X: n}, DownOut: Flow[T]{X: n}, Left: n, LeftOut: n, Sum: n}
}

func (c Cell[T]) Build(m *hw.Module, p CellPorts[T]) {
	none := Flow[T]{hw.Low, hw.Low, hw.Zero(p.Down.X)}
	hw.Set(p.DownOut, hw.Delay(m, "down", p.Down, 1, none))
	hw.Set(p.LeftOut, hw.Delay(m, "left", p.Left, 1))
	sum := c.Number.On(m).Accumulator(c.Products).Sum("sum", 0, p.Down.First, p.Down.Valid, p.Left, p.Down.X)
	hw.Set(p.Sum, sum.At(sum.Stage()))
}
