package vet

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// checks are the packages under testdata/src with the check that each is for.
// Want comments in them say what it reports; a line without one is silent.
var checks = map[string]*analysis.Analyzer{
	"assign": Assign, "capture": Capture, "compare": Compare, "component": Component,
	"constant": Const, "discard": Discard, "unset": Unset, "enum": Enum, "handle": Handle,
	"ignore": Discard, "renamed": Discard,
	"fix/assign": Assign, "fix/discard": Discard, "fix/enum": Enum,
}

// each runs on every package the check that it is for, so that all packages are
// loaded once.
var each = &analysis.Analyzer{
	Name:     "each",
	Doc:      "run the check that a package is for",
	Requires: []*analysis.Analyzer{indexAnalyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		check, ok := checks[pass.Pkg.Path()]
		if !ok {
			return nil, nil // the main package of a test
		}
		as := *pass
		as.Analyzer = check
		return check.Run(&as)
	},
}

func TestChecks(t *testing.T) {
	t.Parallel()
	if got := analysistest.Run(t, analysistest.TestData(), each, "assign", "capture", "compare", "component",
		"constant", "discard", "unset", "enum", "handle", "ignore", "renamed"); len(got) < 11 {
		t.Errorf("looked at %d packages", len(got))
	}
}

func TestFixes(t *testing.T) {
	t.Parallel()
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), each, "fix/assign", "fix/discard", "fix/enum")
}

func TestAssertionWanted(t *testing.T) {
	if err := Component.Flags.Set("assert", "true"); err != nil {
		t.Fatal(err)
	}
	defer Component.Flags.Set("assert", "false")
	analysistest.Run(t, analysistest.TestData(), Component, "assertion")
}

func TestAnalyzers(t *testing.T) {
	all := Analyzers()
	if err := analysis.Validate(all); err != nil {
		t.Error(err)
	}
	for i := 1; i < len(all); i++ {
		if all[i-1].Name >= all[i].Name {
			t.Errorf("%s comes after %s", all[i-1].Name, all[i].Name)
		}
	}
}
