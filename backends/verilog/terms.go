package verilog

import (
	"strconv"
	"strings"

	"etch/backends/verilog/internal/names"
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// maxTerm is the largest number of bits that the name of a term lists one by one.
const maxTerm = 24

// term is a name for a comparison with a constant, made of the value and the constant:
// state_is_idle, count_is_3. For parts of a word it lists their bits from the top,
// inst_is_0000000_000_0110011, as instruction tables do, so that the terms of a decoder
// show the pattern that they match. It is nil for any other value.
func (p *labeler) term(id ir.ID) []byte {
	if p.m.Op(id) != ir.Eq {
		return nil
	}
	x, key, ok := p.besideConst(p.m.Args(id))
	if !ok {
		return nil
	}

	// The value must have a name, or be made of parts of one that has.
	x = p.v(x)
	base, widths := p.fields(x)
	if base == ir.None || p.names[base] == 0 {
		return nil
	}
	stem := append(p.buf[:0], p.table.Get(p.names[base])...)
	p.buf = p.appendKey(append(stem, "_is"...), x, key, widths)
	return p.buf
}

// fields splits a concatenation of parts of one value into that value and the widths of the
// parts, from the top. If x is the whole value, there are no widths.
func (p *view) fields(x ir.ID) (base ir.ID, widths []int) {
	if p.is(x, named) {
		return x, nil
	}
	parts := []ir.ID{x}
	if p.m.Op(x) == ir.Cat {
		parts = p.m.Args(x)
	}
	// Every part must be a slice of the same base.
	for _, part := range parts {
		if !p.isSlice(part) {
			return ir.None, nil
		}
		of, _ := p.part(p.v(part))
		if of == ir.None || base != ir.None && of != base {
			return ir.None, nil
		}
		base, widths = of, append(widths, p.m.Width(part))
	}
	return base, widths
}

// appendKey appends the constant that x is compared with, each part after an underscore.
func (p *labeler) appendKey(name []byte, x ir.ID, key bits.Value, widths []int) []byte {
	if en, j := p.enumOf(p.m.Node(x).Type, key); en != nil && widths == nil {
		return names.AppendLegal(append(name, '_'), strings.ToLower(en.enum.Names[j]))
	}
	if widths == nil {
		return appendNumber(append(name, '_'), key)
	}

	// Bits one by one for short patterns, numbers for long ones.
	hi := key.Width()
	for _, w := range widths {
		hi -= w
		field := key.Slice(hi, w)
		name = append(name, '_')
		if key.Width() > maxTerm {
			name = appendNumber(name, field)
			continue
		}
		name = appendBits(name, field)
	}
	return name
}

// pattern is the constant y with which x, a concatenation of parts of one value, is
// compared: part by part in binary. It is nil for other values.
func (p *exprs) pattern(x, y ir.ID) *syntax.Expr {
	key, ok := p.konst(y)
	if !ok || p.is(x, named) || p.m.Op(x) != ir.Cat || key.Width() > maxTerm {
		return nil
	}
	base, widths := p.fields(x)
	if base == ir.None {
		return nil
	}

	// Each field after an underscore, as in an instruction table.
	text := append(strconv.AppendInt(nil, int64(key.Width()), 10), "'b"...)
	hi := key.Width()
	for i, w := range widths {
		if i > 0 {
			text = append(text, '_')
		}
		hi -= w
		text = appendBits(text, key.Slice(hi, w))
	}
	return p.trees.Text(string(text))
}

// appendBits appends a number in binary, all digits.
func appendBits(name []byte, v bits.Value) []byte {
	for i := v.Width() - 1; i >= 0; i-- {
		name = append(name, '0'+byte(v.Bit(i)))
	}
	return name
}

// appendNumber appends a number below 1024 in decimal, a larger one as h and hexadecimal
// digits.
func appendNumber(name []byte, v bits.Value) []byte {
	if v.Len() <= 10 {
		return strconv.AppendUint(name, v.Uint64(), 10)
	}
	return v.AppendHex(append(name, 'h'))
}
