// Package number is arithmetic that a component can be written for once and used with
// fixed point and floating point. A component takes a [Kind] as a parameter and asks it
// for its [Arith] in the module that it builds:
//
//	type Neuron[T any] struct {
//		Inputs int
//		Number number.Kind[T] // fixed.Units{…} or float.Units{…}
//	}
//
//	func (c Neuron[T]) Build(m *hw.Module, p NeuronPorts[T]) {
//		u := c.Number.On(m.Enabled(p.En))
//		dot := u.Accumulator(c.Inputs).Sum("dot", 0, p.First, p.Valid, p.A, p.W)
//		y := u.Max(u.Add(dot, u.Const(bias)), u.Const(0)) // pipe.Value[T], which knows its stage
//		hw.Set(p.Y, y.At(c.stage))
//	}
//
// Results are rounded to the kind's format; a format that grows, as that of fixed.Num's
// own Add and Mul, is not this interface. A Kind is a comparable struct, so that
// modules made with equal kinds are shared.
//
// The package imports hw and hw/pipe.
package number

import (
	"etch/hw"
	"etch/hw/pipe"
)

// Kind is a number format with the latencies of its units.
type Kind[T any] interface {
	Model
	Shape() T
	Lit(v float64) T            // the nearest literal; one past the range is a mistake
	On(run *hw.Module) Arith[T] // the units in a module or in a view of it with an enable
	AddLatency() int            // of Add, Sub
	MulLatency() int            // of Mul
	SumLatency() int            // from the last product to an accumulator's sum
}

// Arith makes units in a module. A result stands as many stages after the later of its
// operands as the unit takes; the other one waits.
type Arith[T any] interface {
	Const(v float64) pipe.Value[T] // there at every stage
	Add(x, y pipe.Value[T]) pipe.Value[T]
	Sub(x, y pipe.Value[T]) pipe.Value[T]
	Mul(x, y pipe.Value[T]) pipe.Value[T]
	Max(x, y pipe.Value[T]) pipe.Value[T] // takes no stage
	Less(x, y T) hw.Bit
	Accumulator(products int) Accumulator[T]
}

// Accumulator sums products exactly, one in a cycle, and rounds the sum once: a type of
// its own, since the sum of a floating-point adder takes more than a cycle and could
// not be fed back.
type Accumulator[T any] interface {
	// Sum adds a · b, which are there at a stage, where en is high; with clear it begins
	// with that product. The sum up to and with the product is there Latency stages later.
	Sum(name string, stage int, clear, en hw.Bit, a, b T) pipe.Value[T]
	Latency() int
}

// Model is the same arithmetic on codes, bit for bit.
type Model interface {
	Code(v float64) uint64 // the nearest, saturated
	Value(code uint64) float64
	AddCodes(x, y uint64) uint64
	SubCodes(x, y uint64) uint64
	MulCodes(x, y uint64) uint64
	MaxCodes(x, y uint64) uint64
	DotCodes(x, y []uint64) uint64 // Σ x·y, rounded once
}
