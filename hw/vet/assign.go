package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// Assign reports Go assignments where hardware was meant to be driven.
var Assign = &analysis.Analyzer{
	Name: "hwassign",
	Doc: `check for Go assignments where Set was meant

	p.Count = count        // should be p.Count.Set(count)
	count = count.Inc()    // should be count.Set(count.Inc()), where count is a register
	u.En = wrap            // should be u.En.Set(wrap), where u is an instance
	m.When(c, func() { x = y })

Go's = gives a Go variable another value, at once and whatever the conditions
around it, and drives nothing. The check reports an assignment

  - to a field of the ports of Build, unless Ports marks it hw.In;
  - to a register or wire in a When or Cases, or that nothing has Set before
    (after a Set, another one in the same block would be an error, so that the
    variable may go on as a name for something else);
  - to a field of another struct that is Set elsewhere;
  - to an input of an instance, or to the ports of a test bench;
  - inside a When or Cases to a variable that had a value before and is used
    after it;
  - whose value nothing uses.

A variable of a generator that goes from one value to the next, such as a running
sum, is not reported.`,
	Requires: []*analysis.Analyzer{indexAnalyzer},
	Run:      runAssign,
}

func runAssign(pass *analysis.Pass) (any, error) {
	ix := indexOf(pass)
	if ix == nil {
		return nil, nil
	}
	for c := range ix.root.Preorder((*ast.AssignStmt)(nil)) {
		n := c.Node().(*ast.AssignStmt)
		if n.Tok != token.ASSIGN {
			// Only "=": a declaration gives a variable its first value.
			continue
		}

		// A tuple assignment from one call has no source expression per destination.
		for i, l := range n.Lhs {
			a := assignment{ix: ix, c: c, n: n, dst: l}
			if len(n.Rhs) == len(n.Lhs) {
				a.src = n.Rhs[i]
			}
			if msg, fix := a.mistake(); msg != "" {
				ix.report(pass, analysis.Diagnostic{Pos: l.Pos(), End: n.End(), Message: msg, SuggestedFixes: fix})
			}
		}
	}
	return nil, nil
}

// assignment is one destination of an assignment; src is nil where one call
// gives several values.
type assignment struct {
	ix       *index
	c        inspector.Cursor
	n        *ast.AssignStmt
	dst, src ast.Expr
	v        *variable // at the root of dst
	path     []string
}

// mistake is the message about a mistaken assignment, "" for a sound one, and its fix
// where the fix is plain.
func (a *assignment) mistake() (string, []analysis.SuggestedFix) {
	// Only a local variable that holds hardware is of interest, and only an assignment after the
	// one that gave it its first value.
	ix := a.ix
	t := ix.info.TypeOf(a.dst)
	if a.v, a.path = ix.rootOf(a.dst); a.v == nil || !a.v.isLocal() || a.v.first == ast.Unparen(a.dst) {
		return "", nil
	}
	if _, isParam := types.Unalias(t).(*types.TypeParam); !isParam && !holds(t) {
		return "", nil
	}

	// Where Set was surely meant, the report comes with a fix; the order is from the most to the
	// least specific message.
	for _, f := range []func() string{a.port, a.declared, a.field, a.instance} {
		if msg := f(); msg != "" {
			return msg, setInstead(ix, a.c, a.n)
		}
	}

	for _, f := range []func() string{a.replaced, a.bench, a.conditional, a.unused} {
		if msg := f(); msg != "" {
			return msg, nil
		}
	}
	return "", nil
}

func (a *assignment) say() string { return setText(a.ix, a.c, a.dst) }

// port is an assignment to a field of the body's ports.
func (a *assignment) port() string {
	b := a.ix.isPorts(a.v)
	if b == nil || len(a.path) == 0 {
		return ""
	}

	// An input may be replaced by a changed version of itself. Outputs may not, and the ready of
	// an input stream is an output.
	switch a.ix.portDirection(b, a.path) {
	case "In":
		if !a.isReady() {
			return ""
		}
	case "":
		if a.src != nil && a.ix.mentionsSame(a.src, a.dst) {
			return "" // an input under its own name after some change
		}
	}
	return "= changes Build's copy of the port " + brief(a.dst) + " and drives nothing; say " + a.say()
}

// replaced is an assignment of a new struct to the body's ports.
func (a *assignment) replaced() string {
	if a.ix.isPorts(a.v) == nil || len(a.path) > 0 || a.src == nil {
		return ""
	}
	if _, ok := ast.Unparen(a.src).(*ast.CompositeLit); !ok {
		return ""
	}
	return "= replaces Build's copy of the ports and drives none of them; Set each output"
}

