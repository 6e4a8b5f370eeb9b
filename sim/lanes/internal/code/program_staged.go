package code

import (
	"unsafe"

	"etch/sim/native/exec"
	"etch/sim/native/vector"
)

// staged is a program in Mixed form: stages that alternate in every cycle.
type staged struct {
	l      *Layout
	t      Target
	stages []stage
	extra  [2]int // vectors behind the state for values between stages, by form
	stop   int    // the stage with the stop condition
}

// stage is the program of a stage.
type stage struct {
	*plain
	form Form
}

// Run implements [Program].
func (p *staged) Run(w *Worker, g *Group, cycles int, force bool) (left int) {
	s := g.State.(*mixedState)
	s.room(p.extra)

	// Stages alternate in every cycle, so cycles run singly. Only the sliced form has a stop.
	for ; cycles > 0; cycles-- {
		for _, x := range p.stages {
			if x.form == Words {
				x.runSubgroups(w, s)
			} else if x.run(w, &s.sliced.store, 1, force) > 0 {
				return cycles
			}
		}
	}
	return 0
}

// runSubgroups runs a word-form stage for all subgroups.
func (p *plain) runSubgroups(w *Worker, s *mixedState) {
	scratch := w.scratchOf(&p.machine)
	if p.code == nil {
		w.m.Words = p.t.Words
		w.m.RunSubgroups(p.Program, s.states, scratch, s.mems, s.sliced.state)
		return
	}

	// One call runs all subgroups: the code steps from one to the next.
	f := &w.frame
	*f = frame{state: address(s.states), scratch: address(scratch), mems: address(s.mems), slices: address(s.sliced.state)}
	f.stateStep, f.memsStep = uintptr(len(s.subgroups[0].state)*8), uintptr(len(s.subgroups[0].mems)*8)
	exec.Call(p.code.Addr(), unsafe.Pointer(f), vector.Subgroups, 0)
	keep(s, scratch, p)
}

// RunAll implements [Program].
func (p *staged) RunAll(w *Worker, n int, group func(k int) *Group, cycles int) (done, left int) {
	return runEach(p, w, n, group, cycles)
}

// Stopped implements [Program].
func (p *staged) Stopped(w *Worker) []uint64 { return p.stages[p.stop].Stopped(w) }

// Cost is the Program's: that of all stages and of their calls.
func (p *staged) Cost() float64 {
	sum := 0.0
	for _, s := range p.stages {
		sum += s.Cost() + p.l.pol.Call/float64(p.l.Lanes(p.t))
	}
	return sum
}

// CodeBytes implements [Program].
func (p *staged) CodeBytes() (size int) {
	for _, s := range p.stages {
		size += s.CodeBytes()
	}
	return size
}

// Stages returns the number of stages of a cycle.
func (p *staged) Stages() int { return len(p.stages) }

// Close implements [Program].
func (p *staged) Close() (first error) {
	for _, s := range p.stages {
		if err := s.Close(); first == nil {
			first = err
		}
	}
	return first
}

func (p *staged) machines() (all []*machine) {
	for _, s := range p.stages {
		all = append(all, &s.machine)
	}
	return all
}
