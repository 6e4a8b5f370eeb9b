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

// claim takes a name made from stem: stem itself with what FIRRTL does not allow
// replaced and a _ behind a reserved word, or else that with the lowest free
// number from 2.
func (t *nameTable) claim(stem string) string {
	if !isLegal(stem) {
		stem = legal(stem)
	}
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

// claimIf is claim in one of two rounds: legal names first, so that only the
// others give way.
func (t *nameTable) claimIf(to *string, stem string, wantLegal bool) {
	if *to == "" && stem != "" && isLegal(stem) == wantLegal {
		*to = t.claim(stem)
	}
}

// isLegal reports whether s can be a name as it is.
func isLegal(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isWord(s[i]) {
			return false
		}
	}
	return s != "" && !isReserved(s)
}

// isReserved tells words that are not given to anything: those of Verilog, which a
// compiler to it has to rename, so that a port would not be called what it says
// here; and "is", which after mem begins what older files say for invalidate.
func isReserved(word string) bool { return word == "is" || reserved.Verilog[word] }

func isWord(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= '0' && c <= '9' }

// legal makes everything that FIRRTL does not allow in a name an underscore, but
// for closing brackets, which are dropped: lane[0].data is lane_0_data.
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

// id is a name as it is written: between backquotes if it begins with a digit.
func id(name string) string {
	if name[0] >= '0' && name[0] <= '9' {
		return "`" + name + "`"
	}
	return name
}

// allNames gives modules and the boxes of pads their names. Those of black boxes name
// the external modules, each with its parameters; what they are called in Verilog is
// a clause.
func allNames(d *ir.Design, cells []cell) (map[*ir.Module]string, map[cell]string) {
	var t nameTable
	t.reset(len(d.Modules))
	for _, c := range cells {
		t.taken[c.kind.String()] = true
	}
	names := map[*ir.Module]string{}
	for _, m := range d.Modules {
		if m.Extern == nil {
			continue
		}
		t.taken[m.Extern.Module] = true
		if m.Name == m.Extern.Module && isLegal(m.Name) {
			names[m] = m.Name
		}
	}
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

// TopName returns what the top of a design is called, without backquotes.
func TopName(d *ir.Design) string {
	names, _ := allNames(d, cellsOf(d))
	return names[d.Top]
}

// PortNames returns what the ports of a module are called, in their order and
// without backquotes: as in the netlist, but for reserved words, names that
// FIRRTL does not allow and names that become equal. Those of a black box are as
// given.
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

// ports claims the names of a module's ports, before any others.
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
