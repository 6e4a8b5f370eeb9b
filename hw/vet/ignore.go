package vet

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// ignores are the comments that silence checks:
//
//	//hwvet:ignore                  every check, on this line; alone on it, on the next
//	//hwvet:ignore hwunset hwconst  these checks
//
// Before the package clause a comment holds for the whole file. The text after -- is a reason, for
// readers.
type ignores struct {
	lines map[token.Position][]string // by file and line; empty: every check
	files map[string][]string
}

const ignoreMark = "//hwvet:ignore"

func findIgnores(pass *analysis.Pass) ignores {
	ig := ignores{lines: map[token.Position][]string{}, files: map[string][]string{}}
	for _, f := range pass.Files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				ig.comment(pass.Fset, f, c)
			}
		}
	}
	return ig
}

func (ig *ignores) comment(fset *token.FileSet, f *ast.File, c *ast.Comment) {
	text, ok := strings.CutPrefix(c.Text, ignoreMark)
	if !ok || text != "" && text[0] != ' ' && text[0] != '\t' {
		return
	}

	// The names end where the reason begins; no name means every check, an empty but not nil list.
	text, _, _ = strings.Cut(text, "--")
	checks := strings.Fields(text)
	if checks == nil {
		checks = []string{}
	}

	// A comment above the package is for the file, one on its own line for the next.
	at := fset.Position(c.Pos())
	switch {
	case c.Pos() < f.Package:
		ig.files[at.Filename] = checks
		return
	case !followsCode(fset, f, c):
		at.Line++
	}
	ig.lines[token.Position{Filename: at.Filename, Line: at.Line}] = checks
}

// followsCode reports whether there is code on the line of a comment.
func followsCode(fset *token.FileSet, f *ast.File, c *ast.Comment) bool {
	// A node starts or ends on the line before the comment.
	line, found := fset.Position(c.Pos()).Line, false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		}
		for _, pos := range []token.Pos{n.Pos(), n.End() - 1} {
			found = found || pos < c.Pos() && fset.Position(pos).Line == line
		}
		return !found
	})
	return found
}

// silences reports whether a check is not wanted at a place.
func (ig *ignores) silences(at token.Position, check string) bool {
	for _, checks := range [][]string{ig.files[at.Filename], ig.lines[token.Position{Filename: at.Filename, Line: at.Line}]} {
		if checks != nil && (len(checks) == 0 || slices.Contains(checks, check)) {
			return true
		}
	}
	return false
}

// report reports a diagnostic under the name of its check, unless a comment
// silences it.
func (ix *index) report(pass *analysis.Pass, d analysis.Diagnostic) {
	if ix.ignore.silences(pass.Fset.Position(d.Pos), pass.Analyzer.Name) {
		return
	}
	d.Message += " [" + pass.Analyzer.Name + "]"
	pass.Report(d)
}
