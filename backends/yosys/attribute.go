package yosys

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// attr is a parameter or an attribute of a cell, net or module.
type attr struct {
	name  string
	value value
}

// value is the value of a parameter or attribute: bits as 0, 1, x and z, the top
// first, or text.
type value string

// find returns an attribute; "" when there is none.
func find(attrs []attr, name string) value {
	for i := range attrs {
		if attrs[i].name == name {
			return attrs[i].value
		}
	}
	return ""
}

// isBits reports whether a value is bits.
func (v value) isBits() bool {
	return v != "" && strings.Trim(string(v), "01xz") == ""
}

// bit returns bit i as a character, '0' above the top.
func (v value) bit(i int) byte {
	if i >= len(v) {
		return '0'
	}
	return v[len(v)-1-i]
}

// int is the value as a signed number of 32 bits or an unsigned one of others;
// -1 when it is none that fits.
func (v value) int() int {
	if !v.isBits() {
		return -1
	}
	n := 0
	for i := range len(v) {
		if v.bit(i) != '1' {
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

// text is a value as text.
func (v value) text() string { return strings.TrimSuffix(string(v), "\x00") }

// line returns the file and first line of a src attribute, such as
// "cpu.v:12.3-14.9|lib.v:7.1-7.20".
func line(attrs []attr) (file string, n int) {
	src := find(attrs, "src").text()
	src, _, _ = strings.Cut(src, "|")
	i := strings.LastIndexByte(src, ':')
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

// where is the place of a cell or net for an error, "" when it is unknown.
func where(attrs []attr) string {
	file, n := line(attrs)
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d: ", cmp.Or(file, "?"), n)
}

// span returns the file and the lines in attributes, 0 when unknown.
func span(attrs []attr) (file string, from, to int) {
	file, from = line(attrs)
	to = from
	src, _, _ := strings.Cut(find(attrs, "src").text(), "|")
	if i := strings.LastIndexByte(src, '-'); i >= 0 {
		last, _, _ := strings.Cut(src[i+1:], ".")
		if n, err := strconv.Atoi(last); err == nil && n >= from {
			to = n
		}
	}
	return file, from, to
}
