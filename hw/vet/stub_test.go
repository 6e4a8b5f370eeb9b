package vet

import (
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"
)

// stubs are the packages that testdata/src stands in for.
var stubs = []string{"etch/hw", "etch/hw/fixed", "etch/hw/stream", "etch/testbench"}

// What the stubs declare, the real packages declare too, with the same
// signatures, so that the tests speak of the language as it is.
func TestStubsAgree(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("loads the real packages")
	}
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	mode := packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedSyntax
	fake := load(t, &packages.Config{Mode: mode, Dir: dir, Env: append(os.Environ(), "GOPATH="+dir, "GO111MODULE=off", "GOWORK=off")})
	real := load(t, &packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedExportFile, Dir: "../.."})
	for _, path := range stubs {
		if real[path] == nil || fake[path] == nil {
			t.Errorf("%s: not loaded", path)
			continue
		}
		agree(t, fake[path], real[path])
	}
}

func load(t *testing.T, cfg *packages.Config) map[string]*types.Package {
	t.Helper()
	pkgs, err := packages.Load(cfg, stubs...)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*types.Package{}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			t.Error(e)
		}
		found[p.PkgPath] = p.Types
	}
	return found
}

// agree compares what fake declares with the declarations of the same names in
// real.
func agree(t *testing.T, fake, real *types.Package) {
	names := 0
	for _, name := range fake.Scope().Names() {
		a, b := fake.Scope().Lookup(name), real.Scope().Lookup(name)
		if !a.Exported() {
			continue
		}
		names++
		if b == nil {
			t.Errorf("%s.%s does not exist", real.Path(), name)
			continue
		}
		if got, want := text(a), text(b); got != want {
			t.Errorf("the stub has\n\t%s, really it is\n\t%s", got, want)
		}
		if _, ok := a.(*types.TypeName); ok {
			members(t, named(a.Type()), named(b.Type()))
		}
	}
	if names == 0 {
		t.Errorf("the stub of %s declares nothing", fake.Path())
	}
}

// text is a function with its signature, or a type by name only: the stub need
// not have every field or method.
func text(obj types.Object) string {
	if _, ok := obj.(*types.TypeName); ok {
		return "type " + obj.Name()
	}
	return obj.Name() + " " + bare(obj.Type())
}

// bare is a type; of a function, whatever its parameters are called.
func bare(t types.Type) string {
	sig, ok := t.(*types.Signature)
	if !ok {
		return t.String()
	}
	s := ""
	for i := range sig.TypeParams().Len() {
		s += sig.TypeParams().At(i).String() + " " + sig.TypeParams().At(i).Constraint().String() + ", "
	}
	return s + withoutNames(sig).String()
}

// members compares exported fields and methods of two types.
func members(t *testing.T, fake, real *types.Named) {
	if fake == nil || real == nil {
		t.Errorf("%v and %v are not both named types", fake, real)
		return
	}
	if got, want := typeParams(fake), typeParams(real); got != want {
		t.Errorf("%v: the stub has type parameters %s, really %s", fake.Obj(), got, want)
	}
	for i := range fake.NumMethods() {
		if m := fake.Method(i); m.Exported() {
			member(t, m, real)
		}
	}
	switch u := fake.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); f.Exported() {
				member(t, f, real)
			}
		}
	case *types.Interface, *types.Slice:
		if got, want := u.String(), real.Underlying().String(); got != want {
			t.Errorf("%v: the stub is %s, really %s", fake.Obj(), got, want)
		}
	}
}

func member(t *testing.T, m types.Object, real *types.Named) {
	obj, _, _ := types.LookupFieldOrMethod(real, true, real.Obj().Pkg(), m.Name())
	if obj == nil {
		t.Errorf("%v.%s does not exist", real.Obj(), m.Name())
		return
	}
	if got, want := bare(m.Type()), bare(obj.Type()); got != want {
		t.Errorf("%v.%s: the stub has %s, really %s", real.Obj(), m.Name(), got, want)
	}
}

func typeParams(n *types.Named) string {
	s := ""
	for i := range n.TypeParams().Len() {
		p := n.TypeParams().At(i)
		s += p.String() + " " + p.Constraint().String() + ","
	}
	return s
}
