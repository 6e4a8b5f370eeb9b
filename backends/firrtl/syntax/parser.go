package syntax

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"etch/ir/input"
)

// MaxNesting is how deep expressions, types and blocks may nest.
const MaxNesting = 10000

// Error is the first thing in a file that is not FIRRTL, or not FIRRTL that etch
// reads.
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

// Parse reads a file. The error is an *Error.
func Parse(file, text string) (*Circuit, error) {
	if len(text) > math.MaxInt32-1 {
		return nil, &Error{File: file, Line: 1, Msg: "a file of 2 GB or more"}
	}
	text = strings.TrimPrefix(text, "\ufeff") // a byte order mark
	p := &parser{lexer: lexer{src: text, line: 1, fresh: true, names: newNames(len(text))}}
	// Room for what files have, with 16 to 28 bytes an expression and 62 to 88 a
	// statement: tables that grow are copied.
	p.c = &Circuit{File: file}
	p.c.Exprs = make([]ExprRow, 1, 64+len(text)/16)
	p.c.Stmts = make([]StmtRow, 1, 64+len(text)/60)
	p.c.Args = make([]Expr, 0, 64+len(text)/48)
	p.c.Types = make([]TypeRow, 1, 64+len(text)/256)
	p.c.Infos = make([]Locator, 1, 64+len(text)/64)
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

// parser is the state of a parse. After an error the current token is the end of
// the file for ever, which ends every loop.
type parser struct {
	lexer
	c       *Circuit
	tok     token
	ahead   token
	peeked  bool
	err     error
	depth   int
	stack   []Expr  // arguments of calls that are open
	fields  []Field // fields of bundles that are open
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
	if p.err == nil {
		p.err = &Error{p.c.File, int(t.line), int(t.col), input.Message(fmt.Sprintf(format, args...))}
	}
	p.tok.kind, p.tok.sym, p.tok.indent = tEnd, 0, 0
	p.ahead, p.peeked = p.tok, false
}

func (p *parser) fail(format string, args ...any) { p.failAt(&p.tok, format, args...) }

// failLine reports a mistake that is a whole line's.
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

// got goes over the current token if it is of that kind.
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

// comma goes over a comma. Files without a version line need none: to their
// reader it was a blank.
func (p *parser) comma() {
	if !p.got(',') && p.c.Version.Major > 0 {
		p.wanted("','")
	}
}

// name takes a name; keywords may be names.
func (p *parser) name(of string) Name {
	if p.tok.kind != tName {
		p.wanted("the name of " + of)
		return 0
	}
	n := p.tok.sym
	p.next()
	return n
}

// fieldName takes the name of a field, which may be a number.
func (p *parser) fieldName() Name {
	if p.tok.kind == tInt && p.tok.text[0] != '-' {
		p.tok.kind, p.tok.sym = tName, p.names.add(p.tok.text, hash(p.tok.text))
	}
	return p.name("a field")
}

// int takes a decimal number from low up to high.
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

// str takes a string and undoes its escapes.
func (p *parser) str(what string) Name {
	if p.tok.kind != tString {
		p.wanted(what)
		return 0
	}
	s := Unescape(p.tok.text)
	p.next()
	return p.names.add(s, hash(s))
}

// Unescape undoes the escapes of a string.
func Unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
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

// enter counts a level of nesting, leave its end.
func (p *parser) enter() {
	if p.depth++; p.depth > MaxNesting {
		p.fail("more than %d levels of nesting", MaxNesting)
	}
}

func (p *parser) leave() { p.depth-- }

// info takes the locators that may end a statement, and keeps the first place.
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

// locator reads the first place of "file.scala 12:3", "file.scala 12:{3,9} 14:2",
// "a.scala 1:2 b.scala 3:4". What is not of that form is no place.
func (p *parser) locator(text string) Info {
	if text == p.lastAt {
		return p.lastRow
	}
	p.lastAt, p.lastRow = text, 0
	for colon := strings.IndexByte(text, ':'); colon > 0; {
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
		next := strings.IndexByte(text[colon+1:], ':')
		if next < 0 {
			break
		}
		colon += 1 + next
	}
	return p.lastRow
}
