package dataflow

import (
	"math"

	"etch/designs/float"
	kind "etch/hw/float"
)

// operation is a node's computation, three times: as a unit, on codes, and in float64.
type operation struct {
	operands int
	unit     func(u *float.Flow, x []float.Value) float.Value
	codes    func(f kind.Format, x []uint64, r kind.Rounding) (uint64, kind.Flags)
	exact    func(x []float64) float64
}

// The operations by the names that nodes have, but for the elementary functions. Inputs and
// constants are nodes too, and compute nothing.
var operations = map[string]operation{
	"copy": {1,
		func(_ *float.Flow, x []float.Value) float.Value { return x[0] },
		func(_ kind.Format, x []uint64, _ kind.Rounding) (uint64, kind.Flags) { return x[0], 0 },
		func(x []float64) float64 { return x[0] },
	},
	"neg": sign((*float.Flow).Neg, kind.Format.Neg, func(x float64) float64 { return -x }),
	"abs": sign((*float.Flow).Abs, kind.Format.Abs, math.Abs),

	"add":   binary((*float.Flow).Add, kind.Format.Add, func(x, y float64) float64 { return x + y }),
	"sub":   binary((*float.Flow).Sub, kind.Format.Sub, func(x, y float64) float64 { return x - y }),
	"mul":   binary((*float.Flow).Mul, kind.Format.Mul, func(x, y float64) float64 { return x * y }),
	"div":   binary((*float.Flow).Div, kind.Format.Div, func(x, y float64) float64 { return x / y }),
	"hypot": binary((*float.Flow).Hypot, kind.Format.Hypot, math.Hypot),
	"min":   binary((*float.Flow).Min, unrounded(kind.Format.Min), math.Min),
	"max":   binary((*float.Flow).Max, unrounded(kind.Format.Max), math.Max),

	"sqrt": {1,
		func(u *float.Flow, x []float.Value) float.Value { return u.Sqrt(x[0]) },
		func(f kind.Format, x []uint64, r kind.Rounding) (uint64, kind.Flags) { return f.Sqrt(x[0], r) },
		func(x []float64) float64 { return math.Sqrt(x[0]) },
	},
	"fma": {3,
		func(u *float.Flow, x []float.Value) float.Value { return u.FMA(x[0], x[1], x[2]) },
		func(f kind.Format, x []uint64, r kind.Rounding) (uint64, kind.Flags) {
			return f.FMA(x[0], x[1], x[2], r)
		},
		func(x []float64) float64 { return math.FMA(x[0], x[1], x[2]) },
	},
}

// sign is an operation that changes the sign alone, which raises no flags.
func sign(unit func(*float.Flow, float.Value) float.Value, codes func(kind.Format, uint64) uint64, exact func(float64) float64) operation {
	return operation{1,
		func(u *float.Flow, x []float.Value) float.Value { return unit(u, x[0]) },
		func(f kind.Format, x []uint64, _ kind.Rounding) (uint64, kind.Flags) { return codes(f, x[0]), 0 },
		func(x []float64) float64 { return exact(x[0]) },
	}
}

// rounded is an operation of two codes in the model.
type rounded func(f kind.Format, x, y uint64, r kind.Rounding) (uint64, kind.Flags)

func binary(unit func(*float.Flow, float.Value, float.Value) float.Value, codes rounded, exact func(x, y float64) float64) operation {
	return operation{2,
		func(u *float.Flow, x []float.Value) float.Value { return unit(u, x[0], x[1]) },
		func(f kind.Format, x []uint64, r kind.Rounding) (uint64, kind.Flags) { return codes(f, x[0], x[1], r) },
		func(x []float64) float64 { return exact(x[0], x[1]) },
	}
}

func unrounded(codes func(f kind.Format, x, y uint64) (uint64, kind.Flags)) rounded {
	return func(f kind.Format, x, y uint64, _ kind.Rounding) (uint64, kind.Flags) { return codes(f, x, y) }
}

// of is the values of a node's operands.
func of[T any](n node, values []T) (list []T) {
	for _, i := range n.args {
		list = append(list, values[i])
	}
	return list
}
