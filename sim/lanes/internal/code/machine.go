package code

import (
	"fmt"
	"runtime"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/exec"
	"etch/sim/native/vector"
)

// machine is the machine code of a program, or of a stage, and the memory that a run of it needs.
type machine struct {
	t     Target
	l     *Layout
	code  *exec.Memory // nil: executed in Go
	size  int          // of the code, in bytes
	chunk int          // cycles per call
	room  int          // vectors of scratch memory
	fill  func(scratch []uint64, words int)
}

// load assembles the machine code, if the target has any. general is the code of a cycle.
func (m *machine) load(assemble func(vector.Arch) ([]byte, error), general *vector.Program) error {
	if !m.t.Native {
		return nil
	}
	code, err := assemble(m.t.Arch)
	if err != nil {
		return fmt.Errorf("lanes: %w", err)
	}

	// Copy the code into executable memory and seal it.
	m.code, err = exec.New(len(code))
	if err != nil {
		return fmt.Errorf("lanes: %w", err)
	}
	m.size, m.chunk = copy(m.code.Bytes(), code), longestRun(general, m.l.pol)
	if err := m.code.Seal(); err != nil {
		m.code.Close()
		m.code = nil
		return fmt.Errorf("lanes: %w", err)
	}
	return nil
}

func (m *machine) machines() []*machine { return []*machine{m} }

// CodeBytes implements [Program].
func (m *machine) CodeBytes() int { return m.size }

// Close implements [Program].
func (m *machine) Close() error {
	if m.code == nil {
		return nil
	}
	return m.code.Close()
}

// Stopped implements [Program].
func (m *machine) Stopped(w *Worker) []uint64 {
	// The code leaves them in the first scratch vector: a bit per instance, or a mask per 16-bit
	// element.
	s := w.scratchOf(m)[:m.t.Words]
	if m.l.Form == Sliced {
		return s
	}

	out := make([]uint64, (4*m.t.Words+63)/64)
	for lane := range 4 * m.t.Words {
		out[lane/64] |= s[lane/4] >> (lane % 4 * 16) & 1 << (lane % 64)
	}
	return out
}

// frame is the argument of machine code. It is part of a Worker, because stacks move.
type frame struct {
	state, scratch, mems uintptr
	missed, look, left   uint64

	slices, stateStep, memsStep uintptr // for parts
}

// longestRun is the number of cycles per call: bounded, since machine code cannot be preempted.
func longestRun(p *vector.Program, pol *choose.LaneCode) int {
	return max(1, pol.LongestCall/(1+len(p.Instrs)+pol.LongestMacro*len(p.Macros)))
}

// call runs machine code in calls of bounded length. look ends the run before a cycle without
// body.
func (m *machine) call(w *Worker, v *store, cycles int, force, look bool) (left int, missed bool) {
	scratch, f := w.scratchOf(m), &w.frame
	*f = frame{state: address(v.state), scratch: address(scratch), mems: address(v.mems), look: uint64(truth(look))}

	// A stop leaves cycles over.
	for cycles > 0 {
		k := min(cycles, m.chunk)
		rest := int(exec.Call(m.code.Addr(), unsafe.Pointer(f), uint64(k), uint64(truth(force))))
		cycles -= k - rest
		if rest > 0 {
			break
		}
	}

	w.Missed += f.missed
	keep(v, scratch, m)
	return cycles, f.left != 0
}

// oneCall reports whether a call of machine code can run so many cycles.
func (m *machine) oneCall(cycles int) bool { return m.code != nil && cycles <= m.chunk }

// callAll is RunAll with one call per group. The frame is set up once.
func (m *machine) callAll(w *Worker, n int, group func(k int) *Group, cycles int) (done, left int) {
	f := &w.frame
	*f = frame{scratch: address(w.scratchOf(m))}
	code := m.code.Addr()
	for ; done < n; done++ {
		v := group(done).raw()
		f.state, f.mems = address(v.state), address(v.mems)
		left = int(exec.Call(code, unsafe.Pointer(f), uint64(cycles), 0))
		runtime.KeepAlive(v)
		if left > 0 {
			break
		}
	}

	w.Missed += f.missed
	runtime.KeepAlive(m)
	return done, left
}

// keep keeps the memory given to machine code alive up to here.
func keep(state, scratch, p any) {
	runtime.KeepAlive(state)
	runtime.KeepAlive(scratch)
	runtime.KeepAlive(p)
}

func address(s []uint64) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }
