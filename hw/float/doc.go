// Package float is floating point of any exponent and fraction width: the kind
// [Num] for hardware, and its arithmetic on Go integers, bit for bit.
//
//	f := float.F16                          // or float.Format{Exp: 5, Frac: 10}
//	x := hw.Reg(m, "x", float.Of(f), float.Of(f).Lit(1.5))
//	m.When(x.IsNaN(), func() { … })
//	f.Add(0x3C00, 0x3B33, float.NearestEven) // the model: a code and its flags
//
// The circuits that add, multiply and so on are in designs/float, for dividers and
// roots come from hw/arith.
//
// # The model
//
// A code is a uint64 of Format.Width bits. Every operation gives the correctly
// rounded result and the flags of IEEE 754. There are three paths, which the tests
// compare with each other:
//
//   - the exact one: sign · integer · 2^e in big integers, and one [Format.Round] for
//     all operations (exact.go, round.go);
//   - machine words, for formats of up to 32 bits (word.go); the methods of Format
//     take this one where they can;
//   - slices of float32, to the nearest even and without flags, for training in
//     software (slice.go).
//
// # Rules
//
//   - The bias is 2^(Exp-1) - 1. Subnormal numbers are there unless the format
//     flushes them.
//   - There is one NaN, quiet and positive; payloads are dropped. Only a signalling
//     NaN and an invalid operation raise Invalid; ∞·0 + NaN is invalid too.
//   - A number is tiny if it is below the least normal number after rounding with
//     unbounded exponent; Underflow is tiny and inexact.
//   - Min and max prefer a number to a NaN: minimumNumber and maximumNumber of
//     IEEE 754-2019, with -0 below +0.
//
// The package imports hw, hw/fixed, ir and the standard library.
package float
