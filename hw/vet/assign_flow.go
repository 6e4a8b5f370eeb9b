package vet

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// conditional is an assignment under a hardware condition to a variable that
// had a value before it and is used after it.
func (a *assignment) conditional() string {
	hasValue := a.v.init != nil || a.v.over != nil || a.v.field() == edge.FuncType_Params
	if !hasValue || !a.inPlace() || !a.isScalarOrBundle() || a.ix.declaring(a.src) {
		return ""
	}
	scope, what := a.condition()

	// Without a use outside, nobody reads the value where it would be wrong.
	if !scope.Valid() || !a.usedOutside(scope) {
		return ""
	}
	return "= in the body of " + what + " happens whether its condition holds or not; Set a wire, or use hw.Mux"
}

// unused is an assignment whose value nothing uses.
func (a *assignment) unused() string {
	if !a.inPlace() || !a.isScalarOrBundle() || a.usedOutside(a.c) || a.escapes() {
		return ""
	}
	return "the value is never used: = gives a Go variable another value and drives nothing; to drive a signal say " + a.say()
}

// inPlace reports whether the destination is a part of the variable itself and
// not of something that it points to.
func (a *assignment) inPlace() bool {
	for x := ast.Unparen(a.dst); ; {
		// Walk from the destination to its root; a pointer, slice or map on the way leaves the
		// variable.
		switch y := x.(type) {
		case *ast.Ident:
			return true
		case *ast.SelectorExpr:
			if _, ok := a.ix.info.TypeOf(y.X).Underlying().(*types.Struct); !ok {
				return false
			}
			x = ast.Unparen(y.X)
		case *ast.IndexExpr:
			if _, ok := a.ix.info.TypeOf(y.X).Underlying().(*types.Array); !ok {
				return false
			}
			x = ast.Unparen(y.X)
		default:
			return false
		}
	}
}

// isScalarOrBundle reports whether the destination is a struct or a type parameter. A slice is
// not: it may collect the signals that the branches make.
func (a *assignment) isScalarOrBundle() bool {
	t := a.ix.info.TypeOf(a.dst)
	if _, isParam := types.Unalias(t).(*types.TypeParam); isParam {
		return true
	}
	_, isStruct := t.Underlying().(*types.Struct)
	return isStruct
}

// condition is the innermost When or Cases around the assignment that the
// variable was declared outside of: its body, and its name.
func (a *assignment) condition() (scope inspector.Cursor, what string) {
	for c := range a.c.Enclosing((*ast.FuncLit)(nil), (*ast.RangeStmt)(nil)) {
		if a.v.declaredIn(c) {
			break
		}
		if what := a.ix.conditionOf(c); what != "" {
			return c, what
		}
	}
	return inspector.Cursor{}, ""
}

// conditionOf is "When", "ElseWhen", "Else" or "Cases" for the function or loop
// at c that is the body of one, "" for any other.
func (ix *index) conditionOf(c inspector.Cursor) string {
	// The body of a When is its function argument, the body of Cases its loop.
	var call *ast.CallExpr
	switch n := c.Node().(type) {
	case *ast.RangeStmt:
		call = asCall(n.X)
	case *ast.FuncLit:
		if c.ParentEdgeKind() == edge.CallExpr_Args {
			call = c.Parent().Node().(*ast.CallExpr)
		}
	}
	if call == nil {
		return ""
	}

	switch recv, name := method(hwCall(ix.info, call)); recv + "." + name {
	case "Module.When", "Chain.ElseWhen", "Chain.Else", "Enum.Cases":
		return name
	}
	return ""
}

// declaring reports whether an expression is a call that makes something that
// is there whatever the conditions: a register, an instance, a port of a memory.
func (ix *index) declaring(x ast.Expr) bool {
	return x == nil || ix.isCallOf(x, "Reg", "RegInit", "Wire", "Inst", "Delay", "Sync", "SyncGray", "SyncHeld", "Static", "Memory.SyncRead", "ReadPort.Read")
}

// isValue reports whether an expression is surely nothing that can be Set: an
// operation or a literal.
func (ix *index) isValue(x ast.Expr) bool {
	call := asCall(x)
	if call == nil {
		return false
	}

	// Functions that make a value give no target; the casts of a target are targets.
	switch name := hwCall(ix.info, call); name {
	case "U", "S", "B", "Val", "Mux", "Cat", "Pack", "FromBits":
		return true
	}

	switch scalarMethod(ix.info, call) {
	case "", "At", "AsSigned", "AsUnsigned", "UInt", "Bits":
		return false
	}
	return true
}

// usedOutside reports whether the assigned value may be used outside of scope and after it:
// further down, or anywhere in a loop around it.
func (a *assignment) usedOutside(scope inspector.Cursor) bool {
	if a.v.field() == edge.FuncType_Results {
		return true
	}

	// In a loop that the variable outlives, code before the assignment runs after it too.
	from := scope.Node().End()
	for c := range scope.Parent().Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		if a.v.declaredIn(c) {
			break
		}
		from = c.Node().Pos()
	}

	return slices.ContainsFunc(a.v.uses, func(use inspector.Cursor) bool {
		return use.Node().Pos() >= from && !scope.Contains(use) && a.overlaps(use)
	})
}

// overlaps reports whether a use of the variable is of a part that the
// destination belongs to, or that belongs to it.
func (a *assignment) overlaps(use inspector.Cursor) bool {
	path, _ := a.ix.pathFrom(use)
	n := min(len(path), len(a.path))
	return slices.Equal(path[:n], a.path[:n])
}

// pathFrom is the path that a use of a variable takes from it, as in rootOf, and
// the expression at its end.
func (ix *index) pathFrom(use inspector.Cursor) (path []string, end inspector.Cursor) {
	for {
		step := ix.stepsAt(use)
		if step == nil {
			return path, use
		}
		path, use = append(path, step...), outOfParens(use).Parent()
	}
}

// stepsAt are the fields that the expression at c is asked for, "[]" for an
// index, nil for another use.
func (ix *index) stepsAt(c inspector.Cursor) []string {
	c = outOfParens(c)
	switch c.ParentEdgeKind() {
	case edge.SelectorExpr_X:
		sel := c.Parent().Node().(*ast.SelectorExpr)
		if s := ix.info.Selections[sel]; s != nil && s.Kind() == types.FieldVal {
			return steps(s)
		}
	case edge.IndexExpr_X:
		return []string{"[]"}
	}
	return nil
}

// escapes reports whether the variable may be seen from elsewhere: its address
// is taken, or a function literal shares it, other than the body of a When,
// which runs at once.
func (a *assignment) escapes() bool {
	// A conditional body runs at once and in place; any other function literal may run at any
	// time.
	shared := func(c inspector.Cursor) bool {
		for f := range c.Enclosing((*ast.FuncLit)(nil)) {
			if a.v.declaredIn(f) {
				return false
			}
			if a.ix.conditionOf(f) == "" {
				return true
			}
		}
		return false
	}

	addressed := func(c inspector.Cursor) bool { return outOfParens(c).ParentEdgeKind() == edge.UnaryExpr_X }
	return shared(a.c) || slices.ContainsFunc(a.v.writes, addressed) || slices.ContainsFunc(a.v.uses, shared)
}

// declaredIn reports whether the variable is declared inside the node at c.
func (x *variable) declaredIn(c inspector.Cursor) bool { return c.Contains(x.decl) }
