package bits

import (
	"math/big"
	"math/bits"
)

const (
	divStackWords = 16 // operands of up to 1024 bits need no heap
	bigDivWords   = 96 // from here math/big's subquadratic division wins
)

// DivWords sets dst to the unsigned quotient x / y of width bits; all ones
// where y is 0. dst may be x or y. Allocates scratch above 1024 bits.
func DivWords(dst, x, y []uint64, width int) { divide(dst, nil, x, y, width, false) }

// RemWords sets dst to the unsigned remainder x % y of width bits; x where y
// is 0. dst may be x or y. Allocates scratch above 1024 bits.
func RemWords(dst, x, y []uint64, width int) { divide(nil, dst, x, y, width, false) }

// DivSWords sets dst to the two's complement quotient x / y of width bits,
// truncated towards zero; all ones where y is 0. dst may be x or y. Allocates
// scratch above 1024 bits.
func DivSWords(dst, x, y []uint64, width int) { divide(dst, nil, x, y, width, true) }

// RemSWords sets dst to the remainder of DivSWords, which has the sign of x; x
// where y is 0. dst may be x or y. Allocates scratch above 1024 bits.
func RemSWords(dst, x, y []uint64, width int) { divide(nil, dst, x, y, width, true) }

// divide sets whichever of q and r is not nil to quotient and remainder.
func divide(q, r, x, y []uint64, width int, signed bool) {
	// Division by zero is defined: all ones, and the dividend as remainder.
	n := WordCount(width)
	x, y = x[:n], y[:n]
	if IsZeroWords(y, width) {
		if q != nil {
			fillWords(q[:n], ^uint64(0))
			MaskWords(q, width)
		} else {
			copy(r[:n], x)
		}
		return
	}

	// Working copies of both, in one array: the dividend with a word more, the divisor, and
	// the quotient.
	var stack [3*divStackWords + 2]uint64
	buf := stack[:]
	if n > divStackWords {
		buf = make([]uint64, 3*n+2)
	}

	u, v, quo := buf[:n+1], buf[n+1:2*n+1], buf[2*n+1:3*n+2]
	copy(u, x)
	copy(v, y)

	// Signed division divides magnitudes. The quotient is negative if the signs differ, the
	// remainder has the sign of the dividend.
	xn := signed && signWords(x, width)
	yn := signed && signWords(y, width)
	if xn {
		NegWords(u, u, width)
	}

	if yn {
		NegWords(v, v, width)
	}

	divMod(quo, u, trim(v))
	out, from, neg := q, quo, xn != yn
	if q == nil {
		out, from, neg = r, u, xn
	}

	copy(out[:n], from)
	if neg {
		NegWords(out, out, width)
	}
}

// divMod divides u by v. The top word of u is 0, that of v is not. It leaves the quotient
// in quo (zero before, as long as u) and the remainder in u, and may change v.
func divMod(quo, u, v []uint64) {
	// A shorter dividend is the remainder.
	m := len(trim(u))
	if m < len(v) {
		return
	}

	// One word: schoolbook, word by word.
	if len(v) == 1 {
		var r uint64
		for i := m - 1; i >= 0; i-- {
			quo[i], r = bits.Div64(r, u[i], v[0])
			u[i] = 0
		}

		u[0] = r
		return
	}

	// Long operands: math/big divides in subquadratic time.
	if min(len(v), m-len(v)) >= bigDivWords {
		q, r := new(big.Int), newBig(u)
		q.QuoRem(r, newBig(v), r)
		setBig(quo, q)
		setBig(u, r)
		return
	}
	// Knuth's algorithm D (TAOCP vol. 2, 4.3.1) needs the divisor's top bit set: shift
	// both, and the remainder back.
	s := uint64(bits.LeadingZeros64(v[len(v)-1]))
	ShlWords(v, v, s, 64*len(v))
	ShlWords(u, u, s, 64*(m+1))
	for j := m - len(v); j >= 0; j-- {
		quo[j] = digit(u[j:j+len(v)+1], v)
	}

	ShrWords(u, u, s, 64*len(v))
}

// digit computes one digit of the quotient and subtracts its multiple of v from u, which
// has one word more than v: steps D3 to D6 of Knuth's algorithm D, TAOCP vol. 2, section
// 4.3.1.
func digit(u, v []uint64) uint64 {
	// D3: an estimate from the two top words of u and the top word of v, corrected by the
	// second word of v. It is then at most one too large.
	n := len(v)
	top, q := v[n-1], ^uint64(0)
	if u[n] < top {
		var r uint64
		q, r = bits.Div64(u[n], u[n-1], top)
		hi, lo := bits.Mul64(q, v[n-2])
		for hi > r || hi == r && lo > u[n-2] {
			q--
			if r += top; r < top { // r passed 2^64: the estimate is good
				break
			}

			hi, lo = bits.Mul64(q, v[n-2])
		}
	}

	// D4: subtract q·v.
	var carry, b uint64
	for i, d := range v {
		hi, lo := bits.Mul64(q, d)
		lo, c := bits.Add64(lo, carry, 0)
		carry = hi + c
		u[i], b = bits.Sub64(u[i], lo, b)
	}

	// D5 and D6: a borrow shows that the estimate was too large: add v back once.
	if u[n], b = bits.Sub64(u[n], carry, b); b != 0 { // one too many
		q--
		var c uint64
		for i, d := range v {
			u[i], c = bits.Add64(u[i], d, c)
		}

		u[n] += c
	}

	return q
}
