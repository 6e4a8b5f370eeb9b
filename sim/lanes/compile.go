package lanes

import (
	"fmt"
	"unsafe"

	"etch/sim/lanes/gates"
	"etch/sim/lanes/vector"
	"etch/sim/native/exec"
	"etch/sim/net"
)

// Program is one event, compiled for a group of instances.
type Program struct {
	*vector.Program
	chain *vector.Chain // the bodies, if there are any; Program is the general one
	t     Target
	l     *Layout
	code  *exec.Memory // nil: executed in Go
	size  int          // of the code, in bytes
	chunk int          // cycles per call
	Gates int          // number of one-bit gates

	stages []stage // in Mixed form, instead of all of the above
	extra  [2]int  // slots behind the state for values between stages, by form
	stop   int     // the stage with the stop condition
}

// Compile makes the program of a net for groups of layout l. Errors: ErrTooLarge; an operation
// without code in this form; the system refuses executable memory.
func Compile(n *net.Net, l *Layout, t Target) (*Program, error) {
	if depth(n.Verified("New")) > maxDepth {
		return nil, ErrTooLarge
	}
	if l.mixed != nil {
		return compileMixed(n, l, t)
	}
	p := &Program{t: t, l: l}
	// Vector code first, then registers, then machine code.
	var c *vector.Code
	var err error
	if l.Form == Words {
		c, err = compileWords(n, l, t)
	} else {
		c, p.Gates, err = compileSliced(n, l, t)
	}
	if err != nil {
		return nil, err
	}

	p.Program = c.Allocate(t.Regs)
	return p, p.assemble()
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

// compileSliced makes the code of a net in the form Sliced, and returns its number of gates.
func compileSliced(n *net.Net, l *Layout, t Target) (c *vector.Code, count int, err error) {
	b := newBlaster(n, l, t.Fanin)
	// Instances that are not in use must not stop the group.
	stop := gates.False
	if n.Stop >= 0 {
		stop = b.g.And(b.any(b.bits(n.Stop)), b.at(l.active))
	}

	// Roots are next values, then the bits of small memories.
	roots := b.next(wordsInOrder(n))
	ws, rows := b.writes()
	roots = append(roots, rows...)

	if len(b.g.N) > maxGates {
		return nil, 0, ErrTooLarge
	}
	// Gates of three operands are chosen again once the whole graph is known.
	if t.Fanin == 3 {
		b.remap(&stop, roots, ws)
	}
	return emit(newSchedule(b, stop, roots, ws), stop, roots, ws, l.Lanes(t)), b.g.Gates(), nil
}

// assemble makes machine code, if the target has any.
func (p *Program) assemble() error {
	if !p.t.Native {
		return nil
	}

	var code []byte
	var err error
	if p.chain != nil {
		code, err = p.chain.Assemble(p.t.Arch)
	} else {
		code, err = p.Program.Assemble(p.t.Arch)
	}
	if err != nil {
		return fmt.Errorf("lanes: %w", err)
	}

	// Copy the code into executable memory and seal it.
	p.code, err = exec.New(len(code))
	if err != nil {
		return fmt.Errorf("lanes: %w", err)
	}
	p.size, p.chunk = copy(p.code.Bytes(), code), p.longestRun()
	if err := p.code.Seal(); err != nil {
		p.code.Close()
		p.code = nil
		return fmt.Errorf("lanes: %w", err)
	}
	return nil
}

// CodeBytes is the size of the machine code, 0 without any.
func (p *Program) CodeBytes() int {
	size := p.size
	for _, s := range p.stages {
		size += s.size
	}
	return size
}

// Close frees the machine code.
func (p *Program) Close() error {
	var first error
	for _, s := range p.stages {
		if err := s.Close(); first == nil {
			first = err
		}
	}
	if p.code == nil {
		return first
	}
	return p.code.Close()
}

// aligned returns n words at a multiple of 64 bytes.
func aligned(n int) []uint64 {
	// Seven words more leave room to move the begin.
	s := make([]uint64, n+7)
	at := 0
	for uintptr(unsafe.Pointer(&s[at]))%64 != 0 {
		at++
	}
	return s[at:][:n:n]
}

// Worker is the memory that a goroutine needs to run programs.
type Worker struct {
	// Missed counts the cycles for which a program with bodies had no body.
	Missed  uint64
	m       vector.Machine
	frame   frame
	scratch map[*Program][]uint64
	last    *Program // the program run last
	own     []uint64 // its scratch memory
}

// NewWorker returns a worker.
func NewWorker() *Worker { return &Worker{scratch: map[*Program][]uint64{}} }

// scratchOf is the scratch memory of a program, with its constants.
func (w *Worker) scratchOf(p *Program) []uint64 {
	// Mostly the same program runs again.
	if p == w.last {
		return w.own
	}

	s, ok := w.scratch[p]
	if !ok {
		s = p.newScratch()
		w.scratch[p] = s
	}
	w.last, w.own = p, s
	return s
}

func (p *Program) newScratch() (s []uint64) {
	if p.chain != nil {
		s = aligned(p.chain.Scratch() * p.t.Words)
		p.chain.Fill(s, p.t.Words)
		return s
	}
	s = aligned(p.Scratch * p.t.Words)
	p.Fill(s, p.t.Words)
	return s
}

// Forget frees the memory for running p.
func (w *Worker) Forget(p *Program) {
	// The quick entry may be that of p.
	w.last, w.own = nil, nil
	delete(w.scratch, p)
	for _, s := range p.stages {
		delete(w.scratch, s.Program)
	}
}

// Cost estimates the instructions per cycle of one instance. If code for several cycles at once
// exists, that code counts.
func (p *Program) Cost() float64 {
	if p.l.mixed != nil {
		sum := 0.0
		for _, s := range p.stages {
			sum += s.Cost() + callCost/float64(p.l.Lanes(p.t))
		}
		return sum
	}

	// Instructions in skipped blocks hardly ever run.
	instrs, cycles, skipping := 0, 1, false
	for i := range p.Instrs {
		switch in := &p.Instrs[i]; in.Op {
		case vector.Skip:
			skipping = true
		case vector.EndSkip:
			skipping = false
		case vector.Macro:
			instrs += p.accessCost()
		case vector.Gather:
			instrs += 2 * p.l.Lanes(p.t) * 2 / p.Macros[in.Slot].Elem
		case vector.Again:
			cycles = int(in.Imm)
		}
		if cycles > 1 { // code for single cycles follows
			break
		}
		if !skipping {
			instrs++
		}
	}

	return float64(instrs) / float64(cycles*p.l.Lanes(p.t))
}

// callCost estimates the instructions of calling machine code.
const callCost = 100

// accessCost estimates the instructions of a memory read or write.
func (p *Program) accessCost() int {
	if p.l.Form == Words {
		return 3 * p.l.Lanes(p.t)
	}
	return 700 + 3*p.l.Lanes(p.t)
}
