package arith_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/arith"
)

// Parameters out of range are one error with the range.
func TestValidate(t *testing.T) {
	type u = arith.Division[hw.UInt]
	type s = arith.Division[hw.SInt]
	for _, x := range []struct {
		c    interface{ Validate() error }
		want string
	}{
		{u{Numerator: 0, Divisor: 8}.Iterative(1), "Numerator = 0, want 1 to 1024 bits"},
		{s{Numerator: 1, Divisor: 8}.Iterative(1), "Numerator = 1, want 2 to 1024 bits"},
		{u{Numerator: 8, Divisor: 1025}.Pipelined(1), "Divisor = 1025, want 1 to 1024 bits"},
		{u{Numerator: 8, Divisor: 8, Fraction: -1}.Pipelined(1), "Fraction = -1, want 0 to 1024 bits"},
		{u{Numerator: 8, Divisor: 8, Quotient: 9}.Pipelined(1), "Quotient = 9, want 1 to 8 bits, or 0 for all of them"},
		{s{Numerator: 8, Divisor: 8, Quotient: 1}.Pipelined(1), "Quotient = 1, want 2 to 9 bits, or 0 for all of them"},
		{s{Numerator: 8, Divisor: 8, Quotient: 10}.Pipelined(1), "Quotient = 10, want 2 to 9 bits, or 0 for all of them"},
		{u{Numerator: 8, Divisor: 8}.Iterative(0), "BitsPerCycle = 0, want 1 to 8"},
		{s{Numerator: 8, Divisor: 8}.Pipelined(9), "BitsPerStage = 9, want 1 to 8"},
		{arith.SquareRoot{Radicand: 0}.Iterative(1), "Radicand = 0, want 1 to 1024 bits"},
		{arith.SquareRoot{Radicand: 8, Fraction: 1025}.Pipelined(1), "Fraction = 1025, want 0 to 1024 bits"},
		{arith.SquareRoot{Radicand: 9}.Iterative(6), "BitsPerCycle = 6, want 1 to 5"},
		{arith.SquareRoot{Radicand: 9}.Pipelined(0), "BitsPerStage = 0, want 1 to 5"},
	} {
		require.EqualError(t, x.c.Validate(), x.want)
	}
}

// The widest that is allowed builds.
func TestWidest(t *testing.T) {
	const w = arith.MaxWidth
	_, _, err := hw.Build(arith.Division[hw.SInt]{Numerator: w, Divisor: w, Fraction: w}.Iterative(3))
	require.NoError(t, err)
	_, _, err = hw.Build(arith.Division[hw.UInt]{Numerator: w, Divisor: w, Fraction: w, Quotient: 1}.Pipelined(1))
	require.NoError(t, err)
	_, _, err = hw.Build(arith.SquareRoot{Radicand: w, Fraction: w}.Iterative(7))
	require.NoError(t, err)
	_, _, err = hw.Build(arith.SquareRoot{Radicand: w}.Pipelined(8))
	require.NoError(t, err)
}
