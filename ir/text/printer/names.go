package printer

import (
	"strconv"

	"etch/ir"
)

// Plain reports whether a name is written without quotes: a letter or '_', then
// letters, digits, '_', '$' and '.'.
func Plain(name string) bool {
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
		case i > 0 && (c >= '0' && c <= '9' || c == '$' || c == '.'):
		default:
			return false
		}
	}
	return name != ""
}

// appendName appends a name, quoted as in Go unless it is plain.
func appendName(b []byte, name string) []byte {
	if Plain(name) {
		return append(b, name...)
	}
	return strconv.AppendQuote(b, name)
}

// refs are the references to the entries of a table by name: the name itself,
// with "#2" for the second entry of that name, and so on.
type refs []string

// makeRefs makes the references to n entries.
func makeRefs(n int, name func(i int) string) refs {
	r := make(refs, n)

	seen := make(map[string]int, n)
	for i := range r {
		s := name(i)
		seen[s]++

		// The second entry of a name is number 2.
		b := appendName(nil, s)
		if k := seen[s]; k > 1 {
			b = strconv.AppendInt(append(b, '#'), int64(k), 10)
		}
		r[i] = string(b)
	}
	return r
}

// at returns reference i, "?" when there is none.
func (r refs) at(i int) string {
	if i < 0 || i >= len(r) {
		return "?"
	}
	return r[i]
}

// enumsOf collects the enumerations of a design in the order of their first use.
func enumsOf(d *ir.Design) (list []*ir.Enum, at map[*ir.Enum]int) {
	at = map[*ir.Enum]int{}

	// Types out of range belong to broken designs.
	add := func(m *ir.Module, t ir.TypeID) {
		if int(t) >= len(m.Types()) {
			return
		}
		e := m.TypeOf(t).Enum
		if _, ok := at[e]; e == nil || ok {
			return
		}
		at[e] = len(list)
		list = append(list, e)
	}

	// The order of the text: ports, nodes, memories.
	for _, m := range d.Modules {
		for i := range m.Ports {
			add(m, m.Ports[i].Type)
		}
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			add(m, m.Node(id).Type)
		}
		for i := range m.Mems {
			add(m, m.Mems[i].Type)
		}
	}
	return list, at
}
