package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// scanner reads JSON whose shape is known: the caller says at every point which
// token must come, and the scanner keeps the path for the error. Memory is bounded by
// the caller's limits, depth by the schema.
type scanner struct {
	buf  []byte
	pos  int
	path []step
}

// step is one element of a JSON path: a member's name or an array's index.
type step struct {
	name  string
	index int
}

// member is one field that an object may hold.
type member struct {
	name     string
	optional bool
	read     func() error
}

func (s *scanner) errorf(format string, args ...any) error {
	var path []byte
	for _, st := range s.path {
		switch {
		case st.name == "":
			path = fmt.Appendf(path, "[%d]", st.index)
		case len(path) == 0:
			path = append(path, st.name...)
		default:
			path = append(append(path, '.'), st.name...)
		}
	}

	// Lines are counted only now, since most files have no error.
	return &FieldError{
		Line:   1 + bytes.Count(s.buf[:min(s.pos, len(s.buf))], []byte{'\n'}),
		Field:  string(path),
		Reason: fmt.Sprintf(format, args...),
	}
}

// peek skips white space and returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	for s.pos < len(s.buf) {
		switch c := s.buf[s.pos]; c {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) expect(c byte, what string) error {
	if got := s.peek(); got != c {
		return s.unexpected(what)
	}
	s.pos++
	return nil
}

