package lanes

import (
	"unsafe"

	"etch/sim/lanes/vector"
	"etch/sim/native/exec"
)

// groupParts is the state of a group in Mixed form: one sliced group, and the parts that hold
// the same instances in word form.
type groupParts struct {
	sliced *Group
	part   []*Group
	states []uint64 // of all parts, consecutive
	mems   []uint64
}

// newMixedGroup is NewGroup for Mixed form.
func newMixedGroup(l *Layout, t Target) *Group {
	g := &Group{l: l, lanes: l.Lanes(t), words: t.Words, parts: &groupParts{sliced: NewGroup(l.mixed.part[Sliced], t)}}
	one := NewGroup(l.mixed.part[Words], t)
	size := (len(one.mems) + 7) &^ 7 // parts begin at cache lines
	g.parts.mems = aligned(vector.Parts * size)
	// All parts lie at equal distances, so that one call can run them all.
	for k := range vector.Parts {
		p := &Group{l: one.l, lanes: one.lanes, words: t.Words, mems: g.parts.mems[k*size:][:size:size]}
		copy(p.mems, one.mems)
		g.parts.part = append(g.parts.part, p)
	}
	g.parts.resize(len(one.state))
	return g
}

// resize gives each part so many words of state.
func (p *groupParts) resize(words int) {
	p.states = aligned(vector.Parts * words)
	for k, g := range p.part {
		old := g.state
		g.state = p.states[k*words:][:words:words]
		copy(g.state, old)
	}
}

// room makes room for the values that a program keeps behind the state.
func (g *Group) room(p *Program) {
	sliced := (g.l.mixed.part[Sliced].Slots + p.extra[Sliced]) * g.words

	// Parts grow together, since they stay at equal distances.
	if s := g.parts.sliced; len(s.state) < sliced {
		old := s.state
		s.state = aligned(sliced)
		copy(s.state, old)
	}
	if words := (g.l.mixed.part[Words].Slots + p.extra[Words]) * g.words; len(g.parts.part[0].state) < words {
		g.parts.resize(words)
	}
}

// home is the group that holds an instance's values of form f, and the instance's number there.
func (g *Group) home(f Form, lane int) (*Group, int) {
	if f == Sliced {
		return g.parts.sliced, lane
	}
	k := g.parts.part[0].lanes
	return g.parts.part[lane/k], lane % k
}

// homes calls h for all groups that hold values of form f, with the number of the first instance
// in each.
func (g *Group) homes(f Form, h func(home *Group, first int)) {
	if f == Sliced {
		h(g.parts.sliced, 0)
		return
	}
	for k, p := range g.parts.part {
		h(p, k*p.lanes)
	}
}

// runStages is Run for Mixed form.
func (p *Program) runStages(w *Worker, g *Group, cycles int, force bool) (left int) {
	g.room(p)
	// Stages alternate in every cycle, so cycles run singly. Only the sliced form has a stop.
	for ; cycles > 0; cycles-- {
		for _, s := range p.stages {
			if s.form == Words {
				s.runParts(w, g.parts)
			} else if s.Run(w, g.parts.sliced, 1, force) > 0 {
				return cycles
			}
		}
	}
	return 0
}

// runParts runs a word-form stage for all parts.
func (p *Program) runParts(w *Worker, g *groupParts) {
	scratch := w.scratchOf(p)
	if p.code == nil {
		w.m.Words = p.t.Words
		w.m.RunParts(p.Program, g.states, scratch, g.mems, g.sliced.state)
		return
	}

	// One call runs all parts: the code steps from one to the next.
	f := &w.frame
	*f = frame{state: address(g.states), scratch: address(scratch), mems: address(g.mems), slices: address(g.sliced.state)}
	f.stateStep, f.memsStep = uintptr(len(g.part[0].state)*8), uintptr(len(g.part[0].mems)*8)
	exec.Call(p.code.Addr(), unsafe.Pointer(f), vector.Parts, 0)
	keep(g, scratch, p)
}
