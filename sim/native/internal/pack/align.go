package pack

import "etch/sim/net"

// align exchanges commuting operands element by element so that equal ones come together.
func (p *packer) align(a, b *elements, mask uint8) {
	var ka, kb [ElementCount]uint64
	for i := range ElementCount {
		if mask>>i&1 != 0 {
			ka[i], kb[i] = p.key(a[i], i, 0), p.key(b[i], i, 0)
		}
	}

	// The reference is the pair of keys that most elements have, in either order.
	best, ref := 0, 0
	for i := range ElementCount {
		if mask>>i&1 == 0 {
			continue
		}
		k := 0
		for j := range ElementCount {
			if mask>>j&1 != 0 && (ka[i] == ka[j] && kb[i] == kb[j] || ka[i] == kb[j] && kb[i] == ka[j]) {
				k++
			}
		}
		if k > best {
			best, ref = k, i
		}
	}

	ra, rb := ka[ref], kb[ref]
	if ra > rb {
		ra, rb = rb, ra
	}

	// Exchange where one operand matches the reference crosswise.
	for i := range ElementCount {
		if mask>>i&1 == 0 || ka[i] == ra && kb[i] == rb {
			continue
		}
		if kb[i] == ra || ka[i] == rb {
			a[i], b[i] = b[i], a[i]
		}
	}
}

// key is a hash of an operand's shape, with packed registers relative to the element, three levels
// deep.
func (p *packer) key(x net.ID, element, depth int) uint64 {
	nd := &p.n.N[x]
	h := uint64(nd.Op)<<8 + 1
	switch {
	case nd.Op == net.Const:
		h += nd.Imm << 8
	case nd.Op == net.Leaf:
		if at := p.home[nd.Imm]; at >= 0 {
			h += uint64(uint32(at-int32(element)-p.from)) << 16
		} else {
			h += nd.Imm<<16 + 1<<50
		}
	// A sum, so that both orders of the operands have one key.
	case depth < 3 && nd.Op.Packs() && nd.Op.Commutes():
		h = h*31 + p.key(nd.A, element, depth+1) + p.key(nd.B, element, depth+1)
	case depth < 3 && nd.Op.Packs():
		h = h*31 + p.key(nd.A, element, depth+1)
		if nd.B >= 0 {
			h = h*37 + p.key(nd.B, element, depth+1)
		}
		if nd.C >= 0 {
			h = h*41 + p.key(nd.C, element, depth+1)
		}
	}
	return h * 0x9E3779B97F4A7C15 >> 1
}
