package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Handle reports handles that are driven and were never made.
var Handle = &analysis.Analyzer{
	Name: "hwhandle",
	Doc: `check for handles that nothing made

A handle is what a port, hw.Reg, hw.Wire or an operation returns; the zero value
belongs to no module:

	var d struct {
		count hw.UInt
		state hw.Enum[phase]
	}
	d.count.Set(hw.U(1))              // drives nothing
	for s := range d.state.Cases() {  // runs for no value

The check looks at local variables, and at fields of structs in them, that are
declared without a value and given none anywhere in the function.`,
	Requires: []*analysis.Analyzer{indexAnalyzer},
	Run:      runHandle,
}

func runHandle(pass *analysis.Pass) (any, error) {
	ix := indexOf(pass)
	if ix == nil {
		return nil, nil
	}
	for c := range ix.root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)

		x, what := ix.driven(call)
		if x == nil || !ix.neverMade(x) {
			continue
		}
		ix.report(pass, analysis.Diagnostic{Pos: call.Pos(), End: call.End(),
			Message: brief(x) + " was never made, so " + what + "; make it with hw.Reg or hw.Wire, or take a port"})
	}
	return nil, nil
}

// driven is the handle that a call drives or iterates over, and the effect that the call has on a
// handle that was never made; nil for any other call.
func (ix *index) driven(call *ast.CallExpr) (x ast.Expr, what string) {
	switch recv, name := method(hwCall(ix.info, call)); {
	case recv == "" && name == "Set" && len(call.Args) == 2:
		return call.Args[0], "Set drives nothing"
	case recv == "Enum" && name == "Cases":
		return operand(call), "Cases runs for no value"
	case name == "Set" || name == "Goto":
		if scalar(ix.info.TypeOf(operand(call))) != "" {
			return operand(call), name + " drives nothing"
		}
	}
	return nil, ""
}

// neverMade reports whether an expression is surely a zero value: a local variable,
// or a field of a struct in one, that is declared without a value for it and given
// none.
func (ix *index) neverMade(x ast.Expr) bool {
	v, path := ix.rootOf(x)
	if v == nil || !v.isLocal() || !v.decl.Valid() || v.field() != edge.Invalid || v.over != nil || v.result > 0 || len(v.writes) > 0 {
		return false
	}
	if !plainPath(v.v.Type(), path) || !startsUnset(ix, v, path) {
		return false
	}
	return !slices.ContainsFunc(v.uses, func(use inspector.Cursor) bool { return ix.mayMake(use, path) })
}

// plainPath reports whether a path of fields from a type stays inside its values:
// no pointer and no element on the way.
func plainPath(t types.Type, path []string) bool {
	for _, name := range path {
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return false
		}
		f := fieldNamed(s, name)
		if f == nil {
			return false
		}
		t = f.Type()
	}
	return holds(t) && !isPointer(t)
}

// startsUnset reports whether the declaration of v leaves the part at path unset:
// there is no value, or a composite literal without it. A range or a receive is not
// a declaration without a value.
func startsUnset(ix *index, v *variable, path []string) bool {
	// A plain var, which nothing assigns first.
	if v.init == nil {
		return v.decl.ParentEdgeKind() == edge.ValueSpec_Names && v.first == nil
	}

	// Follow the path into nested literals; a field that some literal leaves out is unset.
	x := v.init
	for _, name := range path {
		lit, ok := ast.Unparen(x).(*ast.CompositeLit)
		if !ok {
			return false
		}
		given, found := fieldValues(lit, ix.info.TypeOf(lit))[name]
		if !found {
			return true
		}
		x = given
	}
	return false
}

// mayMake reports whether a use of a variable may give the part at path a value: it
// is assigned, its address is taken, or a method of the user's has a pointer to it.
func (ix *index) mayMake(use inspector.Cursor, path []string) bool {
	// A use of another part of the variable cannot set this one.
	at, end := ix.pathFrom(use)
	if n := min(len(at), len(path)); !slices.Equal(at[:n], path[:n]) {
		return false
	}
	end = outOfParens(end)

	switch parent := end.Parent().Node().(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.RangeStmt:
		return isWrite(end)
	case *ast.UnaryExpr:
		return parent.Op == token.AND
	case *ast.SelectorExpr:
		sel := ix.info.Selections[parent]
		if sel == nil || sel.Kind() != types.MethodVal {
			return true
		}

		// A method of the user's may set the handle by its pointer.
		f := sel.Obj().(*types.Func)
		return !isHW(f.Pkg()) && isPointer(f.Signature().Recv().Type())
	}
	return false
}
