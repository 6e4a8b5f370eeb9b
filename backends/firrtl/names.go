package firrtl

import (
	"strconv"

	"etch/backends/internal/reserved"
	"etch/ir"
)

// nameTable holds the names of a module, or of the modules of a circuit.
type nameTable struct {
	taken map[string]bool
	again map[string]int // last number given to a stem that was taken
}

func (t *nameTable) reset(expect int) {
	t.taken, t.again = make(map[string]bool, expect), map[string]int{}
}

// claim takes a name made from stem: stem itself, with characters that FIRRTL does not
// allow replaced and _ appended to a reserved word, or else that with the lowest free
// number from 2 on.
func (t *nameTable) claim(stem string) string {
	if !isLegal(stem) {
		stem = legal(stem)
	}
	// The last number is remembered, so that many equal stems do not take quadratic time.
	name := stem
	if t.taken[name] {
		for k := max(t.again[stem], 1) + 1; ; k++ {
			if name = stem + "_" + strconv.Itoa(k); !t.taken[name] {
				t.again[stem] = k
				break
			}
		}
	}
	t.taken[name] = true
	return name
}

// claimIf claims a legal name in the first round, any other in the second, so that only the
// others give way.
func (t *nameTable) claimIf(to *string, stem string, wantLegal bool) {
	if *to == "" && stem != "" && isLegal(stem) == wantLegal {
		*to = t.claim(stem)
	}
}

// isLegal reports whether FIRRTL allows s as a name.
func isLegal(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isWord(s[i]) {
			return false
		}
	}
	return s != "" && !isReserved(s)
}

// isReserved reports words that are never used as names. Words of Verilog would be renamed
// by a compiler, so that a port would have another name than here. "is" after mem begins an
// invalidate statement in older files.
func isReserved(word string) bool { return word == "is" || reserved.Verilog[word] }

func isWord(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= '0' && c <= '9' }

// legal replaces every character that FIRRTL does not allow by an underscore. Closing
// brackets are dropped: lane[0].data is lane_0_data.
func legal(s string) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isWord(c):
			b = append(b, c)
		case c != ']':
			b = append(b, '_')
		}
	}
	if len(b) == 0 || isReserved(string(b)) {
		b = append(b, '_')
	}
	return string(b)
}

// id is a name as written: between backquotes if it begins with a digit.
func id(name string) string {
	if name[0] >= '0' && name[0] <= '9' {
		return "`" + name + "`"
	}
	return name
}

// allNames assigns names to modules and to the boxes of pads. The names of black boxes
// stand for external modules, each with its parameters; their Verilog name is a clause.
func allNames(d *ir.Design, cells []cell) (map[*ir.Module]string, map[cell]string) {
	var t nameTable
	t.reset(len(d.Modules))
	// Verilog names are taken: a module must not have one.
	for _, c := range cells {
		t.taken[c.kind.String()] = true
	}

	names := map[*ir.Module]string{}
	for _, m := range d.Modules {
		if m.Extern == nil {
			continue
		}
		t.taken[m.Extern.Module] = true

		// A black box named after its Verilog module has that name already.
		if m.Name == m.Extern.Module && isLegal(m.Name) {
			names[m] = m.Name
		}
	}

	// Legal names first, then the others, then the boxes.
	for _, wantLegal := range []bool{true, false} {
		for _, m := range d.Modules {
			name := names[m]
			t.claimIf(&name, orElse(m.Name, "top"), wantLegal)
			names[m] = name
		}
	}

	boxes := map[cell]string{}
	for _, c := range cells {
		boxes[c] = t.claim(c.kind.String() + "_" + strconv.Itoa(c.width))
	}
	return names, boxes
}

// TopName returns the name of the top of a design, without backquotes.
func TopName(d *ir.Design) string {
	names, _ := allNames(d, cellsOf(d))
	return names[d.Top]
}

// PortNames returns the names of a module's ports, in order and without backquotes. They
// are those of the netlist, except for reserved words, names that FIRRTL does not allow and
// names that become equal. Ports of a black box keep their names.
func PortNames(m *ir.Module) []string {
	names := make([]string, len(m.Ports))
	if m.Extern != nil {
		for i := range m.Ports {
			names[i] = m.Ports[i].Name
		}
		return names
	}
	var t nameTable
	t.reset(len(m.Ports))
	return t.ports(m)
}

// ports claims the names of a module's ports, before all others.
func (t *nameTable) ports(m *ir.Module) []string {
	names := make([]string, len(m.Ports))
	for _, wantLegal := range []bool{true, false} {
		for i := range m.Ports {
			t.claimIf(&names[i], orElse(m.Ports[i].Name, "port"), wantLegal)
		}
	}
	return names
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
