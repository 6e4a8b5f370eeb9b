package arith

import (
	"etch/hw"
	"etch/ir/bits"
)

// Integer is the kinds of number that are divided: without and with a sign.
type Integer interface {
	hw.UInt | hw.SInt
	Width() int
}

func signed[T Integer]() bool {
	var x T
	_, is := any(x).(hw.SInt)
	return is
}

func shape[T Integer](width int) T {
	if signed[T]() {
		return any(hw.Signed(width)).(T)
	}
	return any(hw.Unsigned(width)).(T)
}

// magnitude is |x| and whether x is below 0.
func magnitude[T Integer](x T) (abs hw.UInt, negative hw.Bit) {
	if x, is := any(x).(hw.SInt); is {
		return negateIf(x.IsNeg(), x.AsUnsigned()), x.IsNeg()
	}
	return any(x).(hw.UInt), hw.Low
}

// read is bits as a T.
func read[T Integer](x hw.UInt) T {
	if signed[T]() {
		return any(x.AsSigned()).(T)
	}
	return any(x).(T)
}

func bitsOf[T Integer](x T) hw.UInt {
	if x, is := any(x).(hw.SInt); is {
		return x.AsUnsigned()
	}
	return any(x).(hw.UInt)
}

// negateIf is -x where c is high, else x.
func negateIf(c hw.Bit, x hw.UInt) hw.UInt { return borrow(hw.U(0), x, c.Not()) }

// append0 is x with zeros zero bits below it.
func append0(x hw.UInt, zeros int) hw.UInt {
	if zeros == 0 {
		return x
	}
	return hw.Cat(x, hw.UVal(bits.Zero(zeros)))
}

// addSub is x + y where plus is high, else x - y, modulo 2^width.
func addSub(x, y hw.UInt, plus hw.Bit) hw.UInt {
	return borrow(append0(x, 1), y, plus)
}

// borrow is addSub, where 2x is given. It is one subtraction, a bit longer, that
// borrows from below: written so, yosys makes one LUT of a bit, and as an addition
// two.
func borrow(twice, y hw.UInt, plus hw.Bit) hw.UInt {
	w := y.Width()
	return twice.Sub(hw.Cat(y.Xor(plus.Rep(w)), plus)).Range(w, 1)
}

// Resize is v with zeros at the top, or without its top bits.
func Resize(v hw.UInt, width int) hw.UInt {
	switch {
	case v.Width() < width:
		return v.Extend(width)
	case v.Width() > width:
		return v.Trunc(width)
	}
	return v
}
