package vet

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// findGiven lists the expressions that the package assigns to each struct field that holds
// signals, in composite literals and assignments.
func findGiven(ix *index) map[*types.Var][]ast.Expr {
	given := map[*types.Var][]ast.Expr{}
	for c := range ix.root.Preorder((*ast.CompositeLit)(nil), (*ast.AssignStmt)(nil)) {
		switch n := c.Node().(type) {
		case *ast.CompositeLit:
			t := ix.info.TypeOf(n)
			if p, ok := t.Underlying().(*types.Pointer); ok { // &T in a slice of pointers
				t = p.Elem()
			}
			for _, field := range literalFields(n, t) {
				if f := fieldNamed(t, field.name); f != nil {
					given[f] = append(given[f], field.value)
				}
			}
		case *ast.AssignStmt:
			// A call of several results tells nothing about a single field.
			for i, l := range n.Lhs {
				if f := ix.fieldOf(l); f != nil && len(n.Lhs) == len(n.Rhs) {
					given[f] = append(given[f], n.Rhs[i])
				}
			}
		}
	}
	return given
}

func fieldNamed(t types.Type, name string) *types.Var {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i := range s.NumFields() {
		if f := s.Field(i); f.Name() == name {
			return f.Origin()
		}
	}
	return nil
}

// fieldOf is the struct field that an expression selects, nil if it selects
// none.
func (ix *index) fieldOf(x ast.Expr) *types.Var {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if s := ix.info.Selections[sel]; s != nil && s.Kind() == types.FieldVal {
		return s.Obj().(*types.Var).Origin()
	}
	return nil
}

// isCallOf reports whether an expression is a call of one of some functions of
// the language.
func (ix *index) isCallOf(x ast.Expr, names ...string) bool {
	call := asCall(x)
	return call != nil && slices.Contains(names, hwCall(ix.info, call))
}

// keepsRegister reports whether an expression selects a field in which the
// package keeps a register or wire.
func (ix *index) keepsRegister(x ast.Expr) bool {
	return slices.ContainsFunc(ix.given[ix.fieldOf(x)], func(v ast.Expr) bool { return ix.isCallOf(v, "Reg", "RegInit", "Wire") })
}

// instanceIn is the call of Inst that made the ports in which x is a field, the
// variable or field that keeps those ports, and the path of x in them.
func (ix *index) instanceIn(x ast.Expr) (call *ast.CallExpr, keeper ast.Expr, path []string) {
	// Shorten the expression from its end until a part of it is known to hold an instance.
	for {
		switch y := ast.Unparen(x).(type) {
		case *ast.SelectorExpr:
			path, x = append([]string{y.Sel.Name}, path...), y.X
		case *ast.IndexExpr:
			path, x = append([]string{"[]"}, path...), y.X
		default:
			return nil, nil, nil
		}

		made := ix.given[ix.fieldOf(x)]
		if v := ix.varOf(x); v != nil && v.init != nil {
			made = []ast.Expr{v.init}
		}
		if len(made) == 1 && ix.isCallOf(made[0], "Inst") && len(asCall(made[0]).Args) > 2 {
			return asCall(made[0]), x, path
		}
	}
}

// isTarget reports whether a Set drives the expression at c.
func (ix *index) isTarget(c inspector.Cursor) bool {
	c = outOfParens(c)

	// Either the function hw.Set(x, …) or a method x.Set(…).
	switch kind, at := c.ParentEdge(); kind {
	case edge.CallExpr_Args:
		name := hwCall(ix.info, c.Parent().Node().(*ast.CallExpr))
		return at == 0 && (name == "Set" || name == "SetIf")
	case edge.SelectorExpr_X:
		sel := c.Parent()
		if sel.ParentEdgeKind() != edge.CallExpr_Fun {
			return false
		}
		f := function(ix.info, sel.Parent().Node().(*ast.CallExpr))
		return f != nil && setters[f.Name()] && (isHW(f.Pkg()) || isPart(f.Pkg(), "fixed"))
	}
	return false
}

// setters are the methods that drive their operand.
var setters = map[string]bool{"Set": true, "SetIf": true, "Goto": true, "GotoIf": true}
