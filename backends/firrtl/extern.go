package firrtl

import (
	"strings"

	"etch/ir"
)

// extern prints a black box: its ports, its Verilog name and its parameters. A parameter
// that is neither integer nor string is written literally.
func (w *writer) extern(m *ir.Module) {
	w.str("  extmodule " + id(w.modName(m)) + " :")
	w.end(m.Pos)
	w.portLines(m, w.portNames(m))
	w.line(4, "defname = "+id(m.Extern.Module))
	for _, q := range m.Extern.Params {
		w.line(4, "parameter "+id(q.Name)+" = "+paramText(q.Value))
	}
}

// paramText is the value of a parameter, Verilog text, in FIRRTL.
func paramText(v string) string {
	if isDecimal(v) {
		return v
	}
	if len(v) >= 2 && v[0] == '"' && v[len(v)-1] == '"' && !strings.ContainsAny(v[1:len(v)-1], "\"\\\n") {
		return v
	}
	return "'" + strings.NewReplacer(`'`, `\'`, "\n", " ").Replace(v) + "'"
}

func isDecimal(v string) bool {
	digits := strings.TrimPrefix(v, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == "" && (digits == "0" || digits[0] != '0')
}
