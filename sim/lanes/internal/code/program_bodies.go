package code

import "etch/sim/native/vector"

// specialised is a program with bodies. Cycles without a body run in the chain's general code.
type specialised struct {
	chain *vector.Chain
	machine
}

func newSpecialised(c *vector.Chain, l *Layout, t Target) (*specialised, error) {
	p := &specialised{c, machine{t: t, l: l, room: c.Scratch(), fill: c.Fill}}
	return p, p.load(c.Assemble, c.General)
}

// Run implements [Program].
func (p *specialised) Run(w *Worker, g *Group, cycles int, force bool) (left int) {
	v := g.raw()
	if p.code != nil {
		left, _ = p.call(w, v, cycles, force, false)
		return left
	}

	w.m.Words = p.t.Words
	left, missed := w.m.RunChain(p.chain, v.state, w.scratchOf(&p.machine), v.mems, cycles, force)
	w.Missed += uint64(missed)
	return left
}

// RunAll implements [Program].
func (p *specialised) RunAll(w *Worker, n int, group func(k int) *Group, cycles int) (done, left int) {
	if p.oneCall(cycles) {
		return p.callAll(w, n, group, cycles)
	}
	return runEach(p, w, n, group, cycles)
}

// RunToMiss implements [Specialised].
func (p *specialised) RunToMiss(w *Worker, g *Group, cycles int) (left int, missed bool) {
	return p.call(w, g.raw(), cycles, false, true)
}

// Cost is the Program's: that of the general code.
func (p *specialised) Cost() float64 { return cost(p.chain.General, p.l, p.t) }

// Bodies is the number of specialised bodies; the general code is none.
func (p *specialised) Bodies() int { return len(p.chain.Bodies) }
