package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// index is the knowledge about one package that the checks share. It is nil for a package that
// does not use the language, and for the language itself.
type index struct {
	info   *types.Info
	fset   *token.FileSet
	pkg    *types.Package
	root   inspector.Cursor
	vars   map[*types.Var]*variable
	decls  map[*types.Func]*ast.FuncDecl
	bodies map[ast.Node]*body        // by *ast.FuncDecl or *ast.FuncLit
	given  map[*types.Var][]ast.Expr // values assigned to fields
	forms  map[*types.Var]*form
	ignore ignores
}

// variable is a Go variable, not a field, of the package.
type variable struct {
	v      *types.Var
	decl   inspector.Cursor   // its name where it is declared
	init   ast.Expr           // the value from the declaration, or from first; nil for none
	result int                // which result of init
	over   ast.Expr           // or the expression that a range statement takes it from
	first  ast.Node           // its name in the assignment that first gives it init, nil for the declaration
	writes []inspector.Cursor // its name, where it is assigned as a whole or its address is taken
	uses   []inspector.Cursor // its name everywhere but in the declaration and in writes
}

var indexAnalyzer = &analysis.Analyzer{
	Name:       "hwindex",
	Doc:        "collect what the checks of hwvet share",
	Requires:   []*analysis.Analyzer{inspect.Analyzer},
	ResultType: reflect.TypeFor[*index](),
	Run:        func(pass *analysis.Pass) (any, error) { return newIndex(pass), nil },
}

// indexOf is the index of the package of a pass, nil if there is nothing to
// check.
func indexOf(pass *analysis.Pass) *index { return pass.ResultOf[indexAnalyzer].(*index) }

func newIndex(pass *analysis.Pass) *index {
	// Without the language nothing can be wrong.
	if isHW(pass.Pkg) || !usesHW(pass.Pkg) {
		return nil
	}

	ix := &index{
		info: pass.TypesInfo, fset: pass.Fset, pkg: pass.Pkg,
		root:  pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root(),
		vars:  map[*types.Var]*variable{},
		decls: map[*types.Func]*ast.FuncDecl{},
		forms: map[*types.Var]*form{},
	}

	// One walk over all names records declarations, writes and uses of variables.
	for c := range ix.root.Preorder((*ast.Ident)(nil), (*ast.FuncDecl)(nil)) {
		if d, ok := c.Node().(*ast.FuncDecl); ok {
			if f, ok := ix.info.Defs[d.Name].(*types.Func); ok {
				ix.decls[f] = d
			}
			continue
		}
		ix.ident(c)
	}

	// The rest builds on the complete table of variables, in this order: bodies need single
	// values, fields need bodies.
	for _, x := range ix.vars {
		x.promote()
	}
	ix.bodies = findBodies(ix)
	ix.given = findGiven(ix)
	ix.ignore = findIgnores(pass)
	return ix
}

// ident records one occurrence of a variable.
func (ix *index) ident(c inspector.Cursor) {
	id := c.Node().(*ast.Ident)

	if v, ok := ix.info.Defs[id].(*types.Var); ok && !v.IsField() {
		x := ix.variable(v)
		x.decl = c
		x.declared(c)
		return
	}

	// Fields are known by their struct, not here.
	v, ok := ix.info.Uses[id].(*types.Var)
	if !ok || v.IsField() {
		return
	}
	x := ix.variable(v)
	if isWrite(c) {
		x.writes = append(x.writes, c)
		return
	}
	x.uses = append(x.uses, c)
}

func (ix *index) variable(v *types.Var) *variable {
	v = v.Origin()
	x := ix.vars[v]
	if x == nil {
		x = &variable{v: v}
		ix.vars[v] = x
	}
	return x
}

// declared records the value that the declaration at c gives x.
func (x *variable) declared(c inspector.Cursor) {
	kind, at := c.ParentEdge()
	var values []ast.Expr
	switch n := c.Parent().Node().(type) {
	case *ast.AssignStmt:
		values = n.Rhs
		if kind != edge.AssignStmt_Lhs {
			return
		}
	case *ast.ValueSpec:
		values = n.Values
	case *ast.RangeStmt:
		if kind == edge.RangeStmt_Value {
			x.over = n.X
		}
		return
	}

	// One call may give several values: the position tells which result is x's.
	switch {
	case len(values) == 0:
	case len(values) == 1:
		x.init, x.result = values[0], at
	case at < len(values):
		x.init = values[at]
	}
}

