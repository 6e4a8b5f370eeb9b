// Package dataflow reads a computation as text and does it in any floating-point format:
// by the model of hw/float, in float64 beside it, and as a circuit.
//
//	m = 0.9*m0 + 0.1*g; w = hypot(0.999*w0, 0.03*g); m / (w + 1e-4)
//
// A text is statements between semicolons or lines. Each gives a name to an expression; the
// last one may be an expression alone, and is the result. Names that no statement gives
// are inputs. Expressions have + - * /, a sign, parentheses, decimal numbers, and
// sqrt(x), abs(x), min(x, y), max(x, y), hypot(x, y) and fma(x, y, z), which is x*y + z
// rounded once. Every operation rounds its result; nothing is contracted or reordered.
//
// The elementary functions of designs/float/function are exp, exp2, log, log2, log1p, tanh,
// sigmoid, softplus, recip, rsqrt, sin and cos, of which sin and cos take turns: sin(0.25)
// is 1. Their units are for IEEE formats of 6 to 16 bits, round to nearest even within
// [Program].Ulp, and take four cycles; [Program.Supports] tells where there is none.
//
// [Program.Compare] counts, for a format, how far the values are from float64's, by name
// and for the result.
//
// The package imports hw, hw/float, hw/pipe, ir/input, designs/float and its package function.
package dataflow
