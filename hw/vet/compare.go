package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// Compare reports comparisons by the host of values that only hardware can compare.
var Compare = &analysis.Analyzer{
	Name: "hwcompare",
	Doc: `check for signals that Go compares or prints

A handle stands for hardware; it has no value while Go runs. Comparing two of
them directly does not compile, but these do:

	var a, b hw.Signal = …
	if a == b { … }               // panics
	switch a { case b: … }        // panics
	map[hw.Signal]int{}           // panics when a key is stored
	slices.Contains(signals, a)   // panics
	reflect.DeepEqual(p.A, p.B)   // compares handles
	assert.Equal(t, 3, p.Count)   // compares handles
	fmt.Println(p.Count)          // prints a handle

Eq, Is and When make hardware that compares; a test reads values with its bench;
hw.NodeOf tells handles apart.`,
	Requires: []*analysis.Analyzer{indexAnalyzer},
	Run:      runCompare,
}

func runCompare(pass *analysis.Pass) (any, error) {
	ix := indexOf(pass)
	if ix == nil {
		return nil, nil
	}

	report := func(n ast.Node, msg string) {
		if msg != "" {
			ix.report(pass, analysis.Diagnostic{Pos: n.Pos(), End: n.End(), Message: msg})
		}
	}

	// Every construct of Go that compares: ==, switch, map keys, and functions or generic types
	// that do so inside.
	nodes := []ast.Node{(*ast.BinaryExpr)(nil), (*ast.SwitchStmt)(nil), (*ast.MapType)(nil), (*ast.IndexExpr)(nil), (*ast.CallExpr)(nil), (*ast.Ident)(nil)}
	for c := range ix.root.Preorder(nodes...) {
		switch n := c.Node().(type) {
		case *ast.BinaryExpr:
			report(n, ix.comparison(n))
		case *ast.SwitchStmt:
			if n.Tag != nil && ix.boxed(n.Tag) && !onlyNil(ix, n.Body) {
				report(n.Tag, "switch compares handles with ==, which panics; write a type switch, or Cases and When for hardware")
			}
		case *ast.MapType:
			if t := ix.info.TypeOf(n.Key); t != nil && boxes(t) {
				report(n.Key, "a map with signals as keys panics when one is stored; use the node of hw.NodeOf as the key")
			}
		case *ast.IndexExpr:
			if m, ok := ix.info.TypeOf(n.X).Underlying().(*types.Map); ok && types.IsInterface(m.Key()) && !isSignal(m.Key()) && ix.boxed(n.Index) {
				report(n.Index, "a signal as the key of a map panics; use the node of hw.NodeOf as the key")
			}
		case *ast.CallExpr:
			report(n, ix.comparingCall(n))
		case *ast.Ident:
			report(n, ix.comparable(c))
		}
	}
	return nil, nil
}

// boxes reports whether values of t compile with == and panic, because they
// have signals behind interfaces.
func boxes(t types.Type) bool {
	if isSignal(t) {
		return true
	}
	if types.IsInterface(t) {
		return false
	}

	// A struct compiles with == only if all its fields are comparable: a slice in it makes the
	// compiler refuse first.
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if boxes(u.Field(i).Type()) {
				return types.Comparable(t)
			}
		}
	case *types.Array:
		return boxes(u.Elem())
	}
	return false
}

// boxed reports whether an expression is a signal behind an interface: of type
// hw.Signal, or a signal that the expression converts to another interface, or
// the operand that a context converts.
func (ix *index) boxed(x ast.Expr) bool {
	x = ast.Unparen(x)
	t := ix.info.TypeOf(x)
	if t == nil {
		return false
	}
	if boxes(t) || scalar(t) != "" || !types.IsInterface(t) && holds(t) {
		return true
	}

	// A conversion to an interface hides the signal.
	call, ok := x.(*ast.CallExpr)
	return ok && ix.info.Types[call.Fun].IsType() && types.IsInterface(t) && len(call.Args) == 1 && ix.boxed(call.Args[0])
}

