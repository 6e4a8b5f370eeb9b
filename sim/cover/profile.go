package cover

import (
	"bufio"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"strings"
)

// Waived marks a line of source whose counts do not matter; a reason follows it.
const Waived = "//hwcover:ignore"

// File is the statements of a source file.
type File struct {
	Name    string `json:"name"`
	Sets    int    `json:"statements"` // cover statements and assertions among them
	Hit     int    `json:"hit"`
	Waived  int    `json:"waived"`
	Missing []int  `json:"missing,omitempty"` // lines of statements that never acted
	Warning string `json:"warning,omitempty"` // the file is not there, or has other lines
}

// Files are the statements by source file, waived statements left out.
func (c *Counts) Files() (all []File) {
	for _, group := range c.byFile() {
		src := c.open(group[0].Path)
		f := File{Name: group[0].File, Warning: src.warning(group)}
		for _, l := range group {
			switch {
			case src.isWaived(l.Line):
				f.Waived++
			case l.Count > 0:
				f.Sets, f.Hit = f.Sets+1, f.Hit+1
			default:
				f.Sets++
				f.Missing = append(f.Missing, l.Line)
			}
		}
		all = append(all, f)
	}
	return all
}

// byFile is the lines of statements, file by file. Modules that share a line, and statements on one
// line, have one count; an assertion that is never put to the test is a statement that never acted.
func (c *Counts) byFile() (all [][]Line) {
	for _, l := range c.Lines {
		switch l.Kind {
		case Set, Cover, Assert:
		default:
			continue
		}

		l.Module, l.Name, l.Kind = "", "", Set
		if n := len(all); n == 0 || all[n-1][0].File != l.File {
			all = append(all, nil)
		}

		// Lines are in order, so that equal ones are neighbours.
		group := &all[len(all)-1]
		if n := len(*group); n > 0 && (*group)[n-1].Line == l.Line {
			before := &(*group)[n-1]
			before.Count += l.Count
			before.First = cmp.Or(before.First, l.First)
			continue
		}
		*group = append(*group, l)
	}
	return all
}

// Profile writes the counts of statements in the format of go tool cover, with the columns of the
// statement on each line. It returns a warning for each file that is not there or has changed: its
// statements have whole lines.
func (c *Counts) Profile(w io.Writer) (warnings []string, err error) {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "mode: count")
	for _, group := range c.byFile() {
		src := c.open(group[0].Path)
		if warning := src.warning(group); warning != "" {
			warnings = append(warnings, warning)
		}
		for _, l := range group {
			if !src.isWaived(l.Line) {
				from, to := src.columns(l.Line)
				fmt.Fprintf(b, "%s:%d.%d,%s 1 %d\n", l.File, l.Line, from, to, l.Count)
			}
		}
	}
	return warnings, b.Flush()
}

// source is a file of Go source; without lines if it is not there.
type source struct {
	path    string
	lines   []string
	changed bool // since the run
	set     *token.FileSet
	file    *ast.File
}

// open reads a file of source. If the text has changed since the run, columns and marks are left
// out: they may belong to other statements.
func (c *Counts) open(path string) *source {
	s := &source{path: path, set: token.NewFileSet()}
	text, err := os.ReadFile(path)
	if err != nil {
		return s
	}
	if was := c.Sources[path]; was != "" && was != digest(text) {
		s.changed = true
		return s
	}
	s.lines = strings.Split(string(text), "\n")

	// Syntax errors leave a partial tree, which still has columns.
	s.file, _ = parser.ParseFile(s.set, path, text, parser.SkipObjectResolution)
	return s
}

// warning is the reason why a file is not that of the run, "" if it seems to be.
func (s *source) warning(group []Line) string {
	switch {
	case s.changed:
		return s.path + " has changed since the run: its statements have whole lines"
	case s.lines == nil:
		return s.path + " is not there: its statements have whole lines"
	case s.file == nil || group[len(group)-1].Line > len(s.lines):
		return s.path + " has changed since the run: its statements have whole lines"
	}
	return ""
}

// isWaived reports whether a line is marked.
func (s *source) isWaived(line int) bool {
	return line > 0 && line <= len(s.lines) && strings.Contains(s.lines[line-1], Waived)
}

// columns returns the first column of the innermost statement that begins on a line, and its end as
// line.column; of the whole line if there is none.
func (s *source) columns(line int) (from int, to string) {
	// Without its text, a line is taken to have 200 columns.
	from, to = 1, fmt.Sprintf("%d.%d", line, 200)
	if line > 0 && line <= len(s.lines) {
		to = fmt.Sprintf("%d.%d", line, len(s.lines[line-1])+1)
	}
	if s.file == nil {
		return from, to
	}

	// A statement in another one begins later.
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt, *ast.DeclStmt:
			if p := s.set.Position(n.Pos()); p.Line == line {
				end := s.set.Position(n.End())
				from, to = p.Column, fmt.Sprintf("%d.%d", end.Line, end.Column)
			}
		}
		return true
	})
	return from, to
}
