package ir

import (
	"slices"
	"strconv"
	"strings"
)

// Attr is an attribute for the tools behind etch, as in (* ASYNC_REG = "TRUE" *).
// It changes no value. Lists of attributes are shared between copies of a module
// and never changed in place: [SetAttr] returns a new one.
type Attr struct {
	Name  string
	Value string // as Verilog: a decimal integer of 32 bits, or a quoted string without control characters
}

// TextAttr is the value of an attribute that is a string. ok is false for text
// with a control character or one that is not ASCII.
func TextAttr(text string) (value string, ok bool) {
	value = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	return value, isAttrValue(value)
}

// SetAttr returns list with a attached, in place of an attribute of its name.
// Lists are shared between copies of a module: replace the entry in a copy.
func SetAttr(list []Attr, a Attr) []Attr {
	out := slices.Clone(list)
	if i := slices.IndexFunc(out, func(b Attr) bool { return b.Name == a.Name }); i >= 0 {
		out[i] = a
		return out
	}
	return append(out, a)
}

// Valid reports whether name and value are legal in Verilog.
func (a Attr) Valid() bool {
	for i := range len(a.Name) {
		c := a.Name[i]
		if !(c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || i > 0 && (c == '$' || '0' <= c && c <= '9')) {
			return false
		}
	}
	return a.Name != "" && isAttrValue(a.Value)
}

// isAttrValue accepts integers as strconv prints them, and strings whose only escapes are
// \\ and \".
func isAttrValue(v string) bool {
	// An integer must be in canonical form: no leading zeros, no plus sign.
	if n, err := strconv.ParseInt(v, 10, 32); err == nil {
		return strconv.FormatInt(n, 10) == v
	}

	// A quoted string.
	if len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
		return false
	}
	for i, text := 0, v[1:len(v)-1]; i < len(text); i++ {
		switch c := text[i]; {
		case c < ' ' || c > '~' || c == '"':
			return false
		case c == '\\':
			if i++; i == len(text) || text[i] != '\\' && text[i] != '"' {
				return false
			}
		}
	}
	return true
}

// AttrsOf returns the attributes of node id, nil if it has none. Ports, memories,
// instances and modules have theirs in fields of their own.
func (m *Module) AttrsOf(id ID) []Attr { return m.attrs[id] }

// SetAttrs replaces the attributes of node id, which must have a name: an
// attribute goes where the name goes.
func (m *Module) SetAttrs(id ID, list []Attr) {
	switch {
	case len(list) == 0:
		delete(m.attrs, id)
	case m.attrs == nil:
		m.attrs = map[ID][]Attr{id: list}
	default:
		m.attrs[id] = list
	}
}

// HasAttrs reports whether node id has attributes. Such a node is never removed,
// renamed or joined with another.
func (m *Module) HasAttrs(id ID) bool { return m.attrs != nil && m.attrs[id] != nil }

// EachAttr calls f for every node with attributes, in order of ID.
func (m *Module) EachAttr(f func(id ID, list []Attr)) {
	// The attributes are in a map: sort, so that output does not depend on its order.
	ids := make([]ID, 0, len(m.attrs))
	for id := range m.attrs {
		ids = append(ids, id)
	}
	slices.Sort(ids)

	for _, id := range ids {
		f(id, m.attrs[id])
	}
}
