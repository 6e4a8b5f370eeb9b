package vet

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// Component reports types that are nearly components.
var Component = &analysis.Analyzer{
	Name: "hwcomponent",
	Doc: `check that components satisfy hw.Component

A component has the methods Ports() P and Build(m *hw.Module, p P), P a struct.
The check reports a type that has both but not so, or only one of them, or one
with a value and the other with a pointer receiver; and methods Validate,
ModuleName and Verilog of a component that hw will not call, because they have
another signature or a pointer receiver.

With -hwcomponent.assert it also wants each exported component to say what it is,
at the top level:

	var _ hw.Component[CounterPorts] = Counter{}`,
	Requires: []*analysis.Analyzer{indexAnalyzer},
	Run:      runComponent,
}

var wantAssertion bool

func init() {
	Component.Flags.BoolVar(&wantAssertion, "assert", false, "want var _ hw.Component[P] = T{} for exported components")
}

func runComponent(pass *analysis.Pass) (any, error) {
	ix := indexOf(pass)
	if ix == nil {
		return nil, nil
	}

	embedded, asserted := ix.embedded(), ix.asserted()

	// Aliases and interfaces have no methods of their own to judge.
	scope := pass.Pkg.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() || types.IsInterface(obj.Type()) {
			continue
		}
		k := newComponent(ix, pass, named(obj.Type()))

		// A type with one of the two methods is reported unless another type embeds it and adds
		// the other.
		switch {
		case k == nil:
		case k.ports != nil && k.build != nil:
			if !k.isPointerOnly(asserted) && k.both() && wantAssertion && obj.Exported() && asserted[obj] == nil {
				k.report(obj, fmt.Sprintf("%s is a component and does not say so; say var _ hw.Component[%s] = %s", name, k.text(k.portsType()), k.zero()))
			}
		case !embedded[obj]:
			k.one()
		}
	}
	return nil, nil
}

// component is a type with a method Ports or Build.
type component struct {
	ix    *index
	pass  *analysis.Pass
	t     *types.Named
	ports *types.Func
	build *types.Func
}

// newComponent returns nil for a type that has nothing of a component.
func newComponent(ix *index, pass *analysis.Pass, t *types.Named) *component {
	// The type's own parameters serve as arguments, so that Ports and Build speak of the same
	// types.
	if params := t.TypeParams(); params.Len() > 0 {
		args := make([]types.Type, params.Len())
		for i := range args {
			args[i] = params.At(i)
		}
		inst, err := types.Instantiate(nil, t, args, false)
		if err != nil {
			return nil
		}
		t = named(inst)
	}

	k := &component{ix: ix, pass: pass, t: t}
	k.ports, k.build = k.method("Ports"), k.method("Build")
	if k.ports == nil && k.build == nil {
		return nil
	}
	return k
}

// method is a method of the type or of a pointer to it.
func (k *component) method(name string) *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(k.t, true, k.pass.Pkg, name)
	f, _ := obj.(*types.Func)
	return f
}

// portsType is the first result of Ports, nil if it has none.
func (k *component) portsType() types.Type {
	if r := k.ports.Signature().Results(); r.Len() > 0 {
		return r.At(0).Type()
	}
	return nil
}

// isHardware reports whether t is a struct of signals, or a pointer to one.
func isHardware(t types.Type) bool {
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	_, isStruct := t.Underlying().(*types.Struct)
	return isStruct && holds(t) && scalar(t) == ""
}

// takesModule reports whether a function has a parameter hw.Module, pointer or
// not.
func takesModule(f *types.Func) bool {
	params := f.Signature().Params()
	for i := range params.Len() {
		if t := params.At(i).Type(); isModule(t) || hwName(t) == "Module" {
			return true
		}
	}
	return false
}

// both checks a type with both methods; it reports whether all is well.
func (k *component) both() bool {
	if !isHardware(k.portsType()) && !takesModule(k.build) {
		return false // something else
	}

	// From the gravest mistake to the least: the first one explains the rest.
	ports, build := k.ports.Signature(), k.build.Signature()
	p := k.portsType()
	switch {
	case ports.Params().Len() != 0 || ports.Results().Len() != 1:
		return k.report(k.ports, fmt.Sprintf("%s.Ports has the wrong signature for a component; want func() P, P its ports struct", k.name()))
	case isPointer(p):
		return k.report(k.ports, fmt.Sprintf("%s.Ports returns a pointer, which holds no ports; return the struct", k.name()))
	case !isBody(build) || build.Variadic() || !types.Identical(build.Params().At(1).Type(), p):
		return k.report(k.build, fmt.Sprintf("%s.Build has the wrong signature for a component with these Ports; want func(m *hw.Module, p %s), not %s",
			k.name(), k.text(p), k.text(withoutNames(build))))
	case isPointer(ports.Recv().Type()) != isPointer(build.Recv().Type()) && k.own(k.ports) && k.own(k.build):
		return k.report(k.build, fmt.Sprintf("Ports and Build of %s have receivers of two kinds, so %s is no hw.Component; use a value receiver for both", k.name(), k.name()))
	}
	return k.options()
}

