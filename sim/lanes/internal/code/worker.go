package code

import (
	"unsafe"

	"etch/sim/native/vector"
)

// Worker is the memory that a goroutine needs to run programs.
type Worker struct {
	// Missed counts the cycles for which a program with bodies had no body.
	Missed  uint64
	m       vector.Machine
	frame   frame
	scratch map[*machine][]uint64
	last    *machine // the machine run last
	own     []uint64 // its scratch memory
}

// NewWorker returns a worker without scratch memory: each program gets its own at its first run.
func NewWorker() *Worker { return &Worker{scratch: map[*machine][]uint64{}} }

// scratchOf is the scratch memory of a machine, with its constants.
func (w *Worker) scratchOf(m *machine) []uint64 {
	// Mostly the same program runs again.
	if m == w.last {
		return w.own
	}

	s, ok := w.scratch[m]
	if !ok {
		s = aligned(m.room * m.t.Words)
		m.fill(s, m.t.Words)
		w.scratch[m] = s
	}
	w.last, w.own = m, s
	return s
}

// Forget frees the memory for running p.
func (w *Worker) Forget(p Program) {
	// The quick entry may be that of p.
	w.last, w.own = nil, nil
	for _, m := range p.machines() {
		delete(w.scratch, m)
	}
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