// isReady reports whether the destination is the ready of a stream, which goes
// the other way.
func (a *assignment) isReady() bool {
	sel, ok := ast.Unparen(a.dst).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Ready" {
		return false
	}
	n := named(a.ix.info.TypeOf(sel.X))
	return n != nil && isPart(n.Obj().Pkg(), "stream")
}

// declared is an assignment to a register or wire.
func (a *assignment) declared() string {
	what := a.ix.declares(a.v)
	if what == "" {
		return ""
	}

	// After a Set in the same straight-line code the variable may be reused as a name, because a
	// second Set would be an error anyway.
	under, _ := a.condition()
	for _, use := range a.v.uses {
		if !under.Valid() && use.Node().Pos() < a.dst.Pos() && !a.within(use) && a.ix.drives(use) && a.driver(use) {
			return ""
		}
	}

	kind := "register "
	if what == "Wire" {
		kind = "wire "
	}
	return "= gives the Go variable " + a.v.v.Name() + " another value and does not drive the " + kind + "in it; say " + a.say()
}

// within reports whether a use belongs to this assignment.
func (a *assignment) within(use inspector.Cursor) bool { return a.c.Contains(use) }

// driver reports whether a use is more than the left side of an assignment to a
// part of the variable.
func (a *assignment) driver(use inspector.Cursor) bool {
	for c := range use.Enclosing((*ast.AssignStmt)(nil)) {
		n := c.Node().(*ast.AssignStmt)
		return !slices.ContainsFunc(n.Lhs, func(l ast.Expr) bool { return l.Pos() <= use.Node().Pos() && use.Node().Pos() < l.End() })
	}
	return true
}

// field is an assignment to a field that is driven elsewhere, so that a Set was
// meant: in a When, or where a later Set would find no register or wire.
func (a *assignment) field() string {
	under, _ := a.condition()
	if len(a.path) == 0 || a.ix.declaring(a.src) {
		return ""
	}

	// Another field of the same path must be driven somewhere else, or the assignment may be the
	// one that makes the signal.
	drives := under.Valid() && a.ix.keepsRegister(a.dst)
	for _, use := range a.v.uses {
		path, end := a.ix.pathFrom(use)
		if slices.Equal(path, a.path) && !a.within(use) && a.ix.isTarget(end) {
			drives = drives || under.Valid() || use.Node().Pos() > a.n.End() && a.ix.isValue(a.src)
		}
	}

	if !drives {
		return ""
	}
	return "= gives the field another value and does not drive the signal in it; say " + a.say()
}

// instance is an assignment to a field of an instance's ports.
func (a *assignment) instance() string {
	call, keeper, path := a.ix.instanceIn(a.dst)
	if call == nil {
		return ""
	}

	// An output may be renamed, an input only ever connected.
	ports := a.ix.portFields(componentType(a.ix.info.TypeOf(call.Args[2])))
	switch a.ix.directionOf(ports[path[0]], path[1:]) {
	case "Out":
		return ""
	case "":
		if a.src == nil || a.ix.mentions(a.src, keeper) {
			return "" // a new name for an output after some change
		}
	}
	return "= changes a Go variable and does not connect the port " + brief(a.dst) + " of the instance; say " + a.say()
}

// mentions reports whether an expression uses the variable or field that another
// one names.
func (ix *index) mentions(x, name ast.Expr) bool {
	v, f := ix.varOf(name), ix.fieldOf(name)
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && (v != nil && ix.varOf(e) == v || f != nil && ix.fieldOf(e) == f) {
			found = true
		}
		return !found
	})
	return found
}

// mentionsSame reports whether a part of x is written just like y.
func (ix *index) mentionsSame(x, y ast.Expr) bool {
	found, want := false, types.ExprString(y)
	ast.Inspect(x, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && types.ExprString(e) == want {
			found = true
		}
		return !found
	})
	return found
}

// bench is an assignment to a field of the ports that a test bench returned.
func (a *assignment) bench() string {
	call := asCall(or(a.v.init, a.dst))
	if call == nil || len(a.path) == 0 {
		return ""
	}
	f := function(a.ix.info, call)
	if f == nil || f.Name() != "New" || f.Pkg() == nil || f.Pkg().Name() != "testbench" {
		return ""
	}
	return "= changes a Go variable and not the design under test; use the bench's Set"
}

// or is x, or y where x is nil.
func or(x, y ast.Expr) ast.Expr {
	if x == nil {
		return y
	}
	return x
}
