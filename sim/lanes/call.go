package lanes

import (
	"runtime"
	"unsafe"

	"etch/sim/native/exec"
)

// frame is what machine code is given.
type frame struct {
	state, scratch, mems uintptr
	missed, look, left   uint64

	slices, stateStep, memsStep uintptr // of parts
}

// longest is about how many instructions a call executes at most: what runs is not
// interrupted.
const longest = 2 << 20

// call runs machine code, in calls that do not take long.
func (p *Program) call(w *Worker, g *Group, cycles int, force, look bool) (left int, missed bool) {
	scratch := w.scratchOf(p)
	f := &frame{state: address(g.state), scratch: address(scratch), mems: address(g.mems)}
	if look {
		f.look = 1
	}
	var flag uint64
	if force {
		flag = 1
	}
	chunk := max(1, longest/(1+len(p.Instrs)+1000*len(p.Macros)))
	for cycles > 0 {
		k := min(cycles, chunk)
		rest := int(exec.Call(p.code.Addr(), unsafe.Pointer(f), uint64(k), flag))
		cycles -= k - rest
		if rest > 0 {
			break
		}
	}
	w.Missed += f.missed
	keep(g, scratch, p)
	return cycles, f.left != 0
}

// keep has what machine code was given stay until here.
func keep(state, scratch, p any) {
	runtime.KeepAlive(state)
	runtime.KeepAlive(scratch)
	runtime.KeepAlive(p)
}

func address(s []uint64) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }
