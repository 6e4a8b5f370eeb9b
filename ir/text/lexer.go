package text

import (
	"fmt"
	"io"
	"strconv"

	"github.com/alecthomas/participle/v2/lexer"

	"etch/ir/input"
)

// The kinds of token of a line.
const (
	tokNode  lexer.TokenType = iota + 1 // %12
	tokValue                            // 8'hff
	tokInt                              // 12, -3
	tokName                             // a word
	tokText                             // a quoted string, still quoted
	tokAt                               // @0:12, @0:12+0:14, @-
	tokMark                             // one of : = , # { } ;
)

// symbols are the names of the kinds in the grammar and in errors.
var symbols = map[string]lexer.TokenType{
	"EOF": lexer.EOF, "Node": tokNode, "Value": tokValue, "Int": tokInt,
	"Name": tokName, "Text": tokText, "At": tokAt, "Mark": tokMark,
}

// definition tells participle the kinds of token. lineLexer cuts the lines into tokens, so
// Lex is not used in Parse.
type definition struct{}

// Symbols returns the kinds of token by name.
func (definition) Symbols() map[string]lexer.TokenType { return symbols }

// Lex reads all of r as one line.
func (definition) Lex(filename string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxLine))
	if err != nil {
		return nil, err
	}
	return &lineLexer{file: filename, line: 1, text: string(text)}, nil
}

// maxTokens bounds the tokens of a line.
const maxTokens = 1 << 20

// lineLexer cuts one line into tokens.
type lineLexer struct {
	file  string
	line  int
	text  string
	at    int // bytes read
	count int // tokens given
}

func (l *lineLexer) pos(at int) lexer.Position {
	return lexer.Position{Filename: l.file, Line: l.line, Column: at + 1, Offset: at}
}

func (l *lineLexer) fail(at int, format string, args ...any) error {
	return &Error{l.file, l.line, at + 1, input.Message(fmt.Sprintf(format, args...))}
}

// Next returns the next token, one of kind EOF at the end of the line.
func (l *lineLexer) Next() (lexer.Token, error) {
	// Blanks separate words and mean nothing else.
	for l.at < len(l.text) && (l.text[l.at] == ' ' || l.text[l.at] == '\t' || l.text[l.at] == '\r') {
		l.at++
	}
	start, rest := l.at, l.text[l.at:]
	if rest == "" || len(rest) > 1 && rest[:2] == "//" {
		return lexer.Token{Type: lexer.EOF, Value: "end of line", Pos: l.pos(start)}, nil
	}

	if l.count++; l.count > maxTokens {
		return lexer.Token{}, l.fail(start, "more than %d words in a line", maxTokens)
	}
	// A bound on tokens bounds participle's memory.
	typ, n, why := scan(rest)
	if why != "" {
		return lexer.Token{}, l.fail(start, "%s", why)
	}
	l.at += n
	return lexer.Token{Type: typ, Value: rest[:n], Pos: l.pos(start)}, nil
}

// scan finds the kind and length of the token at the start of s; why is the error if there
// is none.
func scan(s string) (typ lexer.TokenType, n int, why string) {
	// The first character decides the kind.
	switch c := s[0]; {
	case c == '%':
		if n = span(s, 1, isLabel); n > 1 {
			return tokNode, n, ""
		}
		return 0, 0, "expected the number of a node after %"
	case isDigit(c) || c == '-':
		return scanNumber(s)
	case isLetter(c):
		return tokName, span(s, 1, isWord), ""
	case c == '@':
		return scanAt(s)
	case c == '"':
		// A string has the escapes of Go.
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			return 0, 0, "the string does not end, or has a bad escape"
		}
		return tokText, len(q), ""
	case c == ':' || c == '=' || c == ',' || c == '#' || c == '{' || c == '}' || c == ';':
		return tokMark, 1, ""
	default:
		return 0, 0, fmt.Sprintf("unexpected character %q", []rune(s[:min(len(s), 4)])[0])
	}
}

// scanAt reads @0:12, several positions as @0:12+0:14, or @- for none.
func scanAt(s string) (typ lexer.TokenType, n int, why string) {
	if len(s) > 1 && s[1] == '-' {
		return tokAt, 2, ""
	}
	for n = 1; ; n++ { // after @ or +
		file := span(s, n, isDigit)
		if file == n || file == len(s) || s[file] != ':' {
			break
		}
		line := span(s, file+1, isDigit)
		if line == file+1 {
			break
		}
		if n = line; n == len(s) || s[n] != '+' {
			return tokAt, n, ""
		}
	}
	return 0, 0, "expected a position like @0:12"
}

// scanNumber reads 12, -3 or 8'hff.
func scanNumber(s string) (typ lexer.TokenType, n int, why string) {
	// A sign makes it an integer; an apostrophe after the digits, a sized value.
	n = span(s, 1, isDigit)
	if s[0] == '-' {
		if n == 1 {
			return 0, 0, "expected a number after -"
		}
		return tokInt, n, ""
	}

	if n < len(s) && s[n] == '\'' {
		return tokValue, span(s, n+1, isWord), ""
	}
	if n < len(s) && isWord(s[n]) {
		return 0, 0, "a number with letters in it"
	}
	return tokInt, n, ""
}

func span(s string, from int, in func(byte) bool) int {
	for from < len(s) && in(s[from]) {
		from++
	}
	return from
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func isLabel(c byte) bool  { return isLetter(c) || isDigit(c) || c == '.' }
func isWord(c byte) bool   { return isLabel(c) || c == '$' }
