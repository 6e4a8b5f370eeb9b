package syntax

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"etch/ir/input"
)

// MaxNesting bounds the nesting of expressions, types and blocks.
const MaxNesting = 10000

// Error is the first syntax error of a file, or the first unsupported construct.
type Error struct {
	File      string
	Line, Col int
	Msg       string
}

// Error is "file:line:column: message", without the column if there is none.
func (e *Error) Error() string {
	if e.Col == 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// Parse parses a file. The error is an *Error.
func Parse(file, text string) (*Circuit, error) {
	// Offsets in the file are int32.
	if len(text) > math.MaxInt32-1 {
		return nil, &Error{File: file, Line: 1, Msg: "a file of 2 GB or more"}
	}
	text = strings.TrimPrefix(text, "\ufeff") // a byte order mark
	p := &parser{lexer: lexer{src: text, line: 1, fresh: true, names: newNames(len(text))}}
	// Preallocate for typical files, which have 16 to 28 bytes per expression and 62 to 88
	// per statement. Growing a table would copy it.
	p.c = &Circuit{File: file}
	p.c.Exprs = make([]ExprRow, 1, 64+len(text)/16)
	p.c.Stmts = make([]StmtRow, 1, 64+len(text)/60)
	p.c.Args = make([]Expr, 0, 64+len(text)/48)
	p.c.Types = make([]TypeRow, 1, 64+len(text)/256)
	p.c.Infos = make([]Locator, 1, 64+len(text)/64)

	// Keywords get the first names, so that a name below kwEnd is a keyword.
	for w := kwFirst; w < kwEnd; w++ {
		p.names.add(keywords[w], hash(keywords[w]))
	}

	p.next()
	p.circuit()
	if p.err != nil {
		return nil, p.err
	}
	p.c.Names = p.names.list
	return p.c, nil
}

// parser is the state of a parse. After an error the current token stays the end of the
// file, which ends every loop.
type parser struct {
	lexer
	c       *Circuit
	tok     token
	ahead   token
	peeked  bool
	err     error
	depth   int
	stack   []Expr  // arguments of open calls
	fields  []Field // fields of open bundles
	lastAt  string  // the last locator's text and its row
	lastRow Info

	lastFile string // the last locator's file
	lastName Name
}

func (p *parser) next() {
	switch {
	case p.err != nil:
	case p.peeked:
		p.tok, p.peeked = p.ahead, false
	default:
		p.lexer.next(&p.tok)
	}
	if p.tok.kind == tBad {
		p.failAt(&p.tok, "%s", p.tok.text)
	}
}

// peek returns the token after the current one.
func (p *parser) peek() *token {
	if !p.peeked && p.err == nil {
		p.lexer.next(&p.ahead)
		p.peeked = true
	}
	return &p.ahead
}

func (p *parser) failAt(t *token, format string, args ...any) {
	// The first error counts. The end of the file as token ends all loops above.
	if p.err == nil {
		p.err = &Error{p.c.File, int(t.line), int(t.col), input.Message(fmt.Sprintf(format, args...))}
	}
	p.tok.kind, p.tok.sym, p.tok.indent = tEnd, 0, 0
	p.ahead, p.peeked = p.tok, false
}

func (p *parser) fail(format string, args ...any) { p.failAt(&p.tok, format, args...) }

// failLine reports an error without a column.
func (p *parser) failLine(line int32, format string, args ...any) {
	p.failAt(&token{line: line}, format, args...)
}

func (p *parser) wanted(what string) { p.fail("%s where %s is wanted", p.tok.describe(), what) }

func (p *parser) note(line int32, format string, args ...any) {
	p.c.Notes = append(p.c.Notes, Note{line, input.Message(fmt.Sprintf(format, args...))})
}

// is reports whether the current token is of that kind, or that keyword.
func (p *parser) is(k kind) bool     { return p.tok.kind == k }
func (p *parser) isWord(w word) bool { return p.tok.kind == tName && p.tok.sym == Name(w) }

// got consumes the current token if it is of kind k.
func (p *parser) got(k kind) bool {
	if p.tok.kind != k {
		return false
	}
	p.next()
	return true
}

func (p *parser) gotWord(w word) bool {
	if !p.isWord(w) {
		return false
	}
	p.next()
	return true
}

func (p *parser) want(k kind, what string) {
	if !p.got(k) {
		p.wanted(what)
	}
}

func (p *parser) wantWord(w word) {
	if !p.gotWord(w) {
		p.wanted("'" + keywords[w] + "'")
	}
}

// comma consumes a comma, which files without a version line may omit.
func (p *parser) comma() {
	if !p.got(',') && p.c.Version.Major > 0 {
		p.wanted("','")
	}
}

// name parses a name, which may be a keyword.
func (p *parser) name(of string) Name {
	if p.tok.kind != tName {
		p.wanted("the name of " + of)
		return 0
	}
	n := p.tok.sym
	p.next()
	return n
}

// fieldName parses the name of a field, which may be a number.
func (p *parser) fieldName() Name {
	// The token becomes a name in place.
	if p.tok.kind == tInt && p.tok.text[0] != '-' {
		p.tok.kind, p.tok.sym = tName, p.names.add(p.tok.text, hash(p.tok.text))
	}
	return p.name("a field")
}

// int parses a decimal number from low to high.
func (p *parser) int(what string, low, high int) int {
	if p.tok.kind != tInt {
		p.wanted(what)
		return low
	}
	n, err := strconv.Atoi(p.tok.text)
	if err != nil || n < low || n > high {
		p.fail("%s is not %s from %d to %d", p.tok.text, what, low, high)
		return low
	}
	p.next()
	return n
}

// str parses a string and interns its unescaped text.
func (p *parser) str(what string) Name {
	if p.tok.kind != tString {
		p.wanted(what)
		return 0
	}
	s := Unescape(p.tok.text)
	p.next()
	return p.names.add(s, hash(s))
}

// Unescape replaces the escapes of a string: \n and \t; any other escaped character stands
// for itself.
func Unescape(s string) string {
	// Nearly all strings have no escape.
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}

	var b strings.Builder
	for i := 0; i < len(s); i++ {
		// A backslash at the end stands for itself.
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// enter counts a level of nesting, against stack overflow; leave ends it.
func (p *parser) enter() {
	if p.depth++; p.depth > MaxNesting {
		p.fail("more than %d levels of nesting", MaxNesting)
	}
}

func (p *parser) leave() { p.depth-- }

// info parses the locators at the end of a statement and returns the first position.
func (p *parser) info() Info {
	at := Info(0)
	for p.tok.kind == tInfo {
		if at == 0 {
			at = p.locator(p.tok.text)
		}
		p.next()
	}
	return at
}

// locator parses the first position of "file.scala 12:3", "file.scala 12:{3,9} 14:2" or
// "a.scala 1:2 b.scala 3:4". A text of another form has no position. Consecutive statements
// often have the same locator, hence the cache of one.
func (p *parser) locator(text string) Info {
	if text == p.lastAt {
		return p.lastRow
	}
	p.lastAt, p.lastRow = text, 0
	for colon := strings.IndexByte(text, ':'); colon > 0; {
		// The line number stands between a blank and the colon.
		first := colon
		for first > 0 && class[text[first-1]]&digit != 0 {
			first--
		}
		line, err := strconv.Atoi(text[first:colon])
		if err == nil && first > 1 && text[first-1] == ' ' && line <= math.MaxInt32 {
			file := strings.TrimSpace(Unescape(text[:first]))
			if file != p.lastFile {
				p.lastFile, p.lastName = file, p.names.add(file, hash(file))
			}
			p.c.Infos = append(p.c.Infos, Locator{p.lastName, int32(line)})
			p.lastRow = Info(len(p.c.Infos) - 1)
			break
		}

		// This colon belongs to the name of the file.
		next := strings.IndexByte(text[colon+1:], ':')
		if next < 0 {
			break
		}
		colon += 1 + next
	}
	return p.lastRow
}
