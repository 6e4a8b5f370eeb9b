package yosys

import (
	"fmt"
	"slices"
	"strings"
)

// mend is changes to a text in RTLIL, made of whole lines.
type mend struct {
	instead map[int]string   // lines, from 1
	behind  map[int][]string // what comes after a line
	wires   int              // that were added
}

func (e *mend) isEmpty() bool { return len(e.instead) == 0 && len(e.behind) == 0 }

// lead leads the drivers of some bits of a module to new wires that go nowhere.
func (e *mend) lead(c *driverCheck, bits map[ilBit]bool) {
	if len(bits) == 0 {
		return
	}
	for _, k := range c.m.conns {
		e.divert(c.m, k.line, "connect ", k.left, " "+k.right, bits)
	}
	for i := range c.m.procs {
		for _, k := range c.m.procs[i].updates {
			e.divert(c.m, k.line, "update ", k.left, " "+k.right, bits)
		}
	}
	for i := range c.m.cells {
		for _, p := range c.m.cells[i].pins {
			if c.isOutput(&c.m.cells[i], p.name) {
				e.divert(c.m, p.line, `connect \`+p.name+" ", p.signal, "", bits)
			}
		}
	}
}

// divert writes a line anew whose signal has some of the bits: a new wire takes them.
func (e *mend) divert(m *ilModule, line int, before, signal, after string, bits map[ilBit]bool) {
	list := m.signal(signal)
	if !slices.ContainsFunc(list, func(b ilBit) bool { return bits[b] }) {
		return
	}
	if e.instead == nil {
		e.instead, e.behind = map[int]string{}, map[int][]string{}
	}
	e.wires++
	name := fmt.Sprintf("$etch$%d", e.wires)
	e.behind[m.line] = append(e.behind[m.line], fmt.Sprintf("wire width %d %s", len(list), name))

	parts := make([]string, 0, len(list))
	for i, b := range slices.Backward(list) {
		if bits[b] {
			parts = append(parts, fmt.Sprintf("%s [%d]", name, i))
		} else {
			parts = append(parts, m.text(b))
		}
	}
	e.instead[line] = before + "{ " + strings.Join(parts, " ") + " }" + after
}

// text is one bit as RTLIL has it.
func (m *ilModule) text(b ilBit) string {
	switch b {
	case ilZero:
		return "1'0"
	case ilOne:
		return "1'1"
	case ilNone:
		return "1'x"
	}
	w := m.wireOf(b)
	return fmt.Sprintf("%s [%d]", w.name, b-ilBit(w.base))
}

// apply makes the changes.
func (e *mend) apply(text string) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		if s, ok := e.instead[n]; ok {
			line = s + "\n"
		}
		b.WriteString(line)
		for _, s := range e.behind[n] {
			b.WriteString(s + "\n")
		}
	}
	return b.String()
}
