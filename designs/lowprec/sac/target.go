package sac

import "slices"

// targets are the critics that the others are compared with.
type targets struct {
	c      *Config
	n      *numbers
	psi    []float32 // for inference
	b, k   []float32 // Kahan-momentum: scaled, and the errors of the sums
	y, sum []float32 // scratch of an update
}

func newTargets(c *Config, n *numbers, p []float32) *targets {
	t := &targets{c: c, n: n, psi: append([]float32(nil), p...), b: make([]float32, len(p)), k: make([]float32, len(p))}
	t.y, t.sum = make([]float32, len(p)), make([]float32, len(p))
	scale := n.wide(c.Target)
	for i, v := range p {
		t.b[i] = n.r(scale * v)
	}
	return t
}

// update moves the targets towards the weights.
func (t *targets) update(p []float32, rec *Recorder) {
	n := t.n
	tau, rest, scale := n.wide(t.c.Tau), n.wide(1-t.c.Tau), n.wide(t.c.Target)

	// Plain: two products and a sum, which sticks where τ of the distance is under half of the last
	// place.
	if !t.c.KahanMomentum {
		n.times(t.y, tau, p)
		n.times(t.psi, rest, t.psi)
		n.sum(t.psi, t.y, t.psi)
		if t.c.Coerce {
			coerce(n, t.psi)
		}
		return
	}

	// The sums before, for the records.
	var b, k []float32
	if rec.isOn() {
		b, k = slices.Clone(t.b), slices.Clone(t.k)
	}

	// Scaled, so that the distance's product with τ stays a normal number, and with the error
	// of the sum kept.
	y, sum := t.y, t.sum
	n.times(y, scale, p)
	n.difference(y, y, t.b)
	n.times(y, tau, y)
	n.difference(y, y, t.k)
	n.sum(sum, t.b, y)
	n.difference(t.k, sum, t.b)
	n.difference(t.k, t.k, y)
	copy(t.b, sum)
	n.over(t.psi, sum, scale)

	if rec.isOn() {
		for i, v := range p {
			rec.target(n, v, b[i], k[i], t.b[i], t.k[i], t.psi[i])
		}
	}
}