// unexpected reports the input at the current position.
func (s *scanner) unexpected(wanted string) error {
	c := s.peek()
	switch {
	case s.pos >= len(s.buf):
		return s.errorf("the file ends where %s should be", wanted)
	case c == '{':
		return s.errorf("expected %s, found an object", wanted)
	case c == '[':
		return s.errorf("expected %s, found an array", wanted)
	case c == '"':
		return s.errorf("expected %s, found a string", wanted)
	case c == '-' || c >= '0' && c <= '9':
		return s.errorf("expected %s, found a number", wanted)
	}

	// Show a word, or a single character.
	end := s.pos
	for end < len(s.buf) && end < s.pos+12 && isWord(s.buf[end]) {
		end++
	}
	if end == s.pos {
		end++
	}
	return s.errorf("expected %s, found %q", wanted, s.buf[s.pos:end])
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// object reads an object that holds each of the members at most once, all but
// the optional ones, and nothing else.
func (s *scanner) object(members []member) error {
	if err := s.expect('{', "an object"); err != nil {
		return err
	}

	// One bit for each member that was there.
	var seen uint64
	for first := true; ; first = false {
		if s.peek() == '}' {
			s.pos++
			break
		}
		if !first {
			if err := s.expect(',', "',' or '}'"); err != nil {
				return err
			}
		}

		i, err := s.memberName(members)
		if err != nil {
			return err
		}

		// The path names the member while it is read, for errors.
		s.path = append(s.path, step{name: members[i].name})
		if seen>>i&1 != 0 {
			return s.errorf("given twice")
		}
		seen |= 1 << i
		if err := members[i].read(); err != nil {
			return err
		}
		s.path = s.path[:len(s.path)-1]
	}

	// The error is about the first member that is missing.
	for i := range members {
		if seen>>i&1 == 0 && !members[i].optional {
			s.path = append(s.path, step{name: members[i].name})
			return s.errorf("missing")
		}
	}
	return nil
}

// memberName reads a member's name and the colon, and returns its index.
func (s *scanner) memberName(members []member) (int, error) {
	if s.peek() != '"' {
		return 0, s.unexpected("a field name in quotes")
	}
	name, err := s.text(MaxText)
	if err != nil {
		return 0, err
	}

	for i := range members {
		if members[i].name == name {
			return i, s.expect(':', "':'")
		}
	}
	s.path = append(s.path, step{name: strconv.Quote(clip(name))})
	return 0, s.errorf("unknown field")
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// array reads an array of at most limit elements and returns their number.
func (s *scanner) array(limit int, elem func(i int) error) (int, error) {
	if err := s.expect('[', "an array"); err != nil {
		return 0, err
	}
	if s.peek() == ']' {
		s.pos++
		return 0, nil
	}

	// The path names the element while it is read.
	for i := 0; ; i++ {
		if i == limit {
			return i, s.errorf("more than %d elements", limit)
		}
		s.path = append(s.path, step{index: i})
		if err := elem(i); err != nil {
			return i, err
		}
		s.path = s.path[:len(s.path)-1]

		switch s.peek() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			return i + 1, nil
		default:
			return i, s.unexpected("',' or ']'")
		}
	}
}

// text reads a string of at most limit bytes. Escapes may take six times that
// in the file.
func (s *scanner) text(limit int) (string, error) {
	if err := s.expect('"', "a string"); err != nil {
		return "", err
	}

	// An escape has at most six bytes for one.
	start := s.pos
	for ; s.pos < len(s.buf); s.pos++ {
		if s.pos-start > 6*limit {
			return "", s.errorf("string of more than %d bytes", limit)
		}
		switch s.buf[s.pos] {
		case '\\':
			s.pos++
		case '"':
			s.pos++

			// encoding/json knows the escapes.
			raw := s.buf[start-1 : s.pos]
			if !utf8.Valid(raw) {
				return "", s.errorf("string is not valid UTF-8")
			}
			var v string
			if err := json.Unmarshal(raw, &v); err != nil {
				return "", s.errorf("malformed string %s", clip(string(raw)))
			}
			if len(v) > limit {
				return "", s.errorf("string of %d bytes; at most %d", len(v), limit)
			}
			return v, nil
		}
	}
	return "", s.errorf("the file ends inside a string")
}

// number returns the bytes of a JSON number.
func (s *scanner) number() (string, error) {
	c := s.peek()
	if c != '-' && (c < '0' || c > '9') {
		return "", s.unexpected("a number")
	}

	// A token of letters, digits and signs, which encoding/json judges: its rules for numbers are strict.
	start := s.pos
	for s.pos < len(s.buf) && (isWord(s.buf[s.pos]) || s.buf[s.pos] == '-' || s.buf[s.pos] == '+' || s.buf[s.pos] == '.') {
		s.pos++
	}

	tok := s.buf[start:s.pos]
	if len(tok) > 400 || !json.Valid(tok) {
		return "", s.errorf("malformed number %s", clip(string(tok)))
	}
	return string(tok), nil
}

// integer reads a number written without fraction or exponent.
func (s *scanner) integer() (int, error) {
	// Nearly all numbers of a file are pins, and short.
	if v, ok := s.shortInteger(); ok {
		return v, nil
	}
	tok, err := s.number()
	if err != nil {
		return 0, err
	}

	v, err := strconv.Atoi(tok)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, s.errorf("%s is out of range", clip(tok))
	case err != nil:
		return 0, s.errorf("expected a whole number, found %s", clip(tok))
	}
	return v, nil
}

// shortInteger is the fast path for pins: up to 9 digits without a sign.
func (s *scanner) shortInteger() (int, bool) {
	c := s.peek()
	if c < '1' || c > '9' {
		return 0, false
	}

	// Nine digits fit any int; a digit more, or any other character, is left to the slow way.
	v := 0
	for i := s.pos; i < len(s.buf) && i < s.pos+10; i++ {
		switch c := s.buf[i]; {
		case c >= '0' && c <= '9':
			v = v*10 + int(c-'0')
		case c == ',' || c == ']' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == '\t':
			s.pos = i
			return v, true
		default:
			return 0, false
		}
	}
	return 0, false
}

// float reads any finite number.
func (s *scanner) float() (float64, error) {
	tok, err := s.number()
	if err != nil {
		return 0, err
	}

	v, err := strconv.ParseFloat(tok, 64)
	if err != nil || math.IsInf(v, 0) {
		return 0, s.errorf("%s is out of range", clip(tok))
	}
	return v, nil
}
