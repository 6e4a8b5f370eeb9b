package prose

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// canned are sentences that stood over a method of many types and told nothing of any of them.
var canned = regexp.MustCompile(`^(Ports gives the shapes and directions|Build describes the body|Validate checks the (parameters|configuration)|\w+ are the ports of \[?\w+\]?)\.$`)

// filler are words that add nothing to a declared name: grammar, and the verbs by which a doc
// comment turns a name into a sentence.
var filler = stems(`
	a all an and any are as at be by each every for from has have in into is it its
	of on one or that the their them these they this to up with
	build builds check checks create creates define defines describe describes find finds
	get gets give gives hold holds keep keeps list lists make makes mean means
	print prints produce produces read reads report reports represent represents
	return returns run runs say says set sets show shows stand stands take takes
	tell tells whether write writes
	func function given kind method new object type value values
`)

// An emptyDoc judges the doc comments of one file.
type emptyDoc struct {
	files  *token.FileSet
	places []string
}

// findEmpty returns "file:line: text" for each doc comment that says nothing which its
// declaration does not: of a function, type, constant or variable, or of a struct's field. Comments
// behind a declaration are left out: they go on from its text, as in "lines int // of prints".
func findEmpty(files *token.FileSet, f *ast.File) []string {
	e := &emptyDoc{files: files}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			// The body is no part of the declaration.
			e.judge(d.Doc, d.Recv, d.Name, d.Type)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				e.spec(d, s)
			}
		}
	}
	return e.places
}

// spec judges one specification of a declaration, which has the declaration's comment if it stands
// alone.
func (e *emptyDoc) spec(d *ast.GenDecl, s ast.Spec) {
	doc := func(own *ast.CommentGroup) *ast.CommentGroup {
		if own == nil && !d.Lparen.IsValid() {
			return d.Doc
		}
		return own
	}

	switch s := s.(type) {
	case *ast.ValueSpec:
		// A value's expression is no name: its comment may say in words which number it is.
		known := []ast.Node{s.Type}
		for _, name := range s.Names {
			known = append(known, name)
		}
		e.judge(doc(s.Doc), known...)
	case *ast.TypeSpec:
		e.judge(doc(s.Doc), s.Name)
		if t, ok := s.Type.(*ast.StructType); ok {
			for _, field := range t.Fields.List {
				e.judge(field.Doc, s.Name, field)
			}
		}
	}
}

// judge records a comment whose words are all in the identifiers of known nodes.
func (e *emptyDoc) judge(doc *ast.CommentGroup, known ...ast.Node) {
	if doc == nil || strings.HasPrefix(doc.List[0].Text, "//go:") {
		return
	}
	text := strings.TrimSpace(doc.Text())
	if !says(text, identifiers(known)) {
		p := e.files.Position(doc.Pos())
		e.places = append(e.places, fmt.Sprintf("%s:%d: %s", p.Filename, p.Line, text))
	}
}

// identifiers lists the names in some nodes. Comments are left out.
func identifiers(nodes []ast.Node) (names []string) {
	for _, n := range nodes {
		// Both an absent receiver and an absent type are typed nils.
		switch n := n.(type) {
		case nil:
			continue
		case *ast.FieldList:
			if n == nil {
				continue
			}
		}

		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				names = append(names, id.Name)
			}
			return true
		})
	}
	return names
}

var (
	// plain is a sentence of words alone. A number, a unit's sign, a formula, a quotation or a second
	// clause says something.
	plain = regexp.MustCompile(`^[A-Za-z ,'\[\].]+$`)
	// operand is a parameter's letter. A sentence with two states a result in terms of operands: x
	// with the sign of y.
	operand = regexp.MustCompile(`\b[b-z]\b`)
	// camel splits an identifier: HTTPPort is HTTP and Port.
	camel = regexp.MustCompile(`[A-Z]+(?:[a-z]+|$)|[A-Z]+(?:[^A-Za-z]|$)|[a-z]+`)
)

// says tells whether a doc comment holds a word that is neither in the declaration's names nor
// filler. A comment of several lines always does: a second line is rarely written for nothing.
func says(text string, names []string) bool {
	// A canned heading is one also above a paragraph that says something.
	heading, _, _ := strings.Cut(text, "\n\n")
	switch {
	case canned.MatchString(heading):
		return false
	case !plain.MatchString(text), len(operand.FindAllString(strings.ReplaceAll(text, "'s", ""), 2)) == 2:
		return true // a directive alone leaves no text, and is no comment either
	}

	// The parts of each name, and the name in whole.
	var known []string
	for _, n := range names {
		known = append(known, stem(n))
		for _, part := range camel.FindAllString(n, -1) {
			known = append(known, stem(part))
		}
	}

	return slices.ContainsFunc(word.FindAllString(text, -1), func(w string) bool {
		s := stem(w)
		return !filler[s] && !slices.ContainsFunc(known, func(k string) bool { return same(s, k) })
	})
}

// shortest is the length in letters from which a beginning stands for the whole word: config for
// configuration, but not in for input.
const shortest = 4

// same compares stems, of which one may be short for the other.
func same(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) >= shortest && strings.HasPrefix(b, a)
}

// stem is a word in lower case without the endings of plurals and verbs. It need not be a word:
// both sides of a comparison lose the same letters.
func stem(w string) string {
	w = strings.TrimSuffix(strings.ToLower(w), "'s")
	for _, end := range [...]string{"ies", "ing", "es", "ed", "s", "y", "e"} {
		if s := strings.TrimSuffix(w, end); s != w && len(s) >= 3 {
			return s
		}
	}
	return w
}

// stems is the set of the stems of a text's words.
func stems(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[stem(w)] = true
	}
	return set
}