func (k *component) options() bool {
	byPointer := isPointer(k.build.Signature().Recv().Type())
	ok := true

	// hw finds these methods by an interface; one with another signature is silently not called.
	for _, want := range []struct{ name, result string }{{"Validate", "error"}, {"ModuleName", "string"}, {"Verilog", "hw.Verilog"}} {
		f := k.method(want.name)
		if f == nil || !k.own(f) {
			continue
		}

		sig := f.Signature()
		switch {
		case sig.Params().Len() != 0 || sig.Results().Len() != 1 || !isResult(sig.Results().At(0).Type(), want.result):
			ok = k.report(f, fmt.Sprintf("hw calls the method %s of a component only as func() %s; this one is never called", want.name, want.result))
		case isPointer(sig.Recv().Type()) && !byPointer:
			ok = k.report(f, fmt.Sprintf("%s has a pointer receiver, so hw does not call it for a component %s; use a value receiver", want.name, k.name()))
		}
	}
	return ok
}

func isResult(t types.Type, want string) bool {
	if want == "hw.Verilog" {
		return hwName(t) == "Verilog"
	}
	return types.Identical(t, types.Universe.Lookup(want).Type())
}

// one reports a type that has Ports without Build, or Build without Ports: neither is a component.
func (k *component) one() {
	switch {
	case k.build == nil && k.ports.Signature().Params().Len() == 0 && k.ports.Signature().Results().Len() == 1 && isHardware(k.portsType()):
		k.report(k.ports, fmt.Sprintf("%s has Ports but no method Build(m *hw.Module, p %s), so it is no component", k.name(), k.text(k.portsType())))
	case k.ports == nil && isBody(k.build.Signature()) && isHardware(k.build.Signature().Params().At(1).Type()):
		k.report(k.build, fmt.Sprintf("%s has Build but no method Ports() %s, so it is no component", k.name(), k.text(k.build.Signature().Params().At(1).Type())))
	}
}

// own reports whether a method is declared for the type itself.
func (k *component) own(f *types.Func) bool { return receiver(f) == k.name() && f.Pkg() == k.pass.Pkg }

func (k *component) name() string { return k.t.Obj().Name() }

func (k *component) zero() string {
	if _, ok := k.t.Underlying().(*types.Struct); ok {
		return k.name() + "{}"
	}
	return "*new(" + k.name() + ")"
}

func (k *component) text(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == k.pass.Pkg {
			return ""
		}
		return p.Name()
	})
}

// report reports a mistake at an object, or at the type where that is declared
// in another package. It returns false.
func (k *component) report(obj types.Object, msg string) bool {
	if obj.Pkg() != k.pass.Pkg {
		obj = k.t.Obj()
	}
	k.ix.report(k.pass, analysis.Diagnostic{Pos: obj.Pos(), Message: msg})
	return false
}

// isPointerOnly reports whether the package says that a pointer to the type is
// the component, and so wants receivers of two kinds.
func (k *component) isPointerOnly(asserted map[*types.TypeName]types.Type) bool {
	t := asserted[k.t.Obj()]
	return t != nil && isPointer(t)
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

func withoutNames(sig *types.Signature) types.Type {
	strip := func(t *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for i := range t.Len() {
			vars = append(vars, types.NewParam(t.At(i).Pos(), nil, "", t.At(i).Type()))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, strip(sig.Params()), strip(sig.Results()), sig.Variadic())
}

// embedded are the types of the package that some struct of it embeds.
func (ix *index) embedded() map[*types.TypeName]bool {
	found := map[*types.TypeName]bool{}
	for c := range ix.root.Preorder((*ast.StructType)(nil)) {
		s, ok := ix.info.TypeOf(c.Node().(*ast.StructType)).(*types.Struct)
		for i := 0; ok && i < s.NumFields(); i++ {
			if n := componentType(s.Field(i).Type()); n != nil && s.Field(i).Embedded() {
				found[n.Origin().Obj()] = true
			}
		}
	}
	return found
}

// asserted are the types that a declaration var _ hw.Component[P] = x names,
// with the type of x.
func (ix *index) asserted() map[*types.TypeName]types.Type {
	found := map[*types.TypeName]types.Type{}
	for c := range ix.root.Preorder((*ast.ValueSpec)(nil)) {
		n := c.Node().(*ast.ValueSpec)
		if n.Type == nil || hwName(ix.info.TypeOf(n.Type)) != "Component" {
			continue
		}
		for _, x := range n.Values {
			if t := componentType(ix.info.TypeOf(x)); t != nil {
				found[t.Origin().Obj()] = ix.info.TypeOf(x)
			}
		}
	}
	return found
}
