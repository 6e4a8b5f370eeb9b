package vet

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Const reports constants that cannot fit.
var Const = &analysis.Analyzer{
	Name: "hwconst",
	Doc: `check for constants that do not fit a width

	hw.Unsigned(4).Lit(16)
	hw.Reg(m, "x", hw.Unsigned(3), hw.U(9))
	x.Is(300), x.Trunc(9), x.Bit(8)    // where x has 8 bits

The check knows a width where a shape is written with a constant: of variables
with one value, of ports (from the method Ports), registers, wires, memories and
of the results of operations on them. It also knows what never fits: a negative
hw.U, a shape of no bits, a value that its enumeration does not have.`,
	Requires: []*analysis.Analyzer{indexAnalyzer},
	Run:      runConst,
}

func runConst(pass *analysis.Pass) (any, error) {
	ix := indexOf(pass)
	if ix == nil {
		return nil, nil
	}

	// A branch that never runs is skipped: a generator may choose by a constant between forms of
	// which only one fits.
	k := &constCheck{ix: ix, pass: pass, seen: map[token.Pos]bool{}}
	ix.root.Inspect([]ast.Node{(*ast.CallExpr)(nil), (*ast.BlockStmt)(nil), (*ast.IfStmt)(nil)}, func(c inspector.Cursor) bool {
		if call, ok := c.Node().(*ast.CallExpr); ok {
			k.call(call)
			return true
		}
		return !k.dead(c)
	})
	return nil, nil
}

type constCheck struct {
	ix   *index
	pass *analysis.Pass
	seen map[token.Pos]bool // reported already
}

// dead reports whether the block at c never runs, because a constant condition
// is false: generators choose so.
func (k *constCheck) dead(c inspector.Cursor) bool {
	n, ok := c.Parent().Node().(*ast.IfStmt)
	if !ok {
		return false
	}

	// Only conditions that the compiler itself knows count.
	v := k.ix.info.Types[n.Cond].Value
	if v == nil || v.Kind() != constant.Bool {
		return false
	}
	switch c.ParentEdgeKind() {
	case edge.IfStmt_Body:
		return !constant.BoolVal(v)
	case edge.IfStmt_Else:
		return constant.BoolVal(v)
	}
	return false
}

func (k *constCheck) report(at ast.Node, format string, args ...any) {
	if !k.seen[at.Pos()] {
		k.seen[at.Pos()] = true
		k.ix.report(k.pass, analysis.Diagnostic{Pos: at.Pos(), End: at.End(), Message: fmt.Sprintf(format, args...)})
	}
}

// call checks one call of the library.
func (k *constCheck) call(call *ast.CallExpr) {
	args := call.Args
	if isSpread(k.ix.info, call) {
		return
	}

	// Each function of the library brings a literal and a shape together in its own way: by
	// argument position.
	switch name := hwCall(k.ix.info, call); name {
	case "":
		k.fixedLit(call)
	case "U":
		if v := k.ix.constant(args[0]); v != nil && constant.Sign(v) < 0 {
			k.report(call, "U(%s): a literal of U is not negative; hw.S is signed, all ones is Not of U(0)", v)
		}

	case "Unsigned", "Signed", "UpTo", "AddressOf":
		least := map[string]int{"Unsigned": 1, "Signed": 1, "UpTo": 0, "AddressOf": 1}[name]
		if n, ok := k.ix.constInt(args[0]); ok && n < least {
			k.report(args[0], "%s(%d): there is no such shape; say %d or more", name, n, least)
		}

	case "Reg", "RegInit", "Wire":
		for _, value := range args[min(3, len(args)):] {
			k.fits(k.ix.formOf(args[2]), value, name)
		}
	case "SetIf":
		k.fits(k.ix.formOf(args[0]), args[2], name)
	case "Set", "Sized":
		k.fits(k.ix.formOf(args[0]), args[1], name)
	case "Mux":
		k.fits(k.ix.formOf(args[1]), args[2], name)
		k.fits(k.ix.formOf(args[2]), args[1], name)

	case "Inst":
		for _, conn := range args[min(3, len(args)):] {
			k.fits(k.ix.formOf(call), conn, name)
		}
	case "Mem":
		k.contents(call)
	case "Memory.Read", "Memory.Write", "Memory.WriteMask":
		k.memory(call, name)
	default:
		if scalarMethod(k.ix.info, call) != "" {
			k.operation(call)
		}
	}
}

// operation checks a method of a scalar.
func (k *constCheck) operation(call *ast.CallExpr) {
	x, args := operand(call), call.Args

	kind := scalar(k.ix.info.TypeOf(x))
	f := k.ix.formOf(x)

	// Constants of the host's int type are checked as numbers, literals as values of the operand's
	// shape; in a binary operation either side may be the literal.
	switch name := scalarMethod(k.ix.info, call); name {
	case "Is", "IsNot", "IsLe", "IsGt", "Lit", "Goto":
		if f == nil {
			f = &form{kind: kind}
		}
		for _, arg := range args {
			k.number(f, k.ix.info.Types[arg].Value, arg, name)
		}
	case "Set", "Add", "Sub", "And", "Or", "Xor", "Eq", "Ne", "Lt", "Le", "Gt", "Ge", "Div", "Rem", "AddGrow", "SubGrow", "Mul":
		for _, arg := range args {
			k.fits(f, arg, name)
			k.fits(k.ix.formOf(arg), x, name)
		}
	case "SetIf":
		k.fits(f, args[1], name)
	case "GotoIf":
		if f != nil {
			k.number(f, k.ix.info.Types[args[1]].Value, args[1], name)
		}
	case "Trunc", "Extend", "SignExtend", "Bit", "Range", "Shl", "Shr", "Rep":
		k.cut(call, f, name)
	}
}
