package attribute

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Pair is a parameter or an attribute of a cell, net or module.
type Pair struct {
	Name  string
	Value Value
}

// Value is the value of a parameter or attribute: bits as 0, 1, x and z, the top
// first, or text.
type Value string

// Find returns an attribute; "" when there is none.
func Find(attrs []Pair, name string) Value {
	for i := range attrs {
		if attrs[i].Name == name {
			return attrs[i].Value
		}
	}
	return ""
}

// IsBits reports whether v is a non-empty string of 0, 1, x and z.
func (v Value) IsBits() bool {
	return v != "" && strings.Trim(string(v), "01xz") == ""
}

// Bit returns bit i as a character, '0' above the top.
func (v Value) Bit(i int) byte {
	if i >= len(v) {
		return '0'
	}
	return v[len(v)-1-i]
}

// Int is the value as a signed number of 32 bits or an unsigned one of others;
// -1 when it is none that fits.
func (v Value) Int() int {
	if !v.IsBits() {
		return -1
	}
	n := 0

	// An x or z counts as 0.
	for i := range len(v) {
		if v.Bit(i) != '1' {
			continue
		}
		if i > 31 {
			return -1
		}
		n |= 1 << i
	}

	if len(v) == 32 && n>>31 != 0 {
		n -= 1 << 32
	}
	return n
}

// Text is the text without the mark, a NUL at its end, of text that looks like bits.
func (v Value) Text() string { return strings.TrimSuffix(string(v), "\x00") }

// Line returns the file and first line of a src attribute, such as
// "cpu.v:12.3-14.9|lib.v:7.1-7.20".
func Line(attrs []Pair) (file string, n int) {
	src := Find(attrs, "src").Text()
	src, _, _ = strings.Cut(src, "|")
	i := strings.LastIndexByte(src, ':')

	// The line ends at the point before its column.
	if i < 0 {
		return "", 0
	}
	for _, c := range []byte(src[i+1:]) {
		if c < '0' || c > '9' || n > 1<<30 {
			break
		}
		n = 10*n + int(c-'0')
	}
	return src[:i], n
}

// Where is the place of a cell or net for an error, "" when it is unknown.
func Where(attrs []Pair) string {
	file, n := Line(attrs)
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d: ", cmp.Or(file, "?"), n)
}

// Span returns the file and the lines in attributes, 0 when unknown.
func Span(attrs []Pair) (file string, from, to int) {
	file, from = Line(attrs)
	to = from
	src, _, _ := strings.Cut(Find(attrs, "src").Text(), "|")

	// The end of the first range, without its column.
	if i := strings.LastIndexByte(src, '-'); i >= 0 {
		last, _, _ := strings.Cut(src[i+1:], ".")
		if n, err := strconv.Atoi(last); err == nil && n >= from {
			to = n
		}
	}
	return file, from, to
}
