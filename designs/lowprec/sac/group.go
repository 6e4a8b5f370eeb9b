package sac

import (
	"math"

	"etch/designs/lowprec"
)

// group is weights that share a scale: critics, actor or temperature.
type group struct {
	kind    Kind
	c       *Config
	n       *numbers
	nm, nw  *numbers  // of the moments
	p, g    []float32 // weights and gradient
	m, w, k []float32 // moments, and errors of the weights' sums
	master  []float32 // the weights in float32, of mixed precision
	kahan   bool
	scaler  *lowprec.Scaler
	steps   int // taken
	skipped int
}

// noFloor is a floor that no run reaches.
const noFloor = 1 << 20

func newGroup(c *Config, n *numbers, kind Kind, p []float32, kahan bool) *group {
	o := &group{kind: kind, c: c, n: n, p: p, kahan: kahan && c.KahanGradient}
	o.nm, o.nw = n.own(c.M), n.own(c.W)
	o.g, o.m, o.w, o.k = make([]float32, len(p)), make([]float32, len(p)), make([]float32, len(p)), make([]float32, len(p))
	if c.Mixed {
		o.master = append([]float32(nil), p...)
	}

	// The floor is compound scaling's: plain loss scaling goes down without end, as the paper's
	// baseline does.
	s := lowprec.LossScaler{Start: c.Scale, Growth: c.Growth, Floor: 10}
	if !c.Compound {
		s.Floor = noFloor
	}
	o.scaler = lowprec.NewScaler(s)
	return o
}

// scale is the loss's.
func (o *group) scale() float64 {
	if !o.c.scaled() {
		return 1
	}
	return o.scaler.Now()
}

// rescale multiplies the moments with their scale.
func (o *group) rescale(by float32) {
	if !o.c.Compound {
		return
	}
	second := by

	// The second moment of Adam goes with the scale's square, its root with the scale.
	if !o.c.HAdam {
		second *= by
	}

	for i := range o.m {
		o.m[i], o.w[i] = o.nm.r(o.m[i]*by), o.nw.r(o.w[i]*second)
	}
}

// step moves the weights by the gradient, or skips it.
func (o *group) step(rec *Recorder) {
	if o.c.Coerce {
		coerce(o.n, o.g)
	}

	// A gradient with an infinity is not used: the scale falls, and the moments with it.
	if o.c.scaled() {
		switch o.scaler.Gradient(finite(o.g)) {
		case lowprec.Halve:
			o.skipped++
			o.rescale(.5)
			return
		case lowprec.Keep:
			o.skipped++
			return
		}
	}

	// Recording is around the step alone: the optimiser's circuit has no other operations.
	o.steps++
	if o.c.Mixed {
		o.stepMixed()
	} else {
		rec.before(o)
		o.stepRounded()
		rec.after(o)
	}
	if o.c.Coerce {
		coerce(o.n, o.p)
		coerce(o.nm, o.m)
		coerce(o.nw, o.w)
	}

	// After enough steps the scale doubles, if the moments may.
	if o.c.scaled() && o.scaler.Stepped(!o.c.Compound || o.fits()) == lowprec.Double {
		o.rescale(2)
	}
}

// fits reports whether the moments may be doubled.
func (o *group) fits() bool {
	for i := range o.m {
		if !(math.Abs(float64(o.m[i])) <= lowprec.Fits) || !(math.Abs(float64(o.w[i])) <= lowprec.Fits) {
			return false
		}
	}
	return true
}

// constants returns 1−β1^t, √(1−β2^t), ε and α for step t.
func (o *group) constants() (first, second, epsilon, rate float32) {
	t := float64(o.steps)
	first = o.n.wide(1 - math.Pow(.9, t))
	second = o.n.wide(math.Sqrt(1 - math.Pow(.999, t)))

	// 1e-8 is 0 in fp16. The floor of 1e-7 keeps 0/0 from the first weight
	// without gradient.
	e := o.c.Epsilon
	switch {
	case o.n.plain:
	case o.c.Compound:
		e = max(o.scale()*e, 1e-7)
	case o.c.HAdam:
		e = 1e-7
	}
	return first, second, o.n.wide(e), o.n.wide(o.c.Rate)
}

