package vet

import (
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// isHW reports whether p is the language. It is known by its package name and
// the end of its path, so that the module may be renamed.
func isHW(p *types.Package) bool {
	if p == nil || p.Name() != "hw" {
		return false
	}
	path, _, _ := strings.Cut(p.Path(), " ") // a test variant is "etch/hw [etch/hw.test]"
	return path == "hw" || strings.HasSuffix(path, "/hw")
}

// isPart reports whether p is a package of the language's library with the given
// name: hw/stream, hw/fixed.
func isPart(p *types.Package, name string) bool {
	return p != nil && p.Name() == name && (p.Path() == "hw/"+name || strings.HasSuffix(p.Path(), "/hw/"+name))
}

// usesHW reports whether a package can see the language, directly or through its imports.
func usesHW(p *types.Package) bool {
	seen := map[*types.Package]bool{}
	var visit func(*types.Package) bool
	visit = func(p *types.Package) bool {
		if isHW(p) {
			return true
		}
		seen[p] = true
		for _, q := range p.Imports() {
			if !seen[q] && visit(q) {
				return true
			}
		}
		return false
	}
	return visit(p)
}

// named is the named type behind t, nil if there is none.
func named(t types.Type) *types.Named {
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// hwName is the name of a type of the language, "" for any other.
func hwName(t types.Type) string {
	if n := named(t); n != nil && isHW(n.Obj().Pkg()) {
		return n.Obj().Name()
	}
	return ""
}

// scalar is the kind of a scalar type, "" for any other type.
func scalar(t types.Type) string {
	switch name := hwName(t); name {
	case "Bit", "UInt", "SInt", "Enum", "Clock", "Reset":
		return name
	}
	return ""
}

// isFixed reports whether t is a fixed-point number.
func isFixed(t types.Type) bool {
	n := named(t)
	return n != nil && isPart(n.Obj().Pkg(), "fixed") && n.Obj().Name() == "Num"
}

// pointee is the type of the language that t points to, "" for any other type.
func pointee(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return hwName(p.Elem())
	}
	return ""
}

// isSignal reports whether t is the interface hw.Signal.
func isSignal(t types.Type) bool { return hwName(t) == "Signal" }

// holds reports whether values of t contain scalars, as hw sees it.
func holds(t types.Type) bool { return holdsIn(t, map[types.Type]bool{}) }

func holdsIn(t types.Type, seen map[types.Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}

	// A type that contains itself holds no more than its other parts do.
	seen[t] = true
	if scalar(t) != "" {
		return true
	}

	switch u := t.Underlying().(type) {
	case *types.Slice:
		return holdsIn(u.Elem(), seen)
	case *types.Array:
		return holdsIn(u.Elem(), seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if reflect.StructTag(u.Tag(i)).Get("hw") != "-" && holdsIn(u.Field(i).Type(), seen) {
				return true
			}
		}
	}
	return false
}

// function is the function or method that a call calls, nil for builtins,
// conversions and function values.
func function(info *types.Info, call *ast.CallExpr) *types.Func {
	f, _ := typeutil.Callee(info, call).(*types.Func)
	if f == nil {
		return nil
	}
	return f.Origin()
}

// hwCall names the function of the language that a call calls: "Reg", "UInt.Add",
// "Module.When"; "" for any other call.
func hwCall(info *types.Info, call *ast.CallExpr) string {
	f := function(info, call)
	if f == nil || !isHW(f.Pkg()) {
		return ""
	}
	if recv := receiver(f); recv != "" {
		return recv + "." + f.Name()
	}
	return f.Name()
}

// receiver is the name of the type that a method belongs to, "" for a function.
func receiver(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return ""
	}

	t := recv.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n := named(t); n != nil {
		return n.Obj().Name()
	}
	return ""
}

// method splits a result of [hwCall] into receiver and name.
func method(call string) (recv, name string) {
	if recv, name, ok := strings.Cut(call, "."); ok {
		return recv, name
	}
	return "", call
}

// scalarMethod is the name of the method of a scalar or a vector that a call
// calls, "" for any other call.
func scalarMethod(info *types.Info, call *ast.CallExpr) string {
	switch recv, name := method(hwCall(info, call)); recv {
	case "Bit", "UInt", "SInt", "Enum", "Clock", "Reset", "Vec", "sig":
		return name
	}
	return ""
}

// operand is the receiver expression of a method call, nil if there is none.
func operand(call *ast.CallExpr) ast.Expr {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return sel.X
	}
	return nil
}

// asCall is x as a call, nil if it is none.
func asCall(x ast.Expr) *ast.CallExpr {
	call, _ := ast.Unparen(x).(*ast.CallExpr)
	return call
}

// isSpread reports whether one call gives all arguments of another: f(g()).
func isSpread(info *types.Info, call *ast.CallExpr) bool {
	if len(call.Args) != 1 {
		return false
	}
	_, isTuple := info.TypeOf(call.Args[0]).(*types.Tuple)
	return isTuple
}

// isModule reports whether t is *hw.Module.
func isModule(t types.Type) bool { return pointee(t) == "Module" }
