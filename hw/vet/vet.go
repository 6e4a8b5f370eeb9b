package vet

import "golang.org/x/tools/go/analysis"

// Analyzers are all checks, in alphabetic order of their names.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{Assign, Capture, Compare, Component, Const, Discard, Enum, Handle, Unset}
}
