package sac

// targets are the critics that the others are compared with.
type targets struct {
	c    *Config
	n    *numbers
	psi  []float32 // for inference
	b, k []float32 // Kahan-momentum: scaled, and the errors of the sums
}

func newTargets(c *Config, n *numbers, p []float32) *targets {
	t := &targets{c: c, n: n, psi: append([]float32(nil), p...), b: make([]float32, len(p)), k: make([]float32, len(p))}
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
		for i, v := range p {
			t.psi[i] = n.r(n.r(tau*v) + n.r(rest*t.psi[i]))
		}
		if t.c.Coerce {
			coerce(n, t.psi)
		}
		return
	}
	for i, v := range p {
		// Scaled, so that the distance's product with τ stays a normal number, and with the error
		// of the sum kept.
		b, k := t.b[i], t.k[i]
		y := n.r(n.r(tau*n.r(n.r(scale*v)-b)) - k)
		s := n.r(b + y)
		t.k[i] = n.r(n.r(s-b) - y)
		t.b[i] = s
		t.psi[i] = n.r(s / scale)
		rec.target(n, v, b, k, s, t.k[i], t.psi[i])
	}
}