// promote takes the first assignment to a variable that is declared without a
// value, or to a named result, for its declaration, if it is in the same block.
func (x *variable) promote() {
	if x.init != nil || x.over != nil || len(x.writes) == 0 || x.field() == edge.FuncType_Params || !x.decl.Valid() {
		return
	}

	// In another block the assignment is conditional, and a use before it sees the zero value.
	w := x.writes[0]
	n, ok := w.Parent().Node().(*ast.AssignStmt)
	if !ok || n.Tok != token.ASSIGN || w.Parent().Parent().Node() != x.block() {
		return
	}

	// Used before, it had the zero value there.
	if len(x.uses) > 0 && x.uses[0].Node().Pos() < n.Pos() {
		return
	}

	x.declared(w)
	x.first, x.writes = w.Node(), x.writes[1:]
}

// block is the block that a local variable belongs to, nil if that is none.
func (x *variable) block() ast.Node {
	for c := range x.decl.Enclosing((*ast.BlockStmt)(nil), (*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		switch n := c.Node().(type) {
		case *ast.FuncDecl:
			return n.Body
		case *ast.FuncLit:
			return n.Body
		}
		return c.Node()
	}
	return nil
}

// field is where a parameter or result is declared, edge.Invalid for another
// variable.
func (x *variable) field() edge.Kind {
	if !x.decl.Valid() || x.decl.ParentEdgeKind() != edge.Field_Names {
		return edge.Invalid
	}
	return x.decl.Parent().Parent().ParentEdgeKind()
}

// isWrite reports whether the name at c is assigned as a whole, or has its
// address taken.
func isWrite(c inspector.Cursor) bool {
	c = outOfParens(c)
	switch kind, _ := c.ParentEdge(); kind {
	case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
		return true
	case edge.UnaryExpr_X:
		return c.Parent().Node().(*ast.UnaryExpr).Op == token.AND
	}
	return false
}

// outOfParens is the outermost parenthesised form of the expression at c.
func outOfParens(c inspector.Cursor) inspector.Cursor {
	for c.ParentEdgeKind() == edge.ParenExpr_X {
		c = c.Parent()
	}
	return c
}

// varOf is the variable that an expression names, nil if it names none.
func (ix *index) varOf(x ast.Expr) *variable {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return nil
	}
	switch obj := ix.info.ObjectOf(id).(type) {
	case *types.Var:
		return ix.vars[obj.Origin()]
	}
	return nil
}

// rootOf is the variable at the root of a.b[i].c, and the path from there: the
// names of fields, "[]" for an index. The variable is nil if there is none.
func (ix *index) rootOf(x ast.Expr) (*variable, []string) {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return ix.varOf(x), nil
	case *ast.SelectorExpr:
		if s := ix.info.Selections[x]; s != nil && s.Kind() == types.FieldVal {
			v, path := ix.rootOf(x.X)
			return v, append(path, steps(s)...)
		}
	case *ast.IndexExpr:
		v, path := ix.rootOf(x.X)
		return v, append(path, "[]")
	}
	return nil, nil
}

// steps are the fields that a selection goes through: more than one where fields
// are embedded.
func steps(s *types.Selection) []string {
	var path []string
	t := s.Recv()
	for _, i := range s.Index() {
		// A selection may pass through embedded pointers.
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		f := t.Underlying().(*types.Struct).Field(i)
		path, t = append(path, f.Name()), f.Type()
	}
	return path
}

// isLocal reports whether x belongs to a function.
func (x *variable) isLocal() bool {
	return x.v.Parent() != nil && x.v.Pkg() != nil && x.v.Parent() != x.v.Pkg().Scope()
}

// fixed is the expression that x always has, nil where it may change.
func (x *variable) fixed() ast.Expr {
	if len(x.writes) > 0 || x.result > 0 {
		return nil
	}
	return x.init
}
