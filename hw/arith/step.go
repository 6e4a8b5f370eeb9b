package arith

import "etch/hw"

// Division and root are computed without restoring: a remainder that fell below 0
// is not put back, the next step adds instead. A step is one subtraction of which
// the sign says whether it is an addition, half the work of restoring.

// DivideStep is a step of a division. The remainder r, of one bit more than the
// divisor, lies in [-by, by); the next bit of the numerator comes in at the bottom,
// and by is taken away from a remainder that is not below 0 and given back to one
// that is. The digit of the quotient is high where the new remainder is not below 0.
func DivideStep(r hw.UInt, next hw.Bit, by hw.UInt) (after hw.UInt, digit hw.Bit) {
	w := by.Width()
	after = addSub(hw.Cat(r.Trunc(w), next), by.Extend(w+1), top(r))
	return after, top(after).Not()
}

// Remainder is the remainder of a division, once all digits are there: one below 0
// gets the divisor back.
func Remainder(r, by hw.UInt) hw.UInt {
	w := by.Width()
	return r.Trunc(w).Add(by.And(top(r).Rep(w)))
}

// RootStep is a step of a square root. With q, the root so far under a bit that is
// 0, and two more bits of the radicand, a remainder r that is not below 0 becomes
// 4r + next - (4q + 1), one that is becomes 4r + next + (4q + 3). It has two bits
// more than q. The digit of the root is high where the new remainder is not below 0.
func RootStep(r hw.UInt, next [2]hw.Bit, q hw.UInt) (after hw.UInt, digit hw.Bit) {
	w := q.Width()
	x := hw.Cat(r.Trunc(w), next[0], next[1])
	after = x.Sub(hw.Cat(q.Xor(top(r).Rep(w)), hw.Low, hw.High))
	return after, top(after).Not()
}

// RootRemainder is the remainder of a square root, once all digits are there: one below
// 0 gets 2q + 1 back.
func RootRemainder(r, q hw.UInt) hw.UInt {
	w := q.Width() + 1
	return r.Trunc(w).Add(hw.Cat(q, hw.High).And(top(r).Rep(w)))
}

func top(x hw.UInt) hw.Bit { return x.Bit(x.Width() - 1) }

// atATime is how many cycles or stages it takes to make digits, n at a time.
func atATime(digits, n int) int { return (digits + n - 1) / n }
