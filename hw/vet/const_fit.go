package vet

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"math/big"
)

// fits checks the literals in a value against the shape that they meet.
func (k *constCheck) fits(f *form, x ast.Expr, op string) {
	if f == nil || x == nil {
		return
	}

	// A literal in a variable is reported at its use, where the shape is.
	at := x
	if v := k.ix.varOf(x); v != nil {
		if x = v.fixed(); x == nil {
			return
		}
	}

	switch x := ast.Unparen(x).(type) {
	case *ast.CallExpr:
		name := hwCall(k.ix.info, x)
		switch name {
		case "U", "S", "Val":
			v := k.ix.info.Types[x.Args[0]].Value
			if v == nil || name == "U" && constant.Sign(v) < 0 {
				return // nothing to see, or reported by itself
			}
			k.number(f, v, at, op)
		}
	case *ast.CompositeLit:
		for _, field := range literalFields(x, k.ix.info.TypeOf(x)) {
			k.fits(f.fields[field.name], field.value, op)
		}
	}
}

// number checks one constant, nil for none.
func (k *constCheck) number(f *form, v constant.Value, at ast.Node, op string) {
	if v == nil {
		return
	}

	// An enumeration has no order: its values are compared one by one.
	if f.kind == "Enum" {
		if !f.has(v) {
			k.report(at, "%s: %s is not one of the values of the enumeration of %s", op, v, k.ix.line(f, at.Pos()))
		}
		return
	}

	// Only whole numbers can be too wide.
	v = constant.ToInt(v)
	if v.Kind() != constant.Int || f.kind != "UInt" && f.kind != "SInt" {
		return
	}

	signed := f.kind == "SInt"
	switch {
	case !signed && constant.Sign(v) < 0:
		k.report(at, "%s: %s is negative and the value is unsigned", op, v)
	case f.width > 0 && bitsOf(v, signed) > f.width:
		k.report(at, "%s: %s does not fit the %s of %s (%s)", op, v, bitCount(f.width), k.ix.line(f, at.Pos()), limits(f.width, signed))
	}
}

// bitsOf is the number of bits that a number needs.
func bitsOf(v constant.Value, signed bool) int {
	// Two's complement: -2^n takes n bits and the sign.
	if constant.Sign(v) < 0 {
		return constant.BitLen(constant.BinaryOp(v, token.ADD, constant.MakeInt64(1))) + 1
	}
	if signed {
		return constant.BitLen(v) + 1
	}
	return constant.BitLen(v)
}

// limits are the numbers of a width: "0 to 255".
func limits(width int, signed bool) string {
	one := big.NewInt(1)
	if !signed {
		return "0 to " + new(big.Int).Sub(new(big.Int).Lsh(one, uint(width)), one).String()
	}
	half := new(big.Int).Lsh(one, uint(width-1))
	return new(big.Int).Neg(half).String() + " to " + new(big.Int).Sub(half, one).String()
}

func bitCount(n int) string { return count(n, "bit") }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
