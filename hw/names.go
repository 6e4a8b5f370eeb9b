package hw

import (
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// Name joins a name and indexes: Name("pe", 0, 1) is pe_0_1.
func Name(base string, index ...int) string {
	if len(index) == 0 {
		return base
	}
	buf := make([]byte, 0, 64)
	buf = append(buf, base...)
	for _, i := range index {
		buf = strconv.AppendInt(append(buf, '_'), int64(i), 10)
	}
	return string(buf)
}

func isName(name string) bool {
	for i, r := range name {
		if !(r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || i > 0 && '0' <= r && r <= '9') {
			return false
		}
	}
	return name != ""
}

// fieldName is the hardware name of a struct field: the hw tag, or the Go name
// in snake case; embedded and inline fields add nothing to the path.
func fieldName(f reflect.StructField) string {
	name, opt, _ := strings.Cut(f.Tag.Get("hw"), ",")
	switch {
	case name != "":
		return name
	case f.Anonymous || opt == "inline":
		return ""
	}
	return snake(f.Name)
}

// shortType prints a type without package paths.
func shortType(t reflect.Type) string {
	var b strings.Builder
	word := func(s string) string { return s[strings.LastIndexAny(s, "./")+1:] }
	name, start := t.String(), 0
	for i, r := range name {
		if strings.ContainsRune("[],* {}", r) {
			b.WriteString(word(name[start:i]))
			b.WriteRune(r)
			start = i + 1
		}
	}
	return b.String() + word(name[start:])
}

// snake turns a Go name into a hardware name: DataOut is data_out.
func snake(s string) string {
	rs := []rune(s)
	var b strings.Builder
	for i, r := range rs {
		// A word starts at an upper-case letter after a lower-case one, and at the last
		// letter of a run of upper-case ones before a lower-case one: HTTPPort is
		// http_port.
		if i > 0 && unicode.IsUpper(r) && rs[i-1] != '_' &&
			(!unicode.IsUpper(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "_" + b
}

// partOf is the path of a part of a bundle: in.at.x.
func partOf(path, part string) string {
	if path == "" || part == "" {
		return path + part
	}
	return path + "." + part
}

// flat is the name of a scalar by its path: in_at_x.
func flat(path string) string { return strings.ReplaceAll(path, ".", "_") }

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func itoa(n int) string { return strconv.Itoa(n) }

func plural(n int, s string) string {
	if n == 1 {
		return "1 " + s
	}
	return itoa(n) + " " + s + "s"
}