// comparison is the message about a == b, "" if the comparison is fine.
func (ix *index) comparison(n *ast.BinaryExpr) string {
	if n.Op != token.EQL && n.Op != token.NEQ || ix.isNil(n.X) || ix.isNil(n.Y) || !ix.boxed(n.X) && !ix.boxed(n.Y) {
		return ""
	}
	return n.Op.String() + " compares handles, which panics; Eq compares in hardware, hw.NodeOf tells handles apart"
}

func (ix *index) isNil(x ast.Expr) bool { return ix.info.Types[x].IsNil() }

// onlyNil reports whether a switch has no case but nil.
func onlyNil(ix *index, body *ast.BlockStmt) bool {
	for _, s := range body.List {
		for _, x := range s.(*ast.CaseClause).List {
			if !ix.isNil(x) {
				return false
			}
		}
	}
	return true
}

// comparable is the message about an instance of a generic function or type that has a signal as a
// comparable type argument, "" for none.
func (ix *index) comparable(c inspector.Cursor) string {
	id := c.Node().(*ast.Ident)
	inst, ok := ix.info.Instances[id]
	if !ok {
		return ""
	}

	// The declaration tells which type arguments must be comparable.
	var params *types.TypeParamList
	switch obj := ix.info.Uses[id].(type) {
	case *types.Func:
		params = obj.Signature().TypeParams()
	case *types.TypeName:
		if n := named(obj.Type()); n != nil {
			params = n.Origin().TypeParams()
		}
	}

	for i := range params.Len() {
		want, ok := params.At(i).Constraint().Underlying().(*types.Interface)
		if ok && want.IsComparable() && boxes(inst.TypeArgs.At(i)) {
			return id.Name + " compares handles with ==, which panics; use the nodes of hw.NodeOf"
		}
	}
	return ""
}

// comparers are functions that compare their arguments, printers those that
// print them, by package; a name that ends in * stands for all that begin so.
var (
	comparers = map[string]string{
		"reflect":                            "DeepEqual",
		"github.com/google/go-cmp/cmp":       "Equal Diff",
		"github.com/stretchr/testify/assert": "Equal* NotEqual* Exactly* Same* NotSame* ElementsMatch* Contains* NotContains* Greater* Less*",
	}
	printers = map[string]string{
		"fmt":     "Print* Sprint* Fprint* Errorf Append*",
		"log":     "Print* Fatal* Panic*",
		"testing": "Log* Error* Fatal* Skip*",
	}
)

// comparingCall is the message about a call that compares or prints signals, "" for none.
func (ix *index) comparingCall(call *ast.CallExpr) string {
	f := function(ix.info, call)
	if f == nil || f.Pkg() == nil {
		return ""
	}

	// The two packages of testify have the same functions.
	path := strings.Replace(f.Pkg().Path(), "testify/require", "testify/assert", 1)
	switch {
	case matches(f.Name(), comparers[path]):
		for _, arg := range call.Args {
			if t := ix.info.TypeOf(arg); isSignal(t) || holds(t) {
				return f.Name() + " compares the handle " + brief(arg) + " and not a value: Eq compares in hardware, a test bench reads values"
			}
		}

	// Printing shows the handle's inside. A type that prints itself is fine.
	case matches(f.Name(), printers[path]):
		// A verb like %T asks for the type only.
		if ix.asksType(call) {
			return ""
		}
		for _, arg := range call.Args {
			if t := ix.info.TypeOf(arg); (isSignal(t) || scalar(t) != "" || isFixed(t)) && !hasText(t) {
				return f.Name() + " prints the handle " + brief(arg) + " and not a value: Module.Printf prints in simulation, a test bench reads values"
			}
		}
	}
	return ""
}

// asksType reports whether a call prints the type of something.
func (ix *index) asksType(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		if v := ix.info.Types[arg].Value; v != nil && v.Kind() == constant.String && strings.Contains(constant.StringVal(v), "%T") {
			return true
		}
	}
	return false
}

func matches(name, patterns string) bool {
	for _, p := range strings.Fields(patterns) {
		if prefix, ok := strings.CutSuffix(p, "*"); name == p || ok && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// hasText reports whether a type says how it is printed.
func hasText(t types.Type) bool {
	for _, name := range []string{"String", "Format", "Error"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj != nil {
			if _, ok := obj.(*types.Func); ok {
				return true
			}
		}
	}
	return false
}
