// Package hexfile reads memory contents in the format of Verilog's $readmemh and
// $readmemb: words separated by blanks, @address (hexadecimal) to go on at another
// address, underscores inside numbers, // and /* */ comments.
//
//	err := hexfile.Read(text, hexfile.Memory{Width: 32, Depth: 1024}, func(addr int, v bits.Value) error { … })
//
// Words have two states: x and z are errors, as are words that do not fit and
// addresses past the end. A number may have leading zeros beyond the width.
//
// A byte order mark in front is skipped.
//
// The package imports the standard library, ir/bits and ir/input only.
package hexfile

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"etch/ir/bits"
	"etch/ir/input"
)

// Memory is the shape of the memory that the contents are for.
type Memory struct {
	Width  int    // bits of a word
	Depth  int    // words
	Binary bool   // $readmemb
	Name   string // for errors of ReadFile
}

// Read calls put with every word of text. An error names the line.
func Read(text []byte, m Memory, put func(addr int, v bits.Value) error) error {
	r := reader{text: strings.TrimPrefix(string(text), "\ufeff"), line: 1}

	// Windows tools write such files.
	if strings.HasPrefix(r.text, "\xff\xfe") || strings.HasPrefix(r.text, "\xfe\xff") {
		return r.errorf("the text is UTF-16; want UTF-8")
	}

	// Words go to rising addresses, from 0 or from the last @address.
	addr := 0
	for {
		word, err := r.next()
		if err != nil || word == "" {
			return err
		}
		// An address is hexadecimal, for both formats.
		if word[0] == '@' {
			at, err := strconv.ParseUint(strings.ReplaceAll(word[1:], "_", ""), 16, 62)
			if err != nil {
				return r.errorf("%s is not an address", input.Excerpt(word))
			}
			if at >= uint64(m.Depth) {
				return r.errorf("address %s is past the end of %d words", input.Excerpt(word[1:]), m.Depth)
			}
			addr = int(at)
			continue
		}

		// Checked at a word: after the last one the address is past the end.
		if addr >= m.Depth {
			return r.errorf("more than %d words", m.Depth)
		}
		v, err := r.word(word, m)
		if err == nil {
			err = put(addr, v)
		}
		if err != nil {
			return err
		}
		addr++
	}
}

type reader struct {
	text string
	at   int
	line int
}

func (r *reader) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", r.line, fmt.Sprintf(format, args...))
}

// next is the next word, "" at the end. It skips blanks and comments and counts lines.
func (r *reader) next() (string, error) {
	for r.at < len(r.text) {
		rest := r.text[r.at:]
		// A word ends at a blank or at the slash of a comment.
		switch c := rest[0]; {
		case c == '\n':
			r.line++
			r.at++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			r.at++
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			r.at += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				return "", r.errorf("a comment that is not closed")
			}
			r.line += strings.Count(rest[:end], "\n")
			r.at += end + 2
		default:
			end := strings.IndexAny(rest, " \t\r\f\n/")
			if end == 0 {
				return "", r.errorf("a stray /")
			}
			if end < 0 {
				end = len(rest)
			}
			r.at += end
			return rest[:end], nil
		}
	}
	return "", nil
}

// word reads one number. Each way to be wrong has its own message, since files come from
// many tools.
func (r *reader) word(word string, m Memory) (bits.Value, error) {
	base, digits, shown := 16, strings.ReplaceAll(word, "_", ""), input.Excerpt(word)
	if m.Binary {
		base = 2
	}

	// Hexadecimal of the language C is a common mistake.
	if len(digits) > 1 && (strings.HasPrefix(digits, "0x") || strings.HasPrefix(digits, "0X")) {
		return bits.Value{}, r.errorf("%s: words have no 0x in front", shown)
	}
	// States other than 0 and 1.
	if strings.ContainsAny(digits, "xXzZ?") {
		of := "hexadecimal digits"
		if m.Binary {
			of = "0 and 1"
		}
		return bits.Value{}, r.errorf("%s: words are of %s, without x and z", shown, of)
	}

	if digits == "" || strings.ContainsAny(digits, "+-") {
		return bits.Value{}, r.errorf("%s is not a number", shown)
	}

	// Most words fit a machine word.
	if n, err := strconv.ParseUint(digits, base, 64); err == nil {
		if m.Width < 64 && n>>m.Width != 0 {
			return bits.Value{}, r.errorf("%s does not fit %d bits", shown, m.Width)
		}
		return bits.New(m.Width, n), nil
	}

	// A word of more than 64 bits.
	n, ok := new(big.Int).SetString(digits, base)
	switch {
	case !ok:
		return bits.Value{}, r.errorf("%s is not a number", shown)
	case n.BitLen() > m.Width:
		return bits.Value{}, r.errorf("%s does not fit %d bits", shown, m.Width)
	}
	return bits.FromBig(m.Width, n), nil
}
