// Package bits has two-state bit vectors of any width: the values of etch's
// netlist, its constant folder, its simulators and its test benches.
//
// There are two layers.
//
// [Value] is an immutable vector with its width, for code that should read
// well. Values of up to 64 bits live in a machine word and do not allocate.
//
//	a := bits.New(8, 200)
//	sum := a.Add(bits.New(8, 100))       // 8'h2c: the width is kept, mod 2^8
//	full := a.Mul(a, 16)                 // 16'h9c40: the result's width is asked for
//	low := full.Slice(0, 8)              // 8'h40
//	fmt.Println(sum, full, bits.Concat(low, sum)) // 8'h2c 16'h9c40 16'h402c
//
// The functions that end in Words work on little-endian slices of 64-bit
// words that the caller owns, for simulators that keep all state in one array.
// They do not allocate, apart from division above 1024 bits.
//
// # Invariants
//
// Bits above the width, in the last word, are zero in every result; the Words
// functions rely on it in their sources too. A vector of w bits has
// [WordCount](w) words; a Words function touches no word beyond, so its slices
// may be longer (MulWords alone takes its sources whole). Unless a function
// says that dst may be a source, they must not overlap; where it says so, they
// are either the same words or disjoint, never shifted against each other.
//
// Signedness belongs to the operation (MulS, DivS, ShrS, CmpS), not to the
// value. Every operation is total: each says what x/0, wide shifts and bits
// outside give. Operands that must have equal widths and have not, and widths
// outside 0 to [MaxWidth], are bugs in etch and panic. Only [Parse] reads text
// from outside, and it returns an error.
//
// The package is the bottom of etch: it imports the standard library only.
package bits
