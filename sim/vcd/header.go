package vcd

import (
	"fmt"
	"strings"

	"etch/ir"
	"etch/sim"
)

// header writes the declarations and lists the nets.
func (w *Writer) header(s *sim.Sim) {
	w.printf("$version etch $end\n$timescale %s $end\n", w.scale)
	h := headerOf{w: w, ids: map[int]string{}, names: map[nameKey]string{}}
	h.scope(s.Root())
	w.printf("$enddefinitions $end\n")
}

// headerOf is a header being written.
type headerOf struct {
	w     *Writer
	ids   map[int]string // identifiers by Sim net
	names map[nameKey]string
	count int // identifiers given
}

// nameKey is a net seen as an enumeration.
type nameKey struct {
	net  int
	enum *ir.Enum
}

func (h *headerOf) scope(c sim.Scope) {
	h.w.printf("$scope module %s $end\n", word(c.Name()))
	signals := c.Signals()
	taken := map[string]bool{}
	for _, sig := range signals {
		taken[word(sig.Base())] = true
	}
	for _, sig := range signals {
		h.declare(sig, taken)
	}
	for _, kid := range c.Children() {
		h.scope(kid)
	}
	h.w.printf("$upscope $end\n")
}

// declare writes the variable of a signal, and a second one for its names.
func (h *headerOf) declare(sig sim.Signal, taken map[string]bool) {
	id, seen := h.ids[sig.Net()]
	if !seen {
		id = h.nextID()
		h.ids[sig.Net()] = id
		if sig.IsClock() {
			h.w.clock[sig.Net()] = len(h.w.nets)
		}
		h.w.nets = append(h.w.nets, net{sig: sig, id: id, clock: sig.IsClock()})
	}
	kind, span := "wire", ""
	if sig.IsState() {
		kind = "reg"
	}
	if n := sig.Width(); n > 1 {
		span = fmt.Sprintf(" [%d:0]", n-1)
	}
	name := word(sig.Base())
	h.w.printf("$var %s %d %s %s%s $end\n", kind, sig.Width(), id, name, span)
	switch t := sig.Type(); {
	case t.Kind == ir.EnumKind:
		h.declareNames(sig, t.Enum, name, taken)
	case t.Kind.Signed():
		h.w.printf("$comment %s: %s $end\n", name, t)
	}
}

func (h *headerOf) declareNames(sig sim.Signal, e *ir.Enum, name string, taken map[string]bool) {
	key := nameKey{sig.Net(), e}
	id, seen := h.names[key]
	if !seen {
		id = h.nextID()
		h.names[key] = id
		h.w.nets = append(h.w.nets, net{sig: sig, id: id, enum: e})
	}
	for name += "_name"; taken[name]; name += "_" {
	}
	taken[name] = true
	h.w.printf("$var string 1 %s %s $end\n", id, name)
}

// nextID returns the next identifier: digits '!' to '~', short ones first.
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

// word makes one word of printable letters of a name.
func word(name string) string {
	if name == "" {
		return "_"
	}
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return '_'
		}
		return r
	}, name)
}
