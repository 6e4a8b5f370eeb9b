package hw

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"etch/ir"
	"etch/ir/bits"
)

func intValue[I Integer](v I) litValue {
	if v < 0 {
		return litValue{num: bits.FromInt(64, int64(v)), neg: true}
	}
	if int64(v) < 0 {
		return litValue{num: bits.New(65, uint64(v))} // the top bit is no sign
	}
	return litValue{num: bits.New(64, uint64(v))}
}

func bigLiteral(what string, k ir.Kind, v *big.Int) sig {
	if v == nil || v.BitLen() >= maxWidth {
		return mistake(nil, 1, "literal", nil, "%s: the number is nil or has more than %d bits", what, maxWidth)
	}
	return literalOf(0, k, litValue{num: bits.FromBig(v.BitLen()+1, v), neg: v.Sign() < 0})
}

func valueLiteral(what string, k ir.Kind, v bits.Value) sig {
	if v.Width() < 1 || v.Width() > maxWidth {
		return mistake(nil, 1, "literal", nil, "%s: %s", what, badWidth("the value", v.Width()))
	}
	return literalOf(v.Width(), k, litValue{num: v})
}

// NoLiteral stands for a literal of width bits that does not exist, for user-defined kinds
// such as hw/float's. Where it meets a module, the message is reported as a mistake at the
// line that called into the kind's package.
func NoLiteral(width int, format string, args ...any) UInt {
	return UInt{mistake(nil, width, "literal", nil, format, args...)}
}

// litLike is a number as a literal of x's width.
func litLike(op string, x, lit sig) sig {
	w := x.Width()
	switch {
	case x.is(poison):
		return x
	case w == 0:
		return mistake(x.b, 1, "unset", nil, "%s: %s has no width", op, describe(x))
	}

	v, err := fit(lit.x, w, nil)
	if err != nil {
		return mistake(x.b, w, "literal", nil, "%s: %v", op, err)
	}
	return literalOf(w, lit.x.typ.Kind, litValue{num: v})
}

// badWidth is the reason for which a width is refused.
func badWidth(what string, width int) string {
	switch {
	case width == 0:
		return what + " has no width; say hw.Unsigned(w), hw.Signed(w) or hw.EnumOf(…)"
	case width < 0:
		return fmt.Sprintf("%s has %d bits", what, width)
	}
	return fmt.Sprintf("%s has %d bits, more than the %d that a value can have", what, width, maxWidth)
}

// maxWidth bounds the width of a signal.
const maxWidth = 1 << 20

// fit is the value of a literal in width bits. The error says why it does not fit.
func fit(x *proto, width int, enum *enumInfo) (bits.Value, error) {
	lit := x.lit

	switch {
	case width < 1 || width > maxWidth:
		return bits.Value{}, errors.New(badWidth("the target", width))
	case lit.enum != nil:
		return fitEnum(lit.enum, width, enum)

	case x.width > 0 && x.width != width:
		return bits.Value{}, fmt.Errorf("the literal %s has %s, want %d", litText(x), plural(x.width, "bit"), width)
	case x.width > 0:
		return lit.num, nil
	case lit.neg && x.typ.Kind != ir.SInt:
		return bits.Value{}, fmt.Errorf("%s is negative and the value is unsigned", litText(x))
	}

	// An unsized number: count the bits it needs, one more for the sign if it is signed.
	need, kind := lit.num.Len(), "unsigned"
	if x.typ.Kind == ir.SInt {
		kind = "signed"
		if need++; lit.neg {
			need = lit.num.Not().Len() + 1
		}
	}

	switch {
	case need > width:
		return bits.Value{}, fmt.Errorf("%s does not fit %s of %s", litText(x), kind, plural(width, "bit"))
	case lit.num.Width() >= width:
		return lit.num.Trunc(width), nil
	case lit.neg:
		return lit.num.SExt(width), nil
	}
	return lit.num.ZExt(width), nil
}

func fitEnum(v any, width int, enum *enumInfo) (bits.Value, error) {
	if enum == nil {
		return bits.Value{}, fmt.Errorf("%v meets no enumeration", v)
	}
	code, ok := enum.code(v)
	if !ok {
		return bits.Value{}, fmt.Errorf("%v is not one of %s", v, strings.Join(enum.ir.Names, ", "))
	}
	return bits.New(width, code), nil
}

// litText is a literal as its designer wrote it.
func litText(x *proto) string {
	switch {
	case x.lit.enum != nil:
		return fmt.Sprint(x.lit.enum)
	case x.lit.neg:
		return x.lit.num.SignedBig().String()
	}
	return x.lit.num.Dec()
}
