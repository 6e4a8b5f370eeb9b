package vet

import (
	"go/ast"
	"strings"

	"go/types"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// brief is an expression as it is written, cut to a length that fits a message.
func brief(x ast.Expr) string {
	s := types.ExprString(x)
	if r := []rune(s); len(r) > 40 {
		return string(r[:37]) + "..."
	}
	return s
}

// hwIdent is the name under which the file at c imports the language, "" if it
// does not.
func hwIdent(info *types.Info, c inspector.Cursor) string {
	for f := range c.Enclosing((*ast.File)(nil)) {
		for _, imp := range f.Node().(*ast.File).Imports {
			if p := info.PkgNameOf(imp); p != nil && isHW(p.Imported()) && p.Name() != "_" && p.Name() != "." {
				return p.Name()
			}
		}
	}
	return ""
}

// setInstead is the fix that turns "dst = src" into a Set: of a scalar by its
// method, of anything else by the function.
func setInstead(ix *index, c inspector.Cursor, n *ast.AssignStmt) []analysis.SuggestedFix {
	if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
		return nil
	}

	// A scalar has the method Set, a bundle needs the function with the package's name in this
	// file.
	dst, src := n.Lhs[0], n.Rhs[0]
	before, between := "", ".Set("
	if t := ix.info.TypeOf(dst); scalar(t) == "" && !isFixed(t) {
		pkg := hwIdent(ix.info, c)
		if pkg == "" {
			return nil
		}
		before, between = pkg+".Set(", ", "
	}

	return []analysis.SuggestedFix{{
		Message: "Set the signal",
		TextEdits: []analysis.TextEdit{
			{Pos: dst.Pos(), End: dst.Pos(), NewText: []byte(before)},
			{Pos: dst.End(), End: src.Pos(), NewText: []byte(between)},
			{Pos: src.End(), End: src.End(), NewText: []byte(")")},
		},
	}}
}

// setText is how a Set of x is written.
func setText(ix *index, c inspector.Cursor, x ast.Expr) string {
	if t := ix.info.TypeOf(x); scalar(t) != "" || isFixed(t) {
		return brief(x) + ".Set(…)"
	}
	var b strings.Builder
	if pkg := hwIdent(ix.info, c); pkg != "" {
		b.WriteString(pkg + ".")
	}
	b.WriteString("Set(" + brief(x) + ", …)")
	return b.String()
}
