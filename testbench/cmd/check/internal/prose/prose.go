// Package prose counts how a tree of Go files reads: comments and blank lines inside functions,
// functions without a comment inside, pronouns that stand for a missing noun, and doc comments that
// repeat the declared name. Its test keeps the counts of this project where they are, or better.
//
// The counts are symptoms: a comment that repeats the line below it is worse than none.
//
// The package imports the standard library only.
package prose

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Counts are the figures of some files.
type Counts struct {
	Words  int // of comments
	What   int // uses of that pronoun in them
	Those  int // uses of "those" and "the one" or "the ones" in them
	Long   int // functions of more than LongFunction lines
	Silent int // of these, without a comment inside

	Lines    int // of function bodies, without their braces
	Comments int // of these, lines that are a comment
	Blanks   int // of these, blank lines

	Empty []string // doc comments that say nothing, as "file:line: text"
}

// LongFunction is the number of lines up to which a function may do without a comment.
const LongFunction = 20

// Add adds the counts of other files.
func (c *Counts) Add(o Counts) {
	c.Words += o.Words
	c.What += o.What
	c.Those += o.Those
	c.Long += o.Long
	c.Silent += o.Silent
	c.Lines += o.Lines
	c.Comments += o.Comments
	c.Blanks += o.Blanks
	c.Empty = append(c.Empty, o.Empty...)
}

// Folders counts the Go files below root by folder, relative to root, tests and generated files
// left out. It errors at a file that does not parse.
func Folders(root string) (map[string]Counts, error) {
	by := map[string]Counts{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}

		c, err := File(path)
		if err != nil {
			return err
		}

		// Paths have slashes on every system, so that the lists in tests hold everywhere.
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		sum := by[filepath.ToSlash(folder)]
		sum.Add(c)
		by[filepath.ToSlash(folder)] = sum
		return nil
	})
	return by, err
}

var (
	word = regexp.MustCompile(`[A-Za-z][A-Za-z'-]*`)
	// As a determiner, as in "which width", the word is rare, and counts too.
	what = regexp.MustCompile(`\b[Ww]hat\b`)
	// These stand for a noun of another sentence, or of none.
	those = regexp.MustCompile(`\b([Tt]hose|[Tt]he\s+ones?)\b`)
)

// File counts one file; a generated one has no counts.
func File(path string) (c Counts, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Counts{}, err
	}
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(f) {
		return Counts{}, err
	}

	// Words of all comments but directives.
	for _, group := range f.Comments {
		for _, comment := range group.List {
			if strings.HasPrefix(comment.Text, "//go:") {
				continue
			}
			c.Words += len(word.FindAllString(comment.Text, -1))
			c.What += len(what.FindAllString(comment.Text, -1))
		}
		// Of the group as a whole, since "the one" may be broken across lines.
		c.Those += len(those.FindAllString(group.Text(), -1))
	}

	c.Empty = findEmpty(files, f)

	// Function bodies. A literal counts with the function around it, and not at all outside of one.
	rows := strings.Split(string(text), "\n")
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}

		// Line numbers count from 1, so rows[from] is the line after the opening brace.
		from, to := files.Position(fn.Body.Lbrace).Line, files.Position(fn.Body.Rbrace).Line
		if from < to {
			c.body(rows[from : to-1])
		}
		if to-from <= LongFunction {
			continue
		}

		// A long function may have its comment anywhere, also behind a statement.
		c.Long++
		inside := func(g *ast.CommentGroup) bool { return g.Pos() > fn.Body.Lbrace && g.End() < fn.Body.Rbrace }
		if !slices.ContainsFunc(f.Comments, inside) {
			c.Silent++
		}
	}
	return c, nil
}

// body counts the lines inside a function. A comment behind a statement is no heading, and does
// not count.
func (c *Counts) body(rows []string) {
	for _, row := range rows {
		c.Lines++
		switch row = strings.TrimSpace(row); {
		case row == "":
			c.Blanks++
		case strings.HasPrefix(row, "//"):
			c.Comments++
		}
	}
}
