package vet

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// Enum reports enumerations that leave constants of their type out.
var Enum = &analysis.Analyzer{
	Name: "hwenum",
	Doc: `check that enumerations have all constants of their type

	type phase string

	const (
		idle phase = "idle"
		busy phase = "busy"
		done phase = "done"
	)

	state := hw.Reg(m, "state", hw.EnumOf(idle, busy), …) // without done
	for s := range state.Cases() {
		switch s {   // without busy
		case idle: …
		}
	}

A constant that EnumOf leaves out cannot be reached, and a value without a case
in the switch keeps everything as it is, which nobody sees. A case without a body,
or a default, says that this is meant.`,
	Requires: []*analysis.Analyzer{indexAnalyzer},
	Run:      runEnum,
}

func runEnum(pass *analysis.Pass) (any, error) {
	ix := indexOf(pass)
	if ix == nil {
		return nil, nil
	}
	for c := range ix.root.Preorder((*ast.CallExpr)(nil), (*ast.RangeStmt)(nil)) {
		switch n := c.Node().(type) {
		case *ast.CallExpr:
			ix.enumOf(pass, n)
		case *ast.RangeStmt:
			ix.casesOf(pass, c, n)
		}
	}
	return nil, nil
}

// constants lists the constants of a named type that this package can name, in
// order of declaration; of equal ones the first.
func (ix *index) constants(t types.Type) []*types.Const {
	n := named(t)
	if n == nil || n.Obj().Pkg() == nil || n.Obj().Parent() == nil {
		return nil
	}

	// The constants of the type's own package, as far as they can be named here.
	var found []*types.Const
	scope := n.Obj().Parent()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if ok && name != "_" && types.Identical(c.Type(), t) && (c.Exported() || c.Pkg() == ix.pkg) {
			found = append(found, c)
		}
	}

	// Two names of one value count once.
	slices.SortFunc(found, func(x, y *types.Const) int { return int(x.Pos() - y.Pos()) })
	return slices.CompactFunc(found, func(x, y *types.Const) bool { return equal(x.Val(), y.Val()) })
}

func equal(x, y constant.Value) bool { return x.ExactString() == y.ExactString() }

// missing lists the constants of a type whose values are not among some
// expressions; none where an expression is no constant, or the type has none.
func (ix *index) missing(t types.Type, given []ast.Expr) (names []string) {
	// With one value unknown at compile time nothing can be said.
	var values []constant.Value
	for _, x := range given {
		v := ix.info.Types[x].Value
		if v == nil {
			return nil
		}
		values = append(values, v)
	}

	for _, c := range ix.constants(t) {
		if !slices.ContainsFunc(values, func(v constant.Value) bool { return equal(v, c.Val()) }) {
			names = append(names, c.Name())
		}
	}
	return names
}

// enumOf reports constants of a type that a call of EnumOf leaves out, and offers to add them.
func (ix *index) enumOf(pass *analysis.Pass, call *ast.CallExpr) {
	// Values that a variable spreads are not known.
	if hwCall(ix.info, call) != "EnumOf" || call.Ellipsis.IsValid() || len(call.Args) == 0 {
		return
	}
	t := ix.info.TypeOf(call.Args[0])
	names := ix.missing(t, call.Args)
	if len(names) == 0 {
		return
	}

	// The fix names the missing constants with the qualifier that the last argument has.
	last := call.Args[len(call.Args)-1]
	prefix := ""
	if sel, ok := ast.Unparen(last).(*ast.SelectorExpr); ok && named(t).Obj().Pkg() != ix.pkg {
		prefix = types.ExprString(sel.X) + "."
	}

	ix.report(pass, analysis.Diagnostic{Pos: call.Pos(), End: call.End(),
		Message: "EnumOf: " + named(t).Obj().Name() + " has " + plainList(names) + " too, and the enumeration does not",
		SuggestedFixes: []analysis.SuggestedFix{{
			Message:   "Add " + plainList(names),
			TextEdits: []analysis.TextEdit{{Pos: last.End(), End: last.End(), NewText: []byte(", " + prefix + strings.Join(names, ", "+prefix))}},
		}}})
}

// casesOf checks the switches over the value of a loop over Cases.
func (ix *index) casesOf(pass *analysis.Pass, c inspector.Cursor, loop *ast.RangeStmt) {
	// Only a loop over Cases meets every value.
	key, ok := loop.Key.(*ast.Ident)
	if !ok || !ix.isCallOf(loop.X, "Enum.Cases") {
		return
	}
	v := ix.varOf(key)

	// Several switches over the same value may share the cases; a default in any of them covers
	// the rest.
	var first *ast.SwitchStmt
	var handled []ast.Expr
	for in := range c.Preorder((*ast.SwitchStmt)(nil)) {
		n := in.Node().(*ast.SwitchStmt)
		if n.Tag == nil || v == nil || ix.varOf(n.Tag) != v {
			continue
		}
		if first == nil {
			first = n
		}
		for _, s := range n.Body.List {
			clause := s.(*ast.CaseClause)
			if clause.List == nil {
				return // default
			}
			handled = append(handled, clause.List...)
		}
	}

	if first == nil {
		return
	}

	// An enumeration may leave out constants of its type: only its own values can occur.
	t := ix.info.TypeOf(key)
	names := slices.DeleteFunc(ix.missing(t, handled), func(name string) bool { return !ix.enumerated(t, name) })
	if len(names) > 0 {
		ix.report(pass, analysis.Diagnostic{Pos: first.Pos(), End: first.Body.Lbrace,
			Message: "the switch over " + named(t).Obj().Name() + " has no case for " + plainList(names) + "; an empty case or a default says that nothing is to happen"})
	}
}

// enumerated reports whether some enumeration of the package has a constant of its
// type; where none is written out, all have.
func (ix *index) enumerated(t types.Type, name string) bool {
	written := false
	for c := range ix.root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		if hwCall(ix.info, call) != "EnumOf" || call.Ellipsis.IsValid() || len(call.Args) == 0 || !types.Identical(ix.info.TypeOf(call.Args[0]), t) {
			continue
		}
		if written = true; !slices.Contains(ix.missing(t, call.Args), name) {
			return true
		}
	}
	return !written
}

// plainList lists names: a, b and c.
func plainList(names []string) string {
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}
