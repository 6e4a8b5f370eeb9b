package verilog

import (
	"strings"

	"etch/backends/verilog/internal/names"
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// enumNames are the localparams of an enumeration.
type enumNames struct {
	enum  *ir.Enum
	width int
	names []names.ID // 0: the code does not fit, so no constant has it
	used  []bool
}

// bindEnums claims names like PHASE_IDLE for the enumerations of m's values.
func (p *naming) bindEnums() {
	types := p.m.Types()

	// Without enumerations, the list ends with the plain kinds.
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
		en := enumNames{enum: e, width: w, names: make([]names.ID, len(e.Codes)), used: make([]bool, len(e.Codes))}
		prefix := e.Name[strings.LastIndexByte(e.Name, '.')+1:]
		for i, name := range e.Names {
			if i < len(e.Codes) && (w >= 64 || e.Codes[i]>>w == 0) {
				en.names[i] = p.table.Claim(upper(prefix) + "_" + upper(name))
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
func (p *naming) enumName(t ir.TypeID, v bits.Value) names.ID {
	en, j := p.enumOf(t, v)
	if en == nil {
		return 0
	}
	en.used[j] = true
	return en.names[j]
}

// enumOf finds the member of an enumeration that is constant v of type t; nil if there is
// none.
func (p *naming) enumOf(t ir.TypeID, v bits.Value) (*enumNames, int) {
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
func (p *declarations) localparams() {
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
				p.Str("  localparam " + syntax.Range(en.width) + p.text(name) + " = ")
				p.Literal(v)
				p.Ch(';')
				p.NL()
				any = true
			default:
				rest = append(rest, v.Dec()+" is "+p.text(name))
			}
		}

		// An enumeration without a use has no text.
		if any {
			if len(rest) > 0 {
				p.Line(2, "// not used here: "+strings.Join(rest, ", "))
			}
			p.Blank()
		}
	}
}

// spliceLocalparams inserts the localparams before the text from at on. That text was held
// back, since it decides which localparams are used.
func (p *module) spliceLocalparams(at int) {
	// The held text comes out, and the localparams go in before it.
	body := p.Cut(at)
	p.NoBlank()
	if len(p.helpers.lut) > 0 {
		p.Blank()
	}
	p.localparams()

	if p.NoBlank(); len(p.Buf) > at && body[0] != '\n' {
		p.NL()
	}
	p.Paste(body)
	p.Hold = false // from here on the text may be flushed again
}

// nameOfValue is the name of an enumeration's value as an expression: a chain of
// conditionals over its codes, "?" at the end. Simulators pad shorter texts with zero
// bytes, which %0s leaves out.
func (p *exprs) nameOfValue(id ir.ID) *syntax.Expr {
	t := p.m.Node(id).Type
	typ, w := p.m.TypeOf(t), p.m.Width(id)
	if v, ok := p.konst(id); ok || typ.Kind != ir.EnumKind {
		return p.trees.Text(quoted(typ.TextOf(v)))
	}

	// From the last code up, so that the first one is tested first.
	e := p.trees.Text(quoted("?"))
	for i := len(typ.Enum.Codes) - 1; i >= 0; i-- {
		code := typ.Enum.Codes[i]
		if w < 64 && code>>w != 0 {
			continue // no value has it
		}
		is := p.trees.Tight(syntax.Eq, p.operand(id, wantNet, context{}), p.code(bits.New(w, code), t))
		e = p.trees.Choose(is, p.trees.Text(quoted(typ.Enum.Names[i])), e, syntax.BreakLong)
	}
	return e
}

// quoted is a string literal.
func quoted(s string) string { return "\"" + escape(s, true) + "\"" }
