package vet

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	mathbits "math/bits"
	"path/filepath"

	"golang.org/x/tools/go/ast/inspector"
)

// form is the known shape of a value; nil if nothing is known.
type form struct {
	kind   string // of a scalar: "Bit", "UInt", …; "Fixed" of a fixed-point number
	width  int    // of a scalar, 0 if unknown
	frac   int    // of a fixed-point number
	pos    token.Pos
	values []constant.Value // of an enumeration, nil if unknown
	fields map[string]*form // of a bundle
	elem   *form            // of a vector or memory
	depth  int              // of a memory
}

// scalarForm is a scalar of a width that is written at pos.
func scalarForm(kind string, width int, pos token.Pos) *form {
	if width < 1 || width > 1<<20 {
		return nil
	}
	return &form{kind: kind, width: width, pos: pos}
}

// formOf is the shape of an expression as far as the package itself shows it.
func (ix *index) formOf(x ast.Expr) *form {
	if x == nil {
		return nil
	}
	x = ast.Unparen(x)

	// A Bit has its width in its type.
	if scalar(ix.info.TypeOf(x)) == "Bit" {
		return &form{kind: "Bit", width: 1, pos: x.Pos()}
	}

	switch x := x.(type) {
	case *ast.Ident:
		return ix.formOfVar(ix.varOf(x))
	case *ast.SelectorExpr:
		sel := ix.info.Selections[x]
		if f := ix.formOf(x.X); f != nil && sel != nil && sel.Kind() == types.FieldVal && len(sel.Index()) == 1 {
			return f.fields[x.Sel.Name]
		}
	case *ast.IndexExpr:
		if f := ix.formOf(x.X); f != nil {
			return f.elem
		}
	case *ast.CompositeLit:
		return ix.formOfLiteral(x)
	case *ast.CallExpr:
		return ix.formOfCall(x)
	}
	return nil
}

func (ix *index) formOfVar(x *variable) *form {
	if x == nil {
		return nil
	}
	if f, ok := ix.forms[x.v]; ok {
		return f
	}

	// The entry stops a circle of variables that depend on each other.
	ix.forms[x.v] = nil // while it is looked for
	var f *form

	// A port has its shape from Ports or from the argument of hw.Func, a loop variable from the
	// elements of its range, any other from its only value.
	switch b := ix.isPorts(x); {
	case len(x.writes) > 0:
	case b != nil && b.shape != nil:
		f = ix.formOf(b.shape)
	case b != nil:
		f = ix.formOfPorts(b.of)
	case x.over != nil:
		if over := ix.formOf(x.over); over != nil {
			f = over.elem
		}
	case x.fixed() != nil && (x.isLocal() || !x.v.Exported()):
		f = ix.formOf(x.fixed())
	}

	// A part that is written later is not known either.
	for _, use := range x.uses {
		f = ix.afterUse(f, use)
	}
	ix.forms[x.v] = f
	return f
}

// afterUse is the part of a variable's known shape that a certain use leaves known: an assigned
// part may have another shape afterwards.
func (ix *index) afterUse(f *form, use inspector.Cursor) *form {
	path, end := ix.pathFrom(use)
	sel, isSelector := outOfParens(end).Parent().Node().(*ast.SelectorExpr)
	switch {
	case f == nil:
	case isSelector && ix.byPointer(sel):
		return nil
	case len(path) > 0 && isWrite(end):
		if f.fields == nil {
			return nil
		}
		rest := *f
		rest.fields = maps.Clone(f.fields)
		delete(rest.fields, path[0])
		return &rest
	}
	return f
}

// byPointer reports whether a selector is a method that takes the address of its
// operand, and so may change it.
func (ix *index) byPointer(sel *ast.SelectorExpr) bool {
	s := ix.info.Selections[sel]
	return s != nil && s.Kind() == types.MethodVal && !isPointer(s.Recv()) && isPointer(s.Obj().(*types.Func).Signature().Recv().Type())
}

// formOfPorts is the ports struct of a component of this package.
func (ix *index) formOfPorts(t *types.Named) *form {
	given := ix.portFields(t)
	if given == nil {
		return nil
	}
	f := &form{fields: map[string]*form{}}
	for name, x := range given {
		f.fields[name] = ix.formOf(x)
	}
	return f
}

func (ix *index) formOfLiteral(x *ast.CompositeLit) *form {
	t := ix.info.TypeOf(x)
	if _, ok := t.Underlying().(*types.Struct); !ok || scalar(t) != "" {
		return nil
	}
	f := &form{fields: map[string]*form{}}
	for _, field := range literalFields(x, t) {
		f.fields[field.name] = ix.formOf(field.value)
	}
	return f
}

// componentType is the type of a component, nil if only its interface is known.
func componentType(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n := named(t)
	if n == nil || types.IsInterface(n) {
		return nil
	}
	return n
}

// constInt is the value of a constant integer expression.
func (ix *index) constInt(x ast.Expr) (int, bool) {
	v := ix.constant(x)
	if v == nil {
		return 0, false
	}
	n, exact := constant.Int64Val(v)
	return int(n), exact
}

// orZero is the value of a constant integer expression, 0 for any other.
func (ix *index) orZero(x ast.Expr) int {
	n, _ := ix.constInt(x)
	return n
}

// constant is the integer value of a constant expression, nil for any other.
func (ix *index) constant(x ast.Expr) constant.Value {
	v := ix.info.Types[x].Value
	if v == nil {
		return nil
	}
	if v = constant.ToInt(v); v.Kind() != constant.Int {
		return nil
	}
	return v
}

// countWidth is the number of bits that hold 0..n, at least 1.
func countWidth(n int) int { return max(1, mathbits.Len(uint(max(n, 0)))) }

// line says where a shape is written, as seen from at: "line 12".
func (ix *index) line(f *form, at token.Pos) string {
	from, here := ix.fset.Position(f.pos), ix.fset.Position(at)
	if from.Filename != here.Filename {
		return fmt.Sprintf("%s:%d", filepath.Base(from.Filename), from.Line)
	}
	return fmt.Sprintf("line %d", from.Line)
}

// constFloat is the value of a constant number.
func (ix *index) constFloat(x ast.Expr) (float64, bool) {
	v := ix.info.Types[x].Value
	if v == nil {
		return 0, false
	}
	if v = constant.ToFloat(v); v.Kind() != constant.Float {
		return 0, false
	}
	f, _ := constant.Float64Val(v)
	return f, true
}
