package pack

import "etch/sim/net"

// align exchanges commuting operands lane by lane so that equal ones come together.
func (p *packer) align(a, b *lanes, mask uint8) {
	var ka, kb [LaneCount]uint64
	for i := range LaneCount {
		if mask>>i&1 != 0 {
			ka[i], kb[i] = p.key(a[i], i, 0), p.key(b[i], i, 0)
		}
	}

	// The reference is the pair of keys that most lanes have, in either order.
	best, ref := 0, 0
	for i := range LaneCount {
		if mask>>i&1 == 0 {
			continue
		}
		k := 0
		for j := range LaneCount {
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
	for i := range LaneCount {
		if mask>>i&1 == 0 || ka[i] == ra && kb[i] == rb {
			continue
		}
		if kb[i] == ra || ka[i] == rb {
			a[i], b[i] = b[i], a[i]
		}
	}
}

// key is a hash of an operand's shape, with packed registers relative to the lane, three levels
// deep.
func (p *packer) key(x net.ID, lane, depth int) uint64 {
	nd := &p.n.N[x]
	h := uint64(nd.Op)<<8 + 1
	switch {
	case nd.Op == net.Const:
		h += nd.Imm << 8
	case nd.Op == net.Leaf:
		if at := p.home[nd.Imm]; at >= 0 {
			h += uint64(uint32(at-int32(lane)-p.from)) << 16
		} else {
			h += nd.Imm<<16 + 1<<50
		}
	// A sum, so that both orders of the operands have one key.
	case depth < 3 && nd.Op.Packs() && nd.Op.Commutes():
		h = h*31 + p.key(nd.A, lane, depth+1) + p.key(nd.B, lane, depth+1)
	case depth < 3 && nd.Op.Packs():
		h = h*31 + p.key(nd.A, lane, depth+1)
		if nd.B >= 0 {
			h = h*37 + p.key(nd.B, lane, depth+1)
		}
		if nd.C >= 0 {
			h = h*41 + p.key(nd.C, lane, depth+1)
		}
	}
	return h * 0x9E3779B97F4A7C15 >> 1
}