// block is the number of weights that a step takes at a time: their lists stay in the
// processor's first cache.
const block = 512

// stepRounded is a step of which every operation is rounded.
func (o *group) stepRounded() {
	// Constants are rounded from float64, as the circuit's are.
	nm, nw := o.nm, o.nw
	f := factors{m: nm.wide(.9), mNew: nm.wide(1 - .9), w: nw.wide(.999), wNew: nw.wide(1 - .999)}
	f.first, f.second, f.epsilon, f.rate = o.constants()
	if o.c.HAdam {
		f.w, f.wNew = nw.wide(math.Sqrt(.999)), nw.wide(math.Sqrt(1-.999))
	}

	for from := 0; from < len(o.p); from += block {
		o.stepBlock(f, from, min(from+block, len(o.p)))
	}
}

// factors are the constants of a step.
type factors struct {
	m, mNew, w, wNew             float32 // decays of the moments, and the weights of the new gradient
	first, second, epsilon, rate float32
}

// stepBlock is a step of some weights, operation by operation.
func (o *group) stepBlock(f factors, from, to int) {
	n, nm, nw := o.n, o.nm, o.nw
	g, m, w, p := o.g[from:to], o.m[from:to], o.w[from:to], o.p[from:to]
	var scratch [5][block]float32
	a, b := scratch[0][:len(g)], scratch[1][:len(g)]

	// Plain loss scaling takes the scale off the gradient; compound scaling leaves it in the moments.
	if o.c.LossScaling {
		unscaled := scratch[2][:len(g)]
		n.over(unscaled, g, float32(o.scale()))
		g = unscaled
	}

	// The moments, each in its format; of hAdam the second is a root from the start, so that no
	// square of a gradient has to fit the format. After them a is the root of the second.
	nm.times(a, f.m, m)
	nm.times(b, f.mNew, nm.from(n, scratch[3][:], g))
	nm.sum(m, a, b)
	nw.times(a, f.w, w)
	gw := nw.from(n, scratch[3][:], g)
	if o.c.HAdam {
		nw.times(b, f.wNew, gw) // with its sign, which hypot drops
		nw.hypots(w, a, b)
		copy(a, w)
	} else {
		nw.product(b, gw, gw)
		nw.times(b, f.wNew, b)
		nw.sum(w, a, b)
		nw.root(a, w)
	}

	// Both come out of their formats by a rounding.
	m, a = n.from(nm, scratch[3][:], m), n.from(nw, scratch[4][:], a)

	// The step, b. α is multiplied last: α·m first would be subnormal.
	n.over(a, a, f.second)
	n.more(a, a, f.epsilon)
	n.over(b, m, f.first)
	n.quotient(b, b, a)
	n.times(b, -f.rate, b)
	if !o.kahan {
		n.sum(p, p, b)
		return
	}

	// Kahan's sum: k is the rounding error of the last sum.
	k := o.k[from:to]
	n.difference(b, b, k)
	n.sum(a, p, b)
	n.difference(k, a, p)
	n.difference(k, k, b)
	copy(p, a)
}

// stepMixed is Adam in float32 on the copy of the weights.
func (o *group) stepMixed() {
	t := float64(o.steps)
	first, second := float32(1-math.Pow(.9, t)), float32(1-math.Pow(.999, t))
	scale, rate, e := float32(o.scale()), float32(o.c.Rate), float32(o.c.Epsilon)
	for i, g := range o.g {
		// Adam as in float32; the weights of the passes are its rounded copy.
		g /= scale
		o.m[i] = float32(.9*o.m[i]) + float32(float32(1-.9)*g)
		o.w[i] = float32(.999*o.w[i]) + float32(float32(1-.999)*float32(g*g))
		root := float32(math.Sqrt(float64(o.w[i] / second)))
		o.master[i] -= float32(rate * (o.m[i] / first) / (root + e))
		o.p[i] = o.n.r(o.master[i])
	}
}

// coerce makes every number finite.
func coerce(n *numbers, list []float32) {
	greatest := float32(n.format.Float64(n.format.Greatest(false)))
	for i, x := range list {
		switch {
		// NaN alone is not itself.
		case x != x:
			list[i] = 0
		case x > greatest:
			list[i] = greatest
		case x < -greatest:
			list[i] = -greatest
		}
	}
}
