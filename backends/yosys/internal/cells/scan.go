package cells

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner walks over JSON text value by value. After its first mistake it stands
// at the end of the text, so that loops end.
type scanner struct {
	text  string
	at    int
	depth int
	err   error
}

// maxDepth bounds nesting; write_json nests six levels.
const maxDepth = 100

func (s *scanner) fail(format string, args ...any) {
	if s.err == nil {
		at := min(s.at, len(s.text))
		line := 1 + strings.Count(s.text[:at], "\n")
		s.err = fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
	}
	s.at = len(s.text)
}

// next skips blanks and returns the byte that comes, 0 at the end.
func (s *scanner) next() byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) want(c byte) bool {
	if s.next() != c {
		s.fail("want %q", c)
		return false
	}
	s.at++
	return true
}

// each calls f for each element between open and end, separated by commas.
func (s *scanner) each(open, end byte, f func()) {
	if s.depth++; s.depth > maxDepth {
		s.fail("nested too deep")
	}
	defer func() { s.depth-- }()
	if !s.want(open) {
		return
	}
	if s.next() == end {
		s.at++
		return
	}

	// After an error the loops end.
	for s.err == nil {
		f()
		switch s.next() {
		case ',':
			s.at++
		case end:
			s.at++
			return
		default:
			s.fail("want ',' or %q", end)
		}
	}
}

// object calls f for every member, in order; f reads its value.
func (s *scanner) object(f func(key string)) {
	s.each('{', '}', func() {
		key := s.str()
		if s.want(':') {
			f(key)
		}
	})
}

// array calls f for every element; f reads it.
func (s *scanner) array(f func()) { s.each('[', ']', f) }

func (s *scanner) str() string {
	if !s.want('"') {
		return ""
	}

	// A string without escapes is a part of the text.
	from := s.at
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '"':
			s.at++
			return s.text[from : s.at-1]
		case '\\':
			return s.escaped(from)
		}
		s.at++
	}
	s.fail("a string without end")
	return ""
}

// escaped reads the rest of a string that began at from and has escapes.
func (s *scanner) escaped(from int) string {
	b := []byte(s.text[from:s.at])
	for s.at < len(s.text) {
		c := s.text[s.at]
		s.at++
		switch c {
		case '"':
			return string(b)
		case '\\':
			b = s.escape(b)
		default:
			b = append(b, c)
		}
	}
	s.fail("a string without end")
	return ""
}

// escape appends the character that an escape stands for.
func (s *scanner) escape(b []byte) []byte {
	if s.at == len(s.text) {
		return b
	}
	c := s.text[s.at]
	s.at++
	switch c {
	case '"', '\\', '/':
		return append(b, c)
	case 'b':
		return append(b, '\b')
	case 'f':
		return append(b, '\f')
	case 'n':
		return append(b, '\n')
	case 'r':
		return append(b, '\r')
	case 't':
		return append(b, '\t')

	// \u, where two surrogates are one character.
	case 'u':
		r := s.hex4()
		if utf16.IsSurrogate(r) && strings.HasPrefix(s.text[s.at:], `\u`) {
			s.at += 2
			r = utf16.DecodeRune(r, s.hex4())
		}
		return utf8.AppendRune(b, r)
	}
	s.fail("no escape %q", c)
	return b
}

func (s *scanner) hex4() rune {
	if s.at+4 > len(s.text) {
		s.fail("a string without end")
		return 0
	}
	v, err := strconv.ParseUint(s.text[s.at:s.at+4], 16, 16)
	if err != nil {
		s.fail("a bad \\u escape")
		return 0
	}
	s.at += 4
	return rune(v)
}

// integer reads a whole number.
func (s *scanner) integer() int {
	s.next()
	from := s.at
	for s.at < len(s.text) && (s.text[s.at] == '-' || s.text[s.at] >= '0' && s.text[s.at] <= '9') {
		s.at++
	}
	n, err := strconv.ParseInt(s.text[from:s.at], 10, 64)
	if err != nil {
		s.fail("want a whole number")
	}
	return int(n)
}

// skip passes over a value.
func (s *scanner) skip() {
	switch c := s.next(); {
	case c == '{':
		s.object(func(string) { s.skip() })
	case c == '[':
		s.array(s.skip)
	case c == '"':
		s.str()
	default:
		// Numbers and words are passed over without a check of their form.
		from := s.at
		for s.at < len(s.text) && strings.IndexByte("+-.0123456789truefalsnEL", s.text[s.at]) >= 0 {
			s.at++
		}
		if s.at == from {
			s.fail("want a value")
		}
	}
}
