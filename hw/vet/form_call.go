package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
)

// formOfCall is the shape of the result of a call of the library, as far as it is known.
func (ix *index) formOfCall(call *ast.CallExpr) *form {
	name, args := hwCall(ix.info, call), call.Args
	switch {
	case isSpread(ix.info, call):
		return nil
	case name == "":
		return ix.formOfFixed(call)
	case scalarMethod(ix.info, call) != "":
		return ix.formOfOperation(call)
	}

	// Where the shape comes from: a number among the arguments, a shape among them, or the type of
	// an instance's ports.
	switch name {
	case "Unsigned", "Zeros", "Ones":
		return scalarForm("UInt", ix.orZero(args[0]), call.Pos())
	case "Signed", "FixedPoint":
		return scalarForm("SInt", ix.orZero(args[0]), call.Pos())
	case "UpTo", "AddressOf":
		n, ok := ix.constInt(args[0])
		if name == "AddressOf" {
			n--
		}
		if ok && n >= 0 {
			return scalarForm("UInt", countWidth(n), call.Pos())
		}

	case "EnumOf":
		return ix.formOfEnum(call)
	case "VecOf":
		if f := ix.formOf(args[1]); f != nil {
			return &form{elem: f}
		}
	case "Mem":
		return &form{elem: ix.formOf(args[3]), depth: max(0, ix.orZero(args[2])), pos: call.Pos()}
	case "Like", "Zero", "Sized", "In", "Out", "Flip", "Unpack":
		return ix.formOf(args[0])
	case "Reg", "RegInit", "Wire", "Delay", "Sync", "SyncGray", "SyncHeld", "Static", "Named":
		return ix.formOf(args[2])
	case "Memory.Read", "Memory.SyncRead":
		if f := ix.formOf(operand(call)); f != nil {
			return f.elem
		}
	case "Inst":
		return ix.formOfPorts(componentType(ix.info.TypeOf(args[2])))
	case "Mux":
		return ix.firstForm(args[1:]...)
	case "Cat":
		return ix.sumForm(call, args...)
	}
	return nil
}

// formOfOperation is the shape of the result of a method of a scalar or vector.
func (ix *index) formOfOperation(call *ast.CallExpr) *form {
	args := call.Args
	x := ix.formOf(operand(call))

	// The width rules of the language: equal operands keep their width, AddGrow adds a bit, Mul
	// adds the widths; literals take their width from the other operand.
	switch name := scalarMethod(ix.info, call); name {
	case "Add", "Sub", "And", "Or", "Xor", "Div", "Rem":
		return ix.firstForm(append([]ast.Expr{operand(call)}, args...)...)
	case "Inc", "Dec", "Not", "Minus", "Shl", "Shr", "ShlBy", "ShrBy", "RotL", "Reverse", "Named", "Lit":
		return x
	case "AsSigned":
		return x.as("SInt")
	case "AsUnsigned", "Abs", "Bits":
		return x.as("UInt")
	case "UInt":
		return scalarForm("UInt", 1, call.Pos())
	case "AddGrow", "SubGrow":
		if f := ix.firstForm(operand(call), args[0]); f != nil {
			return scalarForm(scalar(ix.info.TypeOf(call)), f.width+1, call.Pos())
		}

	case "Mul":
		if y := ix.formOf(args[0]); x != nil && y != nil {
			return scalarForm(x.kind, x.width+y.width, call.Pos())
		}

	case "Rep":
		if x != nil && x.kind == "UInt" {
			return scalarForm("UInt", x.width*ix.orZero(args[0]), call.Pos())
		} else if scalar(ix.info.TypeOf(operand(call))) == "Bit" {
			return scalarForm("UInt", ix.orZero(args[0]), call.Pos())
		}

	case "PadLow":
		if x != nil {
			return scalarForm(x.kind, x.width+ix.orZero(args[0]), call.Pos())
		}

	case "Trunc", "Extend", "SignExtend":
		return scalarForm(scalar(ix.info.TypeOf(call)), ix.orZero(args[0]), call.Pos())
	case "Range":
		hi, ok := ix.constInt(args[0])
		if lo, also := ix.constInt(args[1]); ok && also {
			return scalarForm("UInt", hi-lo+1, call.Pos())
		}

	case "PopCount", "BitLen", "FirstOne":
		if x != nil {
			return scalarForm("UInt", countWidth(x.width), call.Pos())
		}

	case "At":
		if x != nil {
			return x.elem
		}
	}
	return nil
}

// as is the same bits as another kind.
func (f *form) as(kind string) *form {
	if f == nil {
		return nil
	}
	return scalarForm(kind, f.width, f.pos)
}

// firstForm is the first known shape among operands of one width.
func (ix *index) firstForm(xs ...ast.Expr) *form {
	for _, x := range xs {
		if f := ix.formOf(x); f != nil {
			return f
		}
	}
	return nil
}

// sumForm is a number as wide as all operands together.
func (ix *index) sumForm(call *ast.CallExpr, xs ...ast.Expr) *form {
	width := 0
	for _, x := range xs {
		f := ix.formOf(x)
		if f == nil || f.width == 0 || call.Ellipsis.IsValid() {
			return nil
		}
		width += f.width
	}
	return scalarForm("UInt", width, call.Pos())
}

// formOfEnum is an enumeration whose values are all constants.
func (ix *index) formOfEnum(call *ast.CallExpr) *form {
	f := &form{kind: "Enum", width: countWidth(len(call.Args) - 1), pos: call.Pos()}
	for _, arg := range call.Args {
		v := ix.info.Types[arg].Value
		if v == nil || call.Ellipsis.IsValid() {
			return nil
		}
		f.values = append(f.values, v)
	}
	return f
}

// formOfFixed is the shape fixed.Q(integer, fraction).
func (ix *index) formOfFixed(call *ast.CallExpr) *form {
	f := function(ix.info, call)
	if f == nil || !isPart(f.Pkg(), "fixed") || f.Name() != "Q" || len(call.Args) != 2 {
		return nil
	}
	integer, ok := ix.constInt(call.Args[0])
	frac, also := ix.constInt(call.Args[1])
	if !ok || !also || integer+frac < 1 || integer+frac > 1<<20 {
		return nil
	}
	return &form{kind: "Fixed", width: integer + frac, frac: frac, pos: call.Pos()}
}

// has reports whether an enumeration has a value; it may where its values are
// not known.
func (f *form) has(v constant.Value) bool {
	if f.values == nil {
		return true
	}
	for _, w := range f.values {
		if constant.ToInt(v).Kind() == constant.ToInt(w).Kind() && constant.Compare(v, token.EQL, w) {
			return true
		}
	}
	return false
}
