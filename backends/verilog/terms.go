package verilog

import (
	"strconv"
	"strings"

	"etch/ir"
	"etch/ir/bits"
)

// maxTerm is the number of digits up to which the name of a term lists its bits.
const maxTerm = 24

// term is a name for a comparison with a constant, after the value and the constant:
// state_is_idle, count_is_3, and for parts of a word their bits from the top,
// inst_is_0000000_000_0110011, as tables of instructions write them. So the terms of
// a decoder say which pattern they stand for. It is nil for any other value.
func (p *module) term(id ir.ID) []byte {
	if p.m.Op(id) != ir.Eq {
		return nil
	}
	args := p.m.Args(id)
	for i, a := range args {
		key, ok := p.konst(a)
		if !ok {
			continue
		}
		x := p.v(args[1-i])
		base, widths := p.fields(x)
		if base == ir.None || p.names[base] == 0 {
			return nil
		}
		stem := append(p.stemBuf[:0], p.table.get(p.names[base])...)
		stem = append(stem, "_is"...)
		p.stemBuf = p.appendKey(stem, x, key, widths)
		return p.stemBuf
	}
	return nil
}

// fields takes a concatenation of parts of one value apart: the value, and the widths
// of the parts from the top. It has no widths if x is the whole value.
func (p *module) fields(x ir.ID) (base ir.ID, widths []int) {
	if p.is(x, named) {
		return x, nil
	}
	parts := []ir.ID{x}
	if p.m.Op(x) == ir.Cat {
		parts = p.m.Args(x)
	}
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

// appendKey appends the constant that x is compared with, each part behind _.
func (p *module) appendKey(name []byte, x ir.ID, key bits.Value, widths []int) []byte {
	if en, j := p.enumOf(p.m.Node(x).Type, key); en != nil && widths == nil {
		return appendLegal(append(name, '_'), []byte(strings.ToLower(en.enum.Names[j])))
	}
	if widths == nil {
		return appendNumber(append(name, '_'), key)
	}
	hi := key.Width()
	for _, w := range widths {
		hi -= w
		field := key.Slice(hi, w)
		name = append(name, '_')
		if key.Width() > maxTerm {
			name = appendNumber(name, field)
			continue
		}
		for i := w - 1; i >= 0; i-- {
			name = append(name, '0'+byte(field.Bit(i)))
		}
	}
	return name
}

// pattern prints the constant that a concatenation of parts of one value is compared
// with, part by part in binary. It reports false, and prints nothing, for others.
func (p *module) pattern(x ir.ID, key bits.Value) bool {
	if p.isAtom(x) || p.m.Op(x) != ir.Cat || key.Width() > maxTerm {
		return false
	}
	base, widths := p.fields(x)
	if base == ir.None {
		return false
	}
	p.num(key.Width())
	p.str("'b")
	hi := key.Width()
	for i, w := range widths {
		if i > 0 {
			p.ch('_')
		}
		for range w {
			hi--
			p.ch('0' + byte(key.Bit(hi)))
		}
	}
	return true
}

// appendNumber appends a small number in decimal, a larger one as h and its digits in
// hexadecimal.
func appendNumber(name []byte, v bits.Value) []byte {
	if v.Len() <= 10 {
		return strconv.AppendUint(name, v.Uint64(), 10)
	}
	return v.AppendHex(append(name, 'h'))
}
