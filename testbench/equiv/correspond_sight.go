package equiv

import (
	"slices"

	"etch/passes/aig"
)

// hint splits classes by a sign that may be misleading: only bits that have partners with the
// same sign on both sides leave their class.
func (c *correspondence) hint(sign []uint64) bool {
	type key struct {
		class int
		sign  uint64
	}
	sides := map[key]byte{}
	for i, b := range c.bits {
		// Bit 0 for side a, bit 1 for side b.
		sides[key{b.class, sign[i]}] |= b.side - 'a' + 1
	}

	// A sign that only one side has says nothing: the bit stays in its class.
	for i, b := range c.bits {
		if sides[key{b.class, sign[i]}] != 3 {
			sign[i] = 0
		}
	}
	return c.split(sign)
}

// sightEffort is the most nodes that influence evaluates.
const sightEffort = 1e9

// influence splits open classes by observability: the outputs and states that change when a bit
// is inverted. It reports whether a class was split.
func (c *correspondence) influence() bool {
	g := c.p.circuit.Graph
	var look []int

	// Only open classes need more evidence.
	for _, m := range c.members() {
		if open(m) {
			look = append(look, append(m[0], m[1]...)...)
		}
	}

	// One simulation for each bit would take too long.
	if float64(len(look))*float64(g.Len()) > sightEffort {
		return false
	}
	c.draw()
	base := slices.Clone(c.v)

	// One simulation per bit, against the undisturbed one.
	g.Simulate(base)
	sign := make([]uint64, len(c.bits))
	for _, i := range look {
		n := c.leaf(c.bits[i]).Node()
		copy(c.v, base)
		c.v[n] ^= ^uint64(0)
		g.Simulate(c.v)
		sign[i] = c.seen(base)
	}
	return c.hint(sign)
}

// seen returns a hash of the differences between c.v and base. It is a sum over names common to
// both sides, so two bits of equal effect have equal hashes.
func (c *correspondence) seen(base []uint64) uint64 {
	z := uint64(1)
	note := func(what int, l aig.Lit) {
		if d := c.v[l.Node()] ^ base[l.Node()]; d != 0 {
			z += mix(mix(uint64(what), d), 0x5eed)
		}
	}
	for i, out := range c.p.circuit.Outputs {
		what := i / 2 // the outputs of the pair come in twos
		if out.Box != "" {
			// A hash of the name, since the boxes of the sides may stand in different orders.
			name, _ := twin(out.Name)
			what = 1 << 20
			for _, r := range name {
				what = what*31 + int(r)
			}
		}
		for k, l := range out.Bits {
			note(what<<8+k, l)
		}
	}
	for i := range c.p.circuit.States {
		if n, ok := c.known[i]; ok {
			for k, l := range c.p.circuit.States[i].Next {
				note(1<<40+n<<16+k, l)
			}
		}
	}
	for _, b := range c.bits {
		note(1<<50+b.class, c.next(b))
	}
	return z
}
