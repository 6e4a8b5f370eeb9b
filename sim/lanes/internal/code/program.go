package code

import (
	"etch/sim/lanes/internal/gates"
	"etch/sim/native/vector"
	"etch/sim/net"
)

// Program is one event, compiled for groups of one layout. [Compile] makes one of plain code, or
// of stages in Mixed form; [Bodies] makes one that is [Specialised].
type Program interface {
	// Run runs up to cycles cycles, and returns how many a stop has left. With force it runs one
	// cycle, whatever the stop condition.
	Run(w *Worker, g *Group, cycles int, force bool) (left int)
	// RunAll is Run for groups 0 to n-1 in turn, with little overhead per group. It ends at the
	// first group in which a stop leaves cycles: done is that group, left its cycles.
	RunAll(w *Worker, n int, group func(k int) *Group, cycles int) (done, left int)
	// Stopped is the instances whose stop condition ended the last Run: bit l%64 of word l/64 is
	// instance l.
	Stopped(w *Worker) []uint64

	// Cost estimates the instructions per cycle of one instance. If code for several cycles at once
	// exists, that code counts.
	Cost() float64
	// CodeBytes is the size of the machine code, 0 without any.
	CodeBytes() int
	// Close frees the machine code.
	Close() error

	// machines is the machine code of the program, in pieces.
	machines() []*machine
}

// Specialised is a program with bodies.
type Specialised interface {
	Program
	// RunToMiss is Run, which also ends before a cycle without body; missed reports that. The
	// target must be native.
	RunToMiss(w *Worker, g *Group, cycles int) (left int, missed bool)
	// Bodies returns the number of bodies.
	Bodies() int
}

// Compile makes the program of a net for groups of layout l. Errors: ErrTooLarge; an operation
// without code in this form; the system refuses executable memory.
func Compile(n *net.Net, l *Layout, t Target) (Program, error) {
	if depth(n.Verified("New")) > maxDepth {
		return nil, ErrTooLarge
	}
	if l.Form == Mixed {
		return compileMixed(n, l, t)
	}
	p, err := compilePlain(n, l, t)
	if err != nil {
		return nil, err // and no Program that holds a nil pointer
	}
	return p, nil
}

// compilePlain makes the program of a net in the form Sliced or Words.
func compilePlain(n *net.Net, l *Layout, t Target) (*plain, error) {
	// Vector code first, then registers, then machine code.
	var c *vector.Code
	var err error
	if l.Form == Words {
		c, err = compileWords(n, l, t)
	} else {
		c, err = compileSliced(n, l, t)
	}
	if err != nil {
		return nil, err
	}
	return newPlain(c.Allocate(t.Regs), l, t)
}

// maxDepth is the largest number of nodes on a path: the form Words recurses over them.
const maxDepth = 200_000

// depth is the number of nodes on the longest path.
func depth(n *net.Net) (most int32) {
	level := make([]int32, len(n.N))
	for i := range n.N { // arguments have smaller IDs
		n.Args(net.ID(i), func(x net.ID) { level[i] = max(level[i], level[x]+1) })
		most = max(most, level[i])
	}
	return most
}

// compileSliced makes the code of a net in the form Sliced.
func compileSliced(n *net.Net, l *Layout, t Target) (*vector.Code, error) {
	b := newBlaster(n, l, t.Fanin)
	// Instances that are not in use must not stop the group.
	stop := gates.False
	if n.Stop >= 0 {
		stop = b.g.And(b.any(b.bits(n.Stop)), b.at(l.active))
	}

	// Roots are next values, then the bits of small memories.
	roots := b.next(wordsInOrder(n, l.pol))
	ws, rows := b.writes()
	roots = append(roots, rows...)

	if len(b.g.N) > maxGates {
		return nil, ErrTooLarge
	}
	// Gates of three operands are chosen again once the whole graph is known.
	if t.Fanin == 3 {
		b.remap(&stop, roots, ws)
	}
	return emit(newSchedule(b, stop, roots, ws), stop, roots, ws, l.Lanes(t)), nil
}

// plain is a program of one form without bodies. It is also a stage of a staged one.
type plain struct {
	*vector.Program
	machine
}

func newPlain(code *vector.Program, l *Layout, t Target) (*plain, error) {
	p := &plain{code, machine{t: t, l: l, room: code.Scratch, fill: code.Fill}}
	return p, p.load(code.Assemble, code)
}

// Run implements [Program].
func (p *plain) Run(w *Worker, g *Group, cycles int, force bool) (left int) {
	return p.run(w, g.raw(), cycles, force)
}

// run is Run on the store of a group.
func (p *plain) run(w *Worker, v *store, cycles int, force bool) (left int) {
	if p.code != nil {
		left, _ = p.call(w, v, cycles, force, false)
		return left
	}

	// Without machine code, a machine in Go executes the vector code.
	w.m.Words = p.t.Words
	return w.m.Run(p.Program, v.state, w.scratchOf(&p.machine), v.mems, cycles, force)
}

// RunAll implements [Program].
func (p *plain) RunAll(w *Worker, n int, group func(k int) *Group, cycles int) (done, left int) {
	if p.oneCall(cycles) {
		return p.callAll(w, n, group, cycles)
	}
	return runEach(p, w, n, group, cycles)
}

// Cost implements [Program].
func (p *plain) Cost() float64 { return cost(p.Program, p.l, p.t) }

// runEach is RunAll by Run.
func runEach(p Program, w *Worker, n int, group func(k int) *Group, cycles int) (done, left int) {
	for ; done < n; done++ {
		if left = p.Run(w, group(done), cycles, false); left > 0 {
			return done, left
		}
	}
	return done, 0
}
