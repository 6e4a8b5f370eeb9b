package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// declares is "Reg", "RegInit" or "Wire" for a variable that is declared as one,
// "" for any other.
func (ix *index) declares(x *variable) string {
	if x.init == nil || x.result > 0 {
		return ""
	}
	if ix.isCallOf(x.init, "Reg", "RegInit", "Wire") {
		return hwCall(ix.info, asCall(x.init))
	}
	return ""
}

// drives reports whether the use of a register or wire at c may Set it, now or through another
// name. It reports false only if the use surely just reads.
func (ix *index) drives(c inspector.Cursor) bool {
	// Climb as long as the expression still denotes the register or a part of it.
	for {
		parent := c.Parent()
		switch kind, at := c.ParentEdge(); kind {
		case edge.ParenExpr_X, edge.IndexExpr_X, edge.SliceExpr_X:
			c = parent
		case edge.IndexExpr_Index:
			return false
		case edge.SelectorExpr_X:
			next, drives := ix.selected(parent)
			if next == nil {
				return drives
			}
			c = *next
		case edge.CallExpr_Args:
			call := parent.Node().(*ast.CallExpr)
			if !ix.info.Types[call.Fun].IsType() {
				return ix.drivesArgument(call, at)
			}
			c = parent
		case edge.AssignStmt_Rhs:
			return !assignsBlank(parent.Node().(*ast.AssignStmt), at)
		default:
			return true
		}
	}
}

// selected goes on from the operand of the selector at c: to a place that is
// still the register, or to an answer.
func (ix *index) selected(c inspector.Cursor) (next *inspector.Cursor, drives bool) {
	sel := ix.info.Selections[c.Node().(*ast.SelectorExpr)]
	if sel == nil {
		return nil, true
	}
	if sel.Kind() == types.FieldVal {
		return &c, false
	}

	// A method is harmless only if it is called here and now.
	call := outOfParens(c).Parent()
	f, ok := call.Node().(*ast.CallExpr)
	if !ok || outOfParens(c).ParentEdgeKind() != edge.CallExpr_Fun {
		return nil, true // a method value
	}

	switch name := scalarMethod(ix.info, f); name {
	case "":
	case "Set", "SetIf", "Goto", "GotoIf":
		return nil, true
	case "At", "AsSigned", "AsUnsigned", "UInt", "Bits", // the same bits, which can be Set
		"Bit", "BitAt", "BitVec", "Range", "Trunc": // or some of them
		return &call, false
	default:
		return nil, false
	}

	// Any other method drives unless it is a pure operation.
	callee := function(ix.info, f)
	reads := callee != nil && callee.Signature().Results().Len() > 0 && isOperation(callee)
	return nil, !reads
}

// drivesArgument reports whether a call may Set its argument.
func (ix *index) drivesArgument(call *ast.CallExpr, at int) bool {
	// A bundle on the right of Set may have flipped fields, which are driven.
	switch name := hwCall(ix.info, call); name {
	case "Set", "SetIf":
		return at == 0 || scalar(ix.info.TypeOf(call.Args[at])) == ""
	case "Inst", "Leaves", "LeafPairs", "Func", "Build":
		return true
	case "":
	default:
		return false
	}

	// Builtins may copy or append the handle; len and cap only count.
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := ix.info.Uses[id].(*types.Builtin); ok {
			return b.Name() != "len" && b.Name() != "cap"
		}
	}
	f := function(ix.info, call)
	return f == nil || !isPart(f.Pkg(), "fixed") || receiver(f) != "Num"
}

func assignsBlank(n *ast.AssignStmt, at int) bool {
	if len(n.Lhs) != len(n.Rhs) {
		return false
	}
	id, ok := n.Lhs[at].(*ast.Ident)
	return ok && id.Name == "_"
}

// live reports whether an expression is surely hardware of the module that the
// function around it describes, rather than a shape or a literal.
func (ix *index) live(x ast.Expr) bool { return ix.liveWithin(x, maxChain) }

// maxChain bounds how many variables and operations are followed to find where
// a value comes from.
const maxChain = 100

func (ix *index) liveWithin(x ast.Expr, depth int) bool {
	if x == nil || depth == 0 {
		return false
	}

	// A part is live if the whole is, a literal if one of its elements is.
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v := ix.varOf(x)
		return v != nil && ix.liveVariable(v, depth-1)
	case *ast.SelectorExpr:
		sel := ix.info.Selections[x]
		return sel != nil && sel.Kind() == types.FieldVal && holds(ix.info.TypeOf(x)) && ix.liveWithin(x.X, depth-1)
	case *ast.IndexExpr:
		return ix.liveWithin(x.X, depth-1)
	case *ast.SliceExpr:
		return ix.liveWithin(x.X, depth-1)
	case *ast.CompositeLit:
		for _, elt := range x.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			if ix.liveWithin(elt, depth-1) {
				return true
			}
		}
	case *ast.CallExpr:
		return ix.liveCall(x, depth-1)
	}
	return false
}

// liveVariable reports whether every value of v is hardware of its module.
func (ix *index) liveVariable(v *variable, depth int) bool {
	// Handles that only exist inside a module.
	switch t := v.v.Type(); {
	case pointee(t) == "Module", pointee(t) == "Memory", pointee(t) == "ReadPort", pointee(t) == "WritePort", pointee(t) == "Chain":
		return v.isLocal()
	case !v.isLocal():
		return false
	case ix.isPorts(v) != nil:
		return true
	case v.over != nil:
		return holds(t) && ix.liveWithin(v.over, depth)
	case v.init != nil && holds(t):
		return v.result == 0 && ix.liveWithin(v.init, depth)
	}
	return false
}

// liveCall reports whether a call of the library makes hardware.
func (ix *index) liveCall(call *ast.CallExpr, depth int) bool {
	if !holds(ix.info.TypeOf(call)) {
		return false
	}

	// Declarations make hardware, shapes and literals do not, and an operation does if one of its
	// operands is hardware.
	switch name := hwCall(ix.info, call); name {
	case "":
		f := function(ix.info, call)
		return f != nil && isOperation(f) && operand(call) != nil && f.Name() != "Lit" && ix.liveWithin(operand(call), depth)
	case "Reg", "RegInit", "Wire", "Inst", "Delay", "Sync", "SyncGray", "SyncHeld", "SyncReset", "Static", "Memory.Read", "Memory.SyncRead", "ReadPort.Read":
		return true
	case "Like", "Zero", "Sized", "In", "Out", "Flip", "UInt.Lit", "SInt.Lit":
		return false
	case "Unpack": // the first argument is a shape
		return len(call.Args) == 2 && ix.liveWithin(call.Args[1], depth)
	}

	// An operation is live if its operand is, or an argument.
	if x := operand(call); x != nil && scalarMethod(ix.info, call) != "" && ix.liveWithin(x, depth) {
		return true
	}
	for _, arg := range call.Args {
		if ix.liveWithin(arg, depth) {
			return true
		}
	}
	return false
}
