package vet

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// Every package under testdata/src says in want comments what its check reports;
// a line without one must be silent.
func TestChecks(t *testing.T) {
	for _, c := range []struct {
		check *analysis.Analyzer
		pkg   string
	}{
		{Assign, "assign"}, {Capture, "capture"}, {Compare, "compare"}, {Component, "component"},
		{Const, "constant"}, {Discard, "discard"}, {Unset, "unset"},
		{Discard, "ignore"}, {Discard, "renamed"},
	} {
		t.Run(c.pkg, func(t *testing.T) {
			t.Parallel()
			analysistest.Run(t, analysistest.TestData(), c.check, c.pkg)
		})
	}
}
