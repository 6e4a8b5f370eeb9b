package vet

import (
	"go/ast"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/ast/inspector"
)

// body is a function that describes a module: a method Build, or the function argument of hw.Func.
type body struct {
	node  ast.Node // *ast.FuncDecl or *ast.FuncLit
	ports *variable
	of    *types.Named // whose Build it is, nil for hw.Func
	shape ast.Expr     // the ports given to hw.Func
}

// findBodies lists the bodies of the package by their functions.
func findBodies(ix *index) map[ast.Node]*body {
	// Methods named Build with the signature of a component.
	bodies := map[ast.Node]*body{}
	for f, d := range ix.decls {
		if recv := f.Signature().Recv(); recv != nil && f.Name() == "Build" && isBody(f.Signature()) {
			t := recv.Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			bodies[d] = &body{node: d, ports: ix.vars[f.Signature().Params().At(1)], of: named(t)}
		}
	}

	// Functions given to hw.Func, as a literal or by name.
	for c := range ix.root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		if hwCall(ix.info, call) != "Func" || len(call.Args) != 3 {
			continue
		}
		if node, sig := ix.literal(call.Args[2]); node != nil && isBody(sig) {
			bodies[node] = &body{node: node, ports: ix.vars[sig.Params().At(1)], shape: call.Args[1]}
		}
	}
	return bodies
}

// literal is the function that an expression stands for: a function literal, a
// variable that always holds one, or a function of the package.
func (ix *index) literal(x ast.Expr) (ast.Node, *types.Signature) {
	switch x := ast.Unparen(x).(type) {
	case *ast.FuncLit:
		sig, _ := ix.info.TypeOf(x).(*types.Signature)
		return x, sig

	// A name may be a declared function, or a variable that never changes.
	case *ast.Ident:
		if f, ok := ix.info.Uses[x].(*types.Func); ok && ix.decls[f.Origin()] != nil {
			return ix.decls[f.Origin()], f.Origin().Signature()
		}
		if v := ix.varOf(x); v != nil && v.fixed() != nil {
			if lit, ok := ast.Unparen(v.fixed()).(*ast.FuncLit); ok {
				return ix.literal(lit)
			}
		}
	}
	return nil, nil
}

// isBody reports whether a function takes a module and its ports.
func isBody(sig *types.Signature) bool {
	return sig != nil && sig.Params().Len() == 2 && sig.Results().Len() == 0 && isModule(sig.Params().At(0).Type())
}

// bodyAt is the innermost body around c, nil if there is none.
func (ix *index) bodyAt(c inspector.Cursor) *body {
	for f := range c.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		if b := ix.bodies[f.Node()]; b != nil {
			return b
		}
	}
	return nil
}

// isPorts returns the body whose ports parameter x is, nil for other variables.
func (ix *index) isPorts(x *variable) *body {
	for _, b := range ix.bodies {
		if b.ports == x && x != nil {
			return b
		}
	}
	return nil
}

// portsMethod is the declaration of t's method Ports, nil if it is not in this
// package.
func (ix *index) portsMethod(t *types.Named) *ast.FuncDecl {
	if t == nil {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, ix.pkg, "Ports")

	// A method promoted from an embedded type counts.
	f, _ := obj.(*types.Func)
	if f == nil {
		return nil
	}
	return ix.decls[f.Origin()]
}

// portFields lists the expression that the method Ports gives to each field of its ports struct. A
// field with several expressions is left out.
func (ix *index) portFields(t *types.Named) map[string]ast.Expr {
	d := ix.portsMethod(t)
	if d == nil || d.Body == nil {
		return nil
	}

	f := ix.info.Defs[d.Name].(*types.Func)
	if f.Signature().Results().Len() != 1 {
		return nil
	}
	ports := f.Signature().Results().At(0).Type()

	// Collect from composite literals of the struct and from assignments to its fields.
	given := map[string][]ast.Expr{}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if types.Identical(ix.info.TypeOf(n), ports) {
				for _, field := range literalFields(n, ports) {
					given[field.name] = append(given[field.name], field.value)
				}
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				sel, ok := l.(*ast.SelectorExpr)
				if ok && len(n.Lhs) == len(n.Rhs) && types.Identical(ix.info.TypeOf(sel.X), ports) {
					given[sel.Sel.Name] = append(given[sel.Sel.Name], n.Rhs[i])
				}
			}
		}
		return true
	})
	return onlyOnce(given)
}

// fieldValue is a field that a composite literal gives.
type fieldValue struct {
	name  string
	value ast.Expr
}

// literalFields lists the fields that a composite literal of a struct type gives.
func literalFields(lit *ast.CompositeLit, t types.Type) []fieldValue {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var fields []fieldValue

	// Fields by name or by place, as the language allows both.
	for i, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				fields = append(fields, fieldValue{id.Name, kv.Value})
			}
		} else if i < s.NumFields() {
			fields = append(fields, fieldValue{s.Field(i).Name(), elt})
		}
	}
	return fields
}

// fieldValues is literalFields by name.
func fieldValues(lit *ast.CompositeLit, t types.Type) map[string]ast.Expr {
	values := map[string]ast.Expr{}
	for _, field := range literalFields(lit, t) {
		values[field.name] = field.value
	}
	return values
}

func onlyOnce(given map[string][]ast.Expr) map[string]ast.Expr {
	once := map[string]ast.Expr{}
	for name, values := range given {
		// A field that is given twice has no single shape.
		if len(values) == 1 {
			once[name] = values[0]
		}
	}
	return once
}

// portDirection returns the direction by name, as "In", of the field at path of a body's ports.
func (ix *index) portDirection(b *body, path []string) string {
	// A tag says the direction, whatever the shape.
	if dir := taggedDirection(b.ports.v.Type(), path); dir != "" {
		return dir
	}
	if b.shape != nil {
		return ix.directionOf(b.shape, path)
	}
	return ix.directionOf(ix.portFields(b.of)[path[0]], path[1:])
}

// taggedDirection is "In" or "Out" where a field on a path from a ports struct has
// the tag dir, the innermost of several; "" where none has.
func taggedDirection(t types.Type, path []string) (dir string) {
	// An inner tag overrides an outer one, since the walk goes inwards.
	for _, name := range path {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			for i := range u.NumFields() {
				if f := u.Field(i); f.Name() == name {
					t = f.Type()
					switch reflect.StructTag(u.Tag(i)).Get("dir") {
					case "in":
						dir = "In"
					case "out":
						dir = "Out"
					}
				}
			}
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		}
	}
	return dir
}

// directionOf is "In" or "Out" for the part of a port shape at a path, "" where
// the shape, written with In and Out, does not make it plain.
func (ix *index) directionOf(x ast.Expr, path []string) string {
	// Follow variables and literals down the path until a call of In or Out ends it; maxChain
	// bounds a circle of variables.
	for range maxChain {
		switch y := ast.Unparen(or(x, ast.NewIdent("_"))).(type) {
		case *ast.CallExpr:
			if name := hwCall(ix.info, y); name == "In" || name == "Out" {
				return name
			}
			return ""
		case *ast.CompositeLit:
			if len(path) == 0 {
				return ""
			}
			x = fieldValues(y, ix.info.TypeOf(y))[path[0]]
			path = path[1:]
		case *ast.Ident:
			v := ix.varOf(y)
			if v == nil {
				return ""
			}
			x = v.fixed()
		default:
			return ""
		}
	}
	return ""
}
