package pack

import "etch/sim/net"

// mulPairs turns a product into a 16-bit signed one if both factors fit: then one instruction
// multiplies.
func (p *packer) mulPairs(v *Vnode) {
	if !p.signed16(v.A, v.Ow) || !p.signed16(v.B, v.Ow) {
		return
	}

	v.Op, v.factors = OpMulPairs, [2]int32{v.A, v.B}
	v.A, v.B = p.half(v.A), p.half(v.B)
}

// signed16 reports whether vector x, as a factor of a product of w bits, is a signed number of
// 16 bits. Numbers of up to 15 bits are, too.
func (p *packer) signed16(x int32, w uint8) bool {
	v := &p.Nodes[x]
	if v.W <= 15 {
		return true
	}
	return v.K == VOp && v.Op == net.SExt && v.Imm <= 16 && v.Ow >= w && !p.isPatched(x)
}

// isPatched reports whether the current block patches vector x.
func (p *packer) isPatched(x int32) bool {
	for i := range p.patches[p.first:] {
		if p.patches[p.first+i].V == x {
			return true
		}
	}
	return false
}

// half is vector x, a signed number of 16 bits, in the low half of each element.
func (p *packer) half(x int32) int32 {
	v := p.Nodes[x]

	switch {
	// At most 15 bits: not negative, and in the low half already.
	case v.W <= 15:
		return x
	// A sign extension from 16 bits only fills the high half.
	case v.Imm == 16:
		return v.A
	}

	// No elements equal these, so build never finds the new vector for another purpose.
	var none elements
	for i := range none {
		none[i] = -2 - net.ID(x)
	}
	p.Nodes = append(p.Nodes, Vnode{K: VOp, Op: OpSigned16, W: 16, Ow: 16, Imm: v.Imm, A: v.A, B: -1, C: -1, node: net.None})
	p.of = append(p.of, none)
	return int32(len(p.Nodes) - 1)
}
