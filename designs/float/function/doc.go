// Package function makes circuits of elementary functions for floating-point formats of
// up to 16 bits: exp, exp2, log, log2, log1p, tanh, sigmoid, softplus, recip, rsqrt, and
// sin and cos of turns. A result comes in every cycle, Latency cycles after its operand.
//
//	u := function.Unit{Function: function.Exp, Format: float.F16}
//	y := hw.Inst(m, "exp", u, function.Ports{En: p.En, A: x}).Y
//
// # Method
//
// A code without its low bits chooses a segment, and the low bits d a place in it. The
// result's code is
//
//	⌊c0 + c1·d + c2·d²⌋
//
// in fixed point. As a function of the operand's code, the code of a correctly rounded
// result is an integer, so every operand gives an interval in which the polynomial has
// to lie; coefficients that meet all intervals of a segment are found exactly, in
// integers (fit.go). Where the exponent of the result changes inside a segment, or near
// the end of the domain, there may be none; such a segment has its results in a second
// memory. Length and degree of the segments minimise the sum of both memories.
//
// All 2^Width operands are met by construction, infinities and NaN as any other: the
// interval is one integer for [Unit].Ulp = 0.5, correct rounding, and as wide as Ulp
// allows otherwise. The chosen forms are stored (forms.go); tests find them again.
//
// With [Unit].Flags a port has the exceptions of correct rounding ([Function.Flags]), which
// come from the operand and the result and need no table: every result is inexact but of
// the operands that a theorem names, as powers of two for log2 and recip.
//
// The table below is made by etch experiment float-functions -formats fp16,bf16 -doc
// designs/float/function/measured.go. Sin and cos of great angles cross zero within a segment, so that
// their second memories are large.
package function
