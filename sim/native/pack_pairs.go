package native

import "etch/sim/net"

// mulPairs turns a product into a 16-bit signed one if both factors fit: then one instruction
// multiplies.
func (p *packer) mulPairs(v *vnode) {
	a, ok := p.signed16(v.a, v.ow)
	if !ok {
		return
	}

	b, ok := p.signed16(v.b, v.ow)
	if !ok {
		return
	}

	v.op, v.factors = opMulPairs, [2]int32{a, b}
	v.a, v.b = p.half(a), p.half(b)
}

// signed16 reports whether vector x, as a factor of a product of w bits, is a signed number of
// 16 bits. Numbers of up to 15 bits are, too.
func (p *packer) signed16(x int32, w uint8) (int32, bool) {
	v := &p.nodes[x]
	if v.w <= 15 {
		return x, true
	}
	return x, v.k == vOp && v.op == net.SExt && v.imm <= 16 && v.ow >= w && !p.isPatched(x)
}

// isPatched reports whether the current block patches vector x.
func (p *packer) isPatched(x int32) bool {
	for i := range p.patches[p.first:] {
		if p.patches[p.first+i].v == x {
			return true
		}
	}
	return false
}

// half is vector x, a signed number of 16 bits, in the low half of each lane.
func (p *packer) half(x int32) int32 {
	v := p.nodes[x]

	switch {
	case v.w <= 15:
		return x
	case v.imm == 16:
		return v.a
	}

	// No lanes equal these, so build never finds the new vector for another purpose.
	var none lanes
	for i := range none {
		none[i] = -2 - net.ID(x)
	}
	p.nodes = append(p.nodes, vnode{k: vOp, op: opSigned16, w: 16, ow: 16, imm: v.imm, a: v.a, b: -1, c: -1, node: net.None})
	p.of = append(p.of, none)
	return int32(len(p.nodes) - 1)
}
