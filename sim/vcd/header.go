package vcd

import (
	"fmt"

	"etch/ir"
	"etch/sim/internal/record"
)

// header writes the declarations and gives the nets their identifiers.
func (w *Writer) header(root *record.Scope, nets []record.Net) {
	w.printf("$version etch $end\n$timescale %s $end\n", w.scale)
	w.nets = make([]net, len(nets))
	h := headerOf{w: w}
	h.scope(root)
	w.printf("$enddefinitions $end\n")
}

// headerOf hands out identifiers while the header's scopes and variables are written.
type headerOf struct {
	w     *Writer
	count int // identifiers given
}

// scope writes a scope. Names of variables are taken beforehand, for the second variables of
// enumerations not to get one of them.
func (h *headerOf) scope(c *record.Scope) {
	h.w.printf("$scope module %s $end\n", c.Name)
	taken := map[string]bool{}
	for i := range c.Vars {
		taken[c.Vars[i].Name] = true
	}
	for i := range c.Vars {
		h.declare(&c.Vars[i], taken)
	}
	for _, kid := range c.Kids {
		h.scope(kid)
	}
	h.w.printf("$upscope $end\n")
}

// declare writes the variable of a signal, and a second one for the names of an enumeration. The
// net gets its identifier with its first variable.
func (h *headerOf) declare(v *record.Var, taken map[string]bool) {
	n := &h.w.nets[v.Net]
	if n.id == "" {
		n.id, n.width = h.nextID(), v.Width()
	}
	kind, span := "wire", ""
	if v.IsState() {
		kind = "reg"
	}

	if n.width > 1 {
		span = fmt.Sprintf(" [%d:0]", n.width-1)
	}
	h.w.printf("$var %s %d %s %s%s $end\n", kind, n.width, n.id, v.Name, span)

	// The format has no types: an enumeration becomes a second variable of texts, a signed
	// number a comment.
	switch t := v.Type(); {
	case t.Kind == ir.EnumKind:
		h.declareNames(n, t.Enum, v.Name, taken)
	case t.Kind.Signed(), t.Kind == ir.Float:
		h.w.printf("$comment %s: %s $end\n", v.Name, t)
	}
}

// declareNames writes the text variable of a signal that is an enumeration. A net that is
// several enumerations has one for each.
func (h *headerOf) declareNames(n *net, e *ir.Enum, name string, taken map[string]bool) {
	// Variables of one enumeration share the text variable of their net.
	at := 0
	for at < len(n.names) && n.names[at].enum != e {
		at++
	}
	if at == len(n.names) {
		n.names = append(n.names, names{enum: e, id: h.nextID()})
	}

	// The name may be taken; underscores make it new.
	for name += "_name"; taken[name]; name += "_" {
	}
	taken[name] = true
	h.w.printf("$var string 1 %s %s $end\n", n.names[at].id, name)
}

// nextID returns the next identifier, in digits '!' to '~', short ones first: a bijective
// numeral, so n-- follows each division.
func (h *headerOf) nextID() string {
	const first, digits = '!', '~' - '!' + 1
	n := h.count
	h.count++
	var id []byte
	for {
		id = append(id, byte(first+n%digits))
		if n /= digits; n == 0 {
			return string(id)
		}
		n--
	}
}
