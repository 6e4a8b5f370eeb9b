package syntax

import (
	"fmt"
	"strings"
)

// kind is the kind of a token: a character stands for itself, all others follow.
type kind uint8

const (
	tEnd       kind = iota
	tName           // also keywords; sym is its Name
	tInt            // digits and the letters after them, with an optional minus sign
	tString         // "…"
	tRaw            // '…'
	tInfo           // @[…]
	tAnno           // %[[…]]
	tConnect        // <=
	tPartial        // <-
	tArrow          // =>
	tEnumOpen       // {|
	tEnumClose      // |}
	tBad            // an illegal character, or an unclosed string
)

// token is a token; text is without quotes and brackets.
type token struct {
	kind   kind
	sym    Name
	indent int32 // column of the first token of a line, in bytes, else -1
	line   int32
	col    int32
	text   string
}

const (
	letter = 1 << iota // may begin a name
	digit
	blank
	alone // stands for itself, whatever follows
)

var class = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = letter, letter
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = digit
	}
	t['_'], t['$'] = letter, letter
	t[' '], t['\t'], t['\r'] = blank, blank, blank
	for _, c := range "()[]}>:.,+*" {
		t[c] = alone
	}
	return t
}()

// lexer splits a text into tokens.
type lexer struct {
	src       string
	at        int
	line      int32
	lineStart int
	fresh     bool // only blanks since the start of the line
	names     names
}

// skip skips blanks, line ends and comments.
func (l *lexer) skip() {
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case class[c]&blank != 0:
			l.at++
		case c == '\n':
			l.at++
			l.line++
			l.lineStart, l.fresh = l.at, true
		case c == ';':
			// A comment ends before its line end, which the next round counts.
			end := strings.IndexByte(l.src[l.at:], '\n')
			if end < 0 {
				l.at = len(l.src)
				return
			}
			l.at += end
		default:
			return
		}
	}
}

// next stores the next token in t.
func (l *lexer) next(t *token) {
	l.skip()
	t.line, t.col, t.indent = l.line, int32(l.at-l.lineStart+1), -1

	// Only the first token of a line has an indentation.
	if l.fresh {
		t.indent, l.fresh = int32(l.at-l.lineStart), false
	}

	if l.at >= len(l.src) {
		// Indentation 0 closes every block.
		t.kind, t.text, t.indent = tEnd, "", 0
		return
	}

	start, c := l.at, l.src[l.at]
	switch {
	case class[c]&letter != 0:
		// The name's hash is computed on the way.
		h := uint32(hashStart)
		for l.at < len(l.src) && class[l.src[l.at]]&(letter|digit) != 0 {
			h = (h ^ uint32(l.src[l.at])) * hashStep
			l.at++
		}
		t.kind, t.text = tName, l.src[start:l.at]
		t.sym = l.names.add(t.text, h)
	case class[c]&alone != 0:
		l.at++
		t.kind, t.text = kind(c), l.src[start:l.at]
	case class[c]&digit != 0:
		l.number(t, start)
	default:
		l.mark(t, c)
	}
}

func (l *lexer) number(t *token, start int) {
	for l.at++; l.at < len(l.src) && class[l.src[l.at]]&(letter|digit) != 0; l.at++ {
	}
	t.kind, t.text = tInt, l.src[start:l.at]
}

// mark lexes tokens that begin with neither a letter nor a digit.
func (l *lexer) mark(t *token, c byte) {
	// Two characters decide.
	after := byte(0)
	if l.at+1 < len(l.src) {
		after = l.src[l.at+1]
	}

	two := func(k kind) {
		t.kind, t.text = k, l.src[l.at:l.at+2]
		l.at += 2
	}

	switch {
	case c == '@' && after == '[':
		l.enclosed(t, tInfo, 2, ']')
	case c == '"':
		l.enclosed(t, tString, 1, '"')
	case c == '\'':
		l.enclosed(t, tRaw, 1, '\'')
	case c == '`':
		l.enclosed(t, tName, 1, '`')
		t.sym = l.names.add(t.text, hash(t.text))

	case c == '%' && after == '[':
		l.annotations(t)
	case c == '<' && after == '=':
		two(tConnect)
	// "<-3" is a bracket and a number.
	case c == '<' && after == '-' && (l.at+2 >= len(l.src) || class[l.src[l.at+2]]&digit == 0):
		two(tPartial)
	case c == '=' && after == '>':
		two(tArrow)
	case c == '{' && after == '|':
		two(tEnumOpen)
	case c == '|' && after == '}':
		two(tEnumClose)
	// A minus before a digit belongs to the number.
	case c == '-' && class[after]&digit != 0:
		start := l.at
		l.at++
		l.number(t, start)

	case c == '<' || c == '=' || c == '{' || c == '|' || c == '-':
		t.kind, t.text = kind(c), l.src[l.at:l.at+1]
		l.at++

	default:
		t.kind, t.text = tBad, fmt.Sprintf("character %q", c)
		l.at++
	}
}

// enclosed lexes a token that ends with the character end on the same line. A backslash
// escapes the next character.
func (l *lexer) enclosed(t *token, k kind, open int, end byte) {
	start := l.at + open
	// Fast path: no escape before the first end.
	if n := strings.IndexByte(l.src[start:], end); n >= 0 && strings.IndexByte(l.src[start:start+n], '\\') < 0 && strings.IndexByte(l.src[start:start+n], '\n') < 0 {
		t.kind, t.text = k, l.src[start:start+n]
		l.at = start + n + 1
		return
	}

	// With an escape, or without an end on the line: character by character.
	for i := start; i < len(l.src) && l.src[i] != '\n'; i++ {
		switch l.src[i] {
		case '\\':
			i++
		case end:
			t.kind, t.text = k, l.src[start:i]
			l.at = i + 1
			return
		}
	}

	// Behind an open quote nothing can be understood.
	t.kind, t.text = tBad, l.src[l.at:start]+" that is not closed on its line"
	l.at = len(l.src)
}

// annotations lexes the JSON between %[ and ]. Only brackets, strings and lines are
// tracked.
func (l *lexer) annotations(t *token) {
	// A JSON parser takes the text later: only its end must be found here.
	start, depth := l.at, 0
	for i := l.at + 1; i < len(l.src); i++ {
		switch l.src[i] {
		case '\n':
			l.line++
			l.lineStart = i + 1
		case '"':
			// Brackets within a string do not count.
			for i++; i < len(l.src) && l.src[i] != '"'; i++ {
				if l.src[i] == '\\' {
					i++
				}
				if i < len(l.src) && l.src[i] == '\n' {
					l.line++
					l.lineStart = i + 1
				}
			}
		case '[', '{':
			depth++
		case ']', '}':
			depth--
			if depth == 0 {
				t.kind, t.text = tAnno, l.src[start+1:i+1]
				l.at = i + 1
				return
			}
		}
	}

	t.kind, t.text = tBad, "%[ that is not closed"
	l.at = len(l.src)
}

// describe names a token in an error message.
func (t *token) describe() string {
	switch t.kind {
	case tEnd:
		return "the end of the file"
	case tString:
		return fmt.Sprintf("%q", t.text)
	case tInfo:
		return "@[…]"
	case tAnno:
		return "%[…]"
	case tBad:
		return t.text
	case tName:
		return t.text
	}
	return "'" + t.text + "'"
}
