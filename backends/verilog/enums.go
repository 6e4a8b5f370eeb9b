package verilog

import (
	"strings"

	"etch/ir"
	"etch/ir/bits"
)

// enumNames are the localparams of an enumeration.
type enumNames struct {
	enum  *ir.Enum
	width int
	names []nameID // 0: the code does not fit, so no constant has it
	used  []bool
}

// bindEnums claims names like PHASE_IDLE for the enumerations of m's values.
func (p *module) bindEnums() {
	types := p.m.Types()
	if len(types) == int(ir.EnumKind) {
		return
	}

	// The width of an enumeration is that of its widest value.
	width := make([]int, len(types))
	for _, id := range p.order {
		if n := p.m.Node(id); types[n.Type].Kind == ir.EnumKind {
			width[n.Type] = max(width[n.Type], int(n.Width))
		}
	}

	for t, w := range width {
		if w == 0 {
			continue
		}
		// A code that does not fit the width has no value, and gets no name.
		e := types[t].Enum
		en := enumNames{enum: e, width: w, names: make([]nameID, len(e.Codes)), used: make([]bool, len(e.Codes))}
		prefix := e.Name[strings.LastIndexByte(e.Name, '.')+1:]
		for i, name := range e.Names {
			if i < len(e.Codes) && (w >= 64 || e.Codes[i]>>w == 0) {
				en.names[i] = p.table.claim([]byte(upper(prefix) + "_" + upper(name)))
			}
		}
		p.enums = append(p.enums, en)
	}
}

// upper turns a Go name into one for a constant: aluOp is ALU_OP.
func upper(s string) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		if i > 0 && s[i] >= 'A' && s[i] <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z' {
			b = append(b, '_')
		}
		b = append(b, s[i])
	}
	return strings.ToUpper(string(b))
}

// enumName is the localparam for a constant of a type, 0 if there is none. It marks the
// localparam as used, so that it is declared.
func (p *module) enumName(t ir.TypeID, v bits.Value) nameID {
	en, j := p.enumOf(t, v)
	if en == nil {
		return 0
	}
	en.used[j] = true
	return en.names[j]
}

// enumOf finds the member of an enumeration that is constant v of type t; nil if there is
// none.
func (p *module) enumOf(t ir.TypeID, v bits.Value) (*enumNames, int) {
	if int(t) < int(ir.EnumKind) {
		return nil, 0
	}
	e := p.m.TypeOf(t).Enum
	for i := range p.enums {
		en := &p.enums[i]
		if en.enum != e || en.width != v.Width() || !v.IsUint64() {
			continue
		}
		for j, c := range e.Codes {
			if c == v.Uint64() && en.names[j] != 0 {
				return en, j
			}
		}
	}
	return nil, 0
}

// localparams prints the constants that the text uses and lists the others in a comment.
func (p *module) localparams() {
	for i := range p.enums {
		en := &p.enums[i]
		var rest []string
		// Codes in their order; unused ones are collected for the comment.
		any := false
		for j, name := range en.names {
			v := bits.New(en.width, en.enum.Codes[j])
			switch {
			case name == 0:
			case en.used[j]:
				p.indent(2)
				p.str("localparam ")
				p.vector(en.width)
				p.raw(p.table.get(name))
				p.str(" = ")
				p.literal(v)
				p.str(";")
				p.nl()
				any = true
			default:
				rest = append(rest, v.Dec()+" is "+string(p.table.get(name)))
			}
		}

		if any && len(rest) > 0 {
			p.line(2, "// not used here: "+strings.Join(rest, ", "))
		}
		if any {
			p.blank()
		}
	}
}

// spliceLocalparams inserts the localparams before the text from at on. That text was held
// back, since it decides which localparams are used.
func (p *module) spliceLocalparams(at int) {
	body := append([]byte(nil), p.buf[at:]...)
	p.buf, p.start = p.buf[:at], at
	p.gap = len(p.helpers.lut) > 0
	p.localparams()

	if p.gap = false; len(p.buf) > at && body[0] != '\n' {
		p.nl()
	}
	p.buf = append(p.buf, body...)
	p.hold = false
	// From here on the text may be flushed again.
	p.start = len(p.buf)
}

// nameOfValue prints the name of an enumeration's value as an expression: a chain of
// conditionals over its codes, "?" at the end. Simulators pad shorter texts with zero
// bytes, which %0s leaves out.
func (p *module) nameOfValue(id ir.ID) {
	t := p.m.Node(id).Type
	typ, w := p.m.TypeOf(t), p.m.Width(id)
	if v, ok := p.konst(id); ok || typ.Kind != ir.EnumKind {
		p.str(quoted(typ.TextOf(v)))
		return
	}

	for i, code := range typ.Enum.Codes {
		if w < 64 && code>>w != 0 {
			continue // no value has it
		}
		p.str(string(p.table.get(p.names[id])) + " == ")
		p.constLit(bits.New(w, code), t)
		p.str(" ? " + quoted(typ.Enum.Names[i]) + " :")
		p.wrap(10)
	}
	p.str(quoted("?"))
}

// quoted is a string literal.
func quoted(s string) string { return "\"" + escape(s, true) + "\"" }
