package arith_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/arith"
)

// unsigned and signed are small divisions of every kind: with fractions, with
// quotients that may not fit, whose numerators reach far above the divisor.
func unsigned() []arith.Division[hw.UInt] {
	return []arith.Division[hw.UInt]{
		{Numerator: 1, Divisor: 1},
		{Numerator: 6, Divisor: 6},
		{Numerator: 6, Divisor: 2},
		{Numerator: 2, Divisor: 6},
		{Numerator: 5, Divisor: 4, Fraction: 3},
		{Numerator: 6, Divisor: 4, Fraction: 1, Quotient: 4},
		{Numerator: 7, Divisor: 3, Quotient: 2},
		{Numerator: 4, Divisor: 5, Fraction: 5, Quotient: 3},
		{Numerator: 8, Divisor: 4, Quotient: 4},
		arith.Reciprocal[hw.UInt](6, 7),
	}
}

func signed() []arith.Division[hw.SInt] {
	return []arith.Division[hw.SInt]{
		{Numerator: 2, Divisor: 2},
		{Numerator: 6, Divisor: 6},
		{Numerator: 7, Divisor: 3},
		{Numerator: 3, Divisor: 6, Fraction: 2},
		{Numerator: 6, Divisor: 4, Fraction: 1, Quotient: 5},
		{Numerator: 8, Divisor: 3, Quotient: 3},
		{Numerator: 4, Divisor: 5, Fraction: 5, Quotient: 3},
		arith.Reciprocal[hw.SInt](6, 7),
	}
}

// divided is a division by Go's own operators.
type Remainder struct {
	n, by, q, r          int
	negative, over, zero bool
}

func has[T arith.Integer]() bool {
	var x T
	_, is := any(x).(hw.SInt)
	return is
}

// span is the range of numbers of a width.
func span[T arith.Integer](width int) (least, end int) {
	if has[T]() {
		return -1 << (width - 1), 1 << (width - 1)
	}
	return 0, 1 << width
}

// oracle divides by Go's own operators.
func oracle[T arith.Integer](d arith.Division[T], n, by int) Remainder {
	x := Remainder{n: n, by: by, negative: n < 0 != (by < 0), over: true, zero: by == 0}
	_, end := span[T](d.QuotientWidth())
	if by != 0 {
		x.q, x.r = (n<<d.Fraction)/by, (n<<d.Fraction)%by
		x.over = max(x.q, -x.q) >= end
	}
	if x.over {
		x.q, x.r = end-1, 0
		if x.negative {
			x.q = -x.q
		}
	}
	return x
}

// model is x as the model gives it.
func (x Remainder) model() arith.Divided {
	return arith.Divided{
		Quotient: big.NewInt(int64(x.q)), Remainder: big.NewInt(int64(x.r)),
		Negative: x.negative, Overflow: x.over, ByZero: x.zero,
	}
}

// all is every division of its widths.
func all[T arith.Integer](d arith.Division[T]) (out []Remainder) {
	nFrom, nTo := span[T](d.Numerator)
	from, to := span[T](d.Divisor)
	for n := nFrom; n < nTo; n++ {
		for by := from; by < to; by++ {
			out = append(out, oracle(d, n, by))
		}
	}
	return out
}

func testModel[T arith.Integer](t *testing.T, d arith.Division[T]) {
	require.NoError(t, d.Validate())
	for _, x := range all(d) {
		want, got := x.model(), d.Divide(big.NewInt(int64(x.n)), big.NewInt(int64(x.by)))
		require.Zero(t, want.Quotient.Cmp(got.Quotient), "%+v: %v / %v", d, x.n, x.by)
		require.Zero(t, want.Remainder.Cmp(got.Remainder), "%+v: %v / %v", d, x.n, x.by)
		want.Quotient, want.Remainder = got.Quotient, got.Remainder
		require.Equal(t, want, got, "%+v: %v / %v", d, x.n, x.by)
		q, r, over := d.Divide64(uint64(x.n), uint64(x.by))
		require.Equal(t, []any{int64(x.q), int64(x.r), x.over}, []any{int64(q), int64(r), over}, "%+v: %v / %v", d, x.n, x.by)
	}
}

func TestDivideModel(t *testing.T) {
	for _, d := range unsigned() {
		testModel(t, d)
	}
	for _, d := range signed() {
		testModel(t, d)
	}
}

// The model in machine words agrees with that of any width.
func TestDivide64(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		u := arith.Division[hw.UInt]{Numerator: 1 + r.IntN(64), Divisor: 1 + r.IntN(64), Fraction: r.IntN(65)}
		u.Quotient = 1 + r.IntN(min(64, u.Numerator+u.Fraction))
		require.True(t, u.Fast())
		n, by := r.Uint64()>>(64-u.Numerator), r.Uint64()>>(64-u.Divisor)>>r.IntN(u.Divisor)
		want := u.Divide(new(big.Int).SetUint64(n), new(big.Int).SetUint64(by))
		q, rem, over := u.Divide64(n, by)
		require.Equal(t, []any{want.Quotient.Uint64(), want.Remainder.Uint64(), want.Overflow}, []any{q, rem, over}, "%+v: %d / %d", u, n, by)

		s := arith.Division[hw.SInt]{Numerator: max(2, u.Numerator), Divisor: max(2, u.Divisor), Fraction: u.Fraction}
		s.Quotient = 2 + r.IntN(min(63, s.Numerator+s.Fraction))
		sn, sBy := int64(n<<(64-s.Numerator))>>(64-s.Numerator), int64(by<<(64-s.Divisor))>>(64-s.Divisor)
		want = s.Divide(big.NewInt(sn), big.NewInt(sBy))
		q, rem, over = s.Divide64(uint64(sn), uint64(sBy))
		require.Equal(t, []any{want.Quotient.Int64(), want.Remainder.Int64(), want.Overflow}, []any{int64(q), int64(rem), over}, "%+v: %d / %d", s, sn, sBy)
	}
}

// The root is the greatest whose square is not more than the radicand; in machine
// words too, next to squares above all.
func TestRootModel(t *testing.T) {
	for f := range 3 {
		for n := range 1 << 12 {
			s := arith.SquareRoot{Radicand: 12, Fraction: f}
			root, rem := s.Root(big.NewInt(int64(n)))
			x, r, v := int(root.Int64()), int(rem.Int64()), n<<(2*f)
			require.True(t, x*x <= v && (x+1)*(x+1) > v && r == v-x*x, "√%d", n)
			q, left := s.Root64(uint64(n))
			require.Equal(t, []int{x, r}, []int{int(q), int(left)})
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		s := arith.SquareRoot{Radicand: 1 + r.IntN(64)}
		s.Fraction = r.IntN(64 - (s.Radicand+1)/2)
		require.True(t, s.Fast())
		n := r.Uint64() >> (64 - s.Radicand)
		if near := n >> (s.Radicand / 2); r.IntN(2) == 0 {
			n = (near*near + uint64(r.IntN(3)) - 1) & (1<<s.Radicand - 1)
		}
		root, rem := s.Root(new(big.Int).SetUint64(n))
		q, left := s.Root64(n)
		require.Equal(t, []uint64{root.Uint64(), rem.Uint64()}, []uint64{q, left}, "%+v: %d", s, n)
	}
}
