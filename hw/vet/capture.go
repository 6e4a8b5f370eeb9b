package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Capture reports signals of one module in the body of another.
var Capture = &analysis.Analyzer{
	Name: "hwcapture",
	Doc: `check for signals that leave their module

A signal belongs to the module whose body made it. In

	func (o Outer) Build(m *hw.Module, p OuterPorts) {
		inner := hw.Func("inner", shape, func(im *hw.Module, ip InnerPorts) {
			ip.Out.Set(p.A)      // p.A belongs to Outer
			hw.Reg(m, "r", …)    // and m is Outer
		})

the inner body may use shapes and literals of the outer one, but not its signals,
its module or its memories. The check also reports a signal that a body stores in
a package variable, or in a variable that another body reads. A test may keep
signals of one design in variables, to look at them in simulation.`,
	Requires: []*analysis.Analyzer{indexAnalyzer},
	Run:      runCapture,
}

func runCapture(pass *analysis.Pass) (any, error) {
	ix := indexOf(pass)
	if ix == nil || len(ix.bodies) == 0 {
		return nil, nil
	}

	// Signals of an outer body used in an inner one, and signals that an assignment carries out.
	for _, x := range ix.sorted() {
		if x.isLocal() {
			ix.captured(pass, x)
		}
	}

	for c := range ix.root.Preorder((*ast.AssignStmt)(nil)) {
		ix.leaks(pass, c)
	}
	return nil, nil
}

// captured reports uses of x in a body inside of the one that it belongs to.
func (ix *index) captured(pass *analysis.Pass, x *variable) {
	if !ix.liveVariable(x, maxChain) {
		return
	}

	home := ix.bodyAt(x.decl) // nil in a helper of a body
	for _, use := range x.uses {
		// A use in its own body is fine, and so is asking for the width.
		if ix.bodyAt(use) == home || ix.asksShape(use) {
			continue
		}

		// The message names the kind of handle.
		what := "a signal"
		switch pointee(x.v.Type()) {
		case "Module":
			what = "the module"
		case "Memory", "ReadPort", "WritePort":
			what = "a memory"
		}

		ix.report(pass, analysis.Diagnostic{Pos: use.Node().Pos(), End: use.Node().End(),
			Message: x.v.Name() + " is " + what + " of the body around this one; bring it in through a port"})
	}
}

// asksShape reports whether the signal at c is only asked for its shape.
func (ix *index) asksShape(c inspector.Cursor) bool {
	// Climb from the use through indexing until some operation shows the purpose of the use.
	for {
		parent := c.Parent()
		switch n := parent.Node().(type) {
		case *ast.ParenExpr, *ast.IndexExpr:
		case *ast.RangeStmt:
			return n.Value == nil && c.ParentEdgeKind() == edge.RangeStmt_X
		case *ast.SelectorExpr:
			if slices.Contains([]string{"Width", "Lit", "Frac", "Format"}, n.Sel.Name) && ix.info.Selections[n] != nil {
				return true
			}
		case *ast.CallExpr:
			switch hwCall(ix.info, n) {
			case "Like", "Zero", "Sized", "WidthOf", "TypeOf":
				return true
			}
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			return ok && (id.Name == "len" || id.Name == "cap")
		default:
			return false
		}
		c = parent
	}
}

// leaks reports signals that the assignment at c carries out of its body.
func (ix *index) leaks(pass *analysis.Pass, c inspector.Cursor) {
	n := c.Node().(*ast.AssignStmt)
	b := ix.bodyAt(c)

	// Only a plain "=": a declaration makes a variable of this body.
	if b == nil || n.Tok != token.ASSIGN || len(n.Lhs) != len(n.Rhs) {
		return
	}

	// Only live hardware stored in a variable of another body, or of none, leaves this one.
	for i, dst := range n.Lhs {
		x, _ := ix.rootOf(dst)
		if x == nil || !holds(ix.info.TypeOf(dst)) || !ix.live(n.Rhs[i]) || ix.bodyIs(b, x) {
			continue
		}

		// A test may keep a signal in a package variable to inspect it, if nothing else reads it.
		read := ix.readElsewhere(x, b)
		switch {
		case !x.isLocal() && (read || !ix.inTest(c)):
			ix.report(pass, analysis.Diagnostic{Pos: dst.Pos(), End: n.End(),
				Message: "the package variable " + x.v.Name() + " keeps a signal of this module, and the next module that is built finds it; pass signals through ports"})
		case x.isLocal() && read:
			ix.report(pass, analysis.Diagnostic{Pos: dst.Pos(), End: n.End(),
				Message: x.v.Name() + " carries a signal of this module into another body; bring it out through a port"})
		}
	}
}

// bodyIs reports whether x is declared inside of the body b.
func (ix *index) bodyIs(b *body, x *variable) bool {
	return x.isLocal() && b.node.Pos() <= x.v.Pos() && x.v.Pos() < b.node.End()
}

// readElsewhere reports whether a function other than b that takes a module, and
// so is a body or helps one, reads x.
func (ix *index) readElsewhere(x *variable, b *body) bool {
	// A helper that takes a module builds hardware too: reading x there is the same mistake.
	return slices.ContainsFunc(x.uses, func(use inspector.Cursor) bool {
		for c := range use.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
			if c.Node() == b.node {
				return false
			}
			if sig, ok := ix.typeOfFunc(c.Node()).(*types.Signature); ok && sig.Params().Len() > 0 && isModule(sig.Params().At(0).Type()) {
				return true
			}
		}
		return false
	})
}

func (ix *index) typeOfFunc(n ast.Node) types.Type {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return ix.info.TypeOf(n.Name)
	case *ast.FuncLit:
		return ix.info.TypeOf(n)
	}
	return nil
}

// inTest reports whether c is in a test file.
func (ix *index) inTest(c inspector.Cursor) bool {
	return strings.HasSuffix(ix.fset.Position(c.Node().Pos()).Filename, "_test.go")
}
