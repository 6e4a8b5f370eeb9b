package vet

import (
	"go/ast"
	"math"
)

// cut checks the constants of an operation that takes a part of x or widens it; f is the known
// shape of x, nil if unknown.
func (k *constCheck) cut(call *ast.CallExpr, f *form, name string) {
	if len(call.Args) == 0 || name == "Range" && len(call.Args) < 2 {
		return // Reset.Bit, or arguments that are one call of several results
	}

	n, ok := k.ix.constInt(call.Args[0])
	width, where := 0, ""
	if f != nil {
		width, where = f.width, k.ix.line(f, call.Pos())
	}

	// Some limits hold for any width; the others need the width, 0 if unknown.
	at := call.Args[0]
	switch {
	case name == "Range":
		k.cutRange(call, width, where)
	case !ok:
	case (name == "Shl" || name == "Shr" || name == "Bit") && n < 0:
		k.report(at, "%s(%d): bits count from 0", name, n)
	case (name == "Trunc" || name == "Extend" || name == "SignExtend" || name == "Rep") && n < 1:
		k.report(at, "%s(%d): a width is at least 1", name, n)
	case width == 0:
	case name == "Bit" && n >= width:
		k.report(at, "Bit(%d): the value has bits %d to 0 (%s)", n, width-1, where)
	case name == "Trunc" && n > width:
		k.report(at, "Trunc(%d): the value has %s (%s); Extend widens", n, bitCount(width), where)
	case (name == "Extend" || name == "SignExtend") && n < width:
		k.report(at, "%s(%d): the value has %s (%s); Trunc cuts", name, n, bitCount(width), where)
	}
}

func (k *constCheck) cutRange(call *ast.CallExpr, width int, where string) {
	hi, okHi := k.ix.constInt(call.Args[0])
	lo, okLo := k.ix.constInt(call.Args[1])

	// Order first, then the sign, then the width if it is known.
	switch {
	case okHi && okLo && hi < lo:
		k.report(call.Args[0], "Range(%d, %d): the higher bit comes first", hi, lo)
	case okHi && hi < 0, okLo && lo < 0:
		k.report(call.Args[0], "Range: bits count from 0")
	case width > 0 && okHi && hi >= width:
		k.report(call.Args[0], "Range: the value has bits %d to 0 (%s), and not %d", width-1, where, hi)
	case width > 0 && okLo && lo >= width:
		k.report(call.Args[1], "Range: the value has bits %d to 0 (%s), and not %d", width-1, where, lo)
	}
}

// contents checks the first words of a memory.
func (k *constCheck) contents(call *ast.CallExpr) {
	f := k.ix.formOf(call)
	if len(call.Args) < 4 || f == nil {
		return
	}

	for _, opt := range call.Args[4:] {
		words := asCall(opt)
		if words == nil || hwCall(k.ix.info, words) != "Contents" || words.Ellipsis.IsValid() {
			continue
		}

		if f.depth > 0 && len(words.Args) > f.depth {
			k.report(words, "Contents: %s for a memory of %d", count(len(words.Args), "word"), f.depth)
		}
		if f.elem == nil || f.elem.width == 0 {
			continue
		}

		// Words are bits, whatever the sign of the element.
		for _, word := range words.Args {
			bits := *f.elem
			bits.kind = "UInt"
			k.number(&bits, k.ix.info.Types[word].Value, word, "Contents")
		}
	}
}

// memory checks the literals that address a memory or are written to it.
func (k *constCheck) memory(call *ast.CallExpr, name string) {
	f := k.ix.formOf(operand(call))
	if f == nil {
		return
	}
	_, name = method(name)
	if f.depth > 0 {
		k.fits(&form{kind: "UInt", width: countWidth(f.depth - 1), pos: f.pos}, call.Args[0], name)
	}
	if len(call.Args) > 1 {
		k.fits(f.elem, call.Args[1], name)
	}
}

// fixedLit checks a literal of a fixed-point format.
func (k *constCheck) fixedLit(call *ast.CallExpr) {
	f := function(k.ix.info, call)
	if f == nil || !isPart(f.Pkg(), "fixed") || receiver(f) != "Num" || f.Name() != "Lit" {
		return
	}

	// Beyond 1000 bits a float64 no longer tells.
	q := k.ix.formOf(operand(call))
	v, ok := k.ix.constFloat(call.Args[0])
	if q == nil || q.kind != "Fixed" || !ok || q.width > 1000 {
		return
	}

	// Round as Lit does, then compare with the range of the raw value.
	raw, half := math.Round(math.Ldexp(v, q.frac)), math.Ldexp(1, q.width-1)
	if raw < -half || raw >= half {
		k.report(call.Args[0], "Lit: %v does not fit Q%d.%d of %s (%v to %v)", v, q.width-q.frac, q.frac, k.ix.line(q, call.Pos()),
			math.Ldexp(-half, -q.frac), math.Ldexp(half-1, -q.frac))
	}
}
