package lanes

import (
	"fmt"
	"unsafe"

	"etch/sim/lanes/gates"
	"etch/sim/lanes/vector"
	"etch/sim/native/exec"
	"etch/sim/net"
)

// Program is one event for a group of instances.
type Program struct {
	*vector.Program
	chain *vector.Chain // with bodies; Program is its general one
	t     Target
	l     *Layout
	code  *exec.Memory // nil: executed in Go
	size  int          // bytes of it
	chunk int          // cycles that a call of it makes at most
	Gates int          // one-bit gates

	stages []stage // in mixed form: in place of all of the above
	extra  [2]int  // slots that they have behind the state, by form
	stop   int     // the stage that may leave
}

// Compile makes the program of a net for groups of layout l. Errors: ErrTooLarge;
// a form that has no code for some operation; the system refuses executable
// memory.
func Compile(n *net.Net, l *Layout, t Target) (*Program, error) {
	if l.mixed != nil {
		return compileMixed(n, l, t)
	}
	p := &Program{t: t, l: l}
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

// compileSliced makes the code of a net in sliced form.
func compileSliced(n *net.Net, l *Layout, t Target) (c *vector.Code, count int, err error) {
	b := newBlaster(n, l, t.Fanin)
	stop := gates.False
	if n.Stop >= 0 {
		stop = b.g.And(b.any(b.bits(n.Stop)), b.at(l.active))
	}
	roots := b.next(wordsInOrder(n))
	ws, rows := b.writes()
	roots = append(roots, rows...)
	if len(b.g.N) > maxGates {
		return nil, 0, ErrTooLarge
	}
	if t.Fanin == 3 {
		b.remap(&stop, roots, ws)
	}
	return emit(newSchedule(b, stop, roots, ws), stop, roots, ws, l.Lanes(t)), b.g.Gates(), nil
}

// assemble makes machine code, if the target is of that kind.
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

// CodeBytes is the size of the machine code, 0 if there is none.
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
	s := make([]uint64, n+7)
	at := 0
	for uintptr(unsafe.Pointer(&s[at]))%64 != 0 {
		at++
	}
	return s[at:][:n:n]
}

// Worker is what a goroutine needs to run programs.
type Worker struct {
	// Missed counts the cycles of programs with bodies that no body was for.
	Missed  uint64
	m       vector.Machine
	frame   frame
	scratch map[*Program][]uint64
	last    *Program // that was run last
	own     []uint64 // its scratch
}

// NewWorker returns a worker.
func NewWorker() *Worker { return &Worker{scratch: map[*Program][]uint64{}} }

// scratchOf is the scratch of a program, with its constants.
func (w *Worker) scratchOf(p *Program) []uint64 {
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

// Forget frees what running p took.
func (w *Worker) Forget(p *Program) {
	w.last, w.own = nil, nil
	delete(w.scratch, p)
	for _, s := range p.stages {
		delete(w.scratch, s.Program)
	}
}

// Cost is about how many instructions a cycle of one instance takes, where there is
// code for several cycles in those.
func (p *Program) Cost() float64 {
	if p.l.mixed != nil {
		sum := 0.0
		for _, s := range p.stages {
			sum += s.Cost() + callCost/float64(p.l.Lanes(p.t))
		}
		return sum
	}
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
		if cycles > 1 { // the rest is for single cycles
			break
		}
		if !skipping {
			instrs++
		}
	}
	return float64(instrs) / float64(cycles*p.l.Lanes(p.t))
}

// callCost is about how many instructions it takes to have machine code run.
const callCost = 100

// accessCost is about how many instructions a read or write of a memory takes.
func (p *Program) accessCost() int {
	if p.l.Form == Words {
		return 3 * p.l.Lanes(p.t)
	}
	return 700 + 3*p.l.Lanes(p.t)
}
