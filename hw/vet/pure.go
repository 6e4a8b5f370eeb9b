package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

// pure reports whether a function of this package, or a function literal in a
// variable, surely does nothing but compute its result.
func (ix *index) pure(call *ast.CallExpr) bool { return ix.pureWithin(call, 20) }

func (ix *index) pureWithin(call *ast.CallExpr, depth int) bool {
	if depth == 0 {
		return false
	}

	// The body must be in this package: a declaration, or the only literal that the function value
	// can be.
	var body *ast.BlockStmt
	if f := function(ix.info, call); f != nil && ix.decls[f] != nil {
		body = ix.decls[f].Body
	} else if lit, ok := ix.literalOnly(call.Fun); ok {
		body = lit.Body
	}
	if body == nil {
		return false
	}

	// One node with an effect is enough.
	ok := true
	ast.Inspect(body, func(n ast.Node) bool {
		ok = ok && ix.pureNode(n, body, depth)
		return ok
	})
	return ok
}

// literalOnly returns the function literal of an expression, or of the variable that it names. ok
// is false without one.
func (ix *index) literalOnly(x ast.Expr) (*ast.FuncLit, bool) {
	n, _ := ix.literal(x)
	lit, ok := n.(*ast.FuncLit)
	return lit, ok
}

// pureNode reports whether one node of a function's body, without its children, has no effect
// outside.
func (ix *index) pureNode(n ast.Node, body *ast.BlockStmt, depth int) bool {
	// Writing to a variable of the function itself is no effect; taking an address, or running
	// something later, may be one.
	switch n := n.(type) {
	case *ast.CallExpr:
		return ix.pureCall(n, depth)
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if n.Tok != token.DEFINE && !ix.declaredWithin(l, body) {
				return false
			}
		}
	case *ast.IncDecStmt:
		return ix.declaredWithin(n.X, body)
	case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt, *ast.LabeledStmt:
		return false
	case *ast.UnaryExpr:
		return n.Op != token.AND && n.Op != token.ARROW
	}
	return true
}

func (ix *index) pureCall(call *ast.CallExpr, depth int) bool {
	// A conversion, a harmless builtin, an operation of the library, or a pure function.
	if ix.info.Types[call.Fun].IsType() {
		return true
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := ix.info.Uses[id].(*types.Builtin); ok {
			return b.Name() != "panic" && b.Name() != "print" && b.Name() != "println" && b.Name() != "copy" && b.Name() != "delete"
		}
	}

	// An operation of the library only gives a result.
	if f := function(ix.info, call); f != nil && isOperation(f) && f.Signature().Results().Len() > 0 {
		return true
	}
	return ix.pureWithin(call, depth-1)
}

// declaredWithin reports whether an expression is a variable declared in a block.
func (ix *index) declaredWithin(x ast.Expr, block *ast.BlockStmt) bool {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return false
	}
	v := ix.varOf(id)
	return id.Name == "_" || v != nil && block.Pos() <= v.v.Pos() && v.v.Pos() < block.End()
}
