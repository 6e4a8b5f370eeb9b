// Package fixed is two's-complement fixed point. Arithmetic is exact and grows;
// [Num.Fit] is the only place where bits are lost, and it says how.
//
//	q := fixed.Q(4, 12)                     // shape: 4 integer bits with the sign, 12 fraction bits
//	x := hw.Reg(m, "x", q, q.Lit(1.5))
//	y := x.Mul(x).Add(x)                    // exact: 24 fraction bits
//	out.Set(y.Fit(q, fixed.HalfEven, fixed.Saturate))
//
// [Format] is the same arithmetic on Go integers, bit for bit, for models and
// tests.
//
// The package imports hw, hw/number, hw/pipe and the standard library.
package fixed
