package vet

import (
	"cmp"
	"go/ast"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
)

// Unset reports registers and wires that nothing Sets.
var Unset = &analysis.Analyzer{
	Name: "hwunset",
	Doc: `check for registers and wires that are never Set

A register that is never Set keeps its reset value for ever, and a wire that is
never Set has no driver, or always its default. The check looks at registers and
wires in local variables; one that is handed on (to a function, an instance,
another variable, a field, a slice) may be Set there and is not reported.`,
	Requires: []*analysis.Analyzer{indexAnalyzer},
	Run:      runUnset,
}

func runUnset(pass *analysis.Pass) (any, error) {
	ix := indexOf(pass)
	if ix == nil {
		return nil, nil
	}
	for _, x := range ix.sorted() {
		// A result, a variable that is written again, or any use that may drive it: all may Set it
		// out of sight.
		what := ix.declares(x)
		if what == "" || !x.isLocal() || x.field() == edge.FuncType_Results || len(x.writes) > 0 || slices.ContainsFunc(x.uses, ix.drives) {
			continue
		}

		name := x.v.Name()
		set := setText(ix, x.decl, x.decl.Node().(*ast.Ident))
		msg := "register " + name + " is never Set, so it never changes; say " + set
		if what == "Wire" {
			msg = "wire " + name + " is never Set, so nothing drives it; say " + set
			if len(asCall(x.init).Args) > 3 {
				msg = "wire " + name + " is never Set, so it always has its default; say " + set + ", or use the default itself"
			}
		}

		ix.report(pass, analysis.Diagnostic{Pos: x.v.Pos(), End: x.decl.Node().End(), Message: msg})
	}
	return nil, nil
}

// sorted lists the variables of the package in order of declaration.
func (ix *index) sorted() []*variable {
	all := make([]*variable, 0, len(ix.vars))
	for _, x := range ix.vars {
		if x.decl.Valid() {
			all = append(all, x)
		}
	}
	slices.SortFunc(all, func(x, y *variable) int { return cmp.Compare(x.v.Pos(), y.v.Pos()) })
	return all
}
