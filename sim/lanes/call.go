package lanes

import (
	"runtime"
	"unsafe"

	"etch/sim/native/exec"
)

// frame is the argument of machine code. It is part of a Worker, because stacks move.
type frame struct {
	state, scratch, mems uintptr
	missed, look, left   uint64

	slices, stateStep, memsStep uintptr // for parts
}

// longest bounds the instructions per call, since machine code cannot be preempted.
const longest = 2 << 20

// call runs machine code in calls of bounded length. look ends the run before a cycle without
// body.
func (p *Program) call(w *Worker, g *Group, cycles int, force, look bool) (left int, missed bool) {
	scratch, f := w.scratchOf(p), &w.frame
	*f = frame{state: address(g.state), scratch: address(scratch), mems: address(g.mems), look: uint64(truth(look))}
	// A stop leaves cycles over.
	for cycles > 0 {
		k := min(cycles, p.chunk)
		rest := int(exec.Call(p.code.Addr(), unsafe.Pointer(f), uint64(k), uint64(truth(force))))
		cycles -= k - rest
		if rest > 0 {
			break
		}
	}

	w.Missed += f.missed
	keep(g, scratch, p)
	return cycles, f.left != 0
}

// RunAll is Run for groups 0 to n-1 in turn, with little overhead per group. It ends at the
// first group in which a stop leaves cycles: done is that group, left its cycles.
func (p *Program) RunAll(w *Worker, n int, group func(k int) *Group, cycles int) (done, left int) {
	// The frame is set up once, unless the groups need Run's other cases.
	if p.code == nil || p.l.mixed != nil || cycles > p.chunk {
		for ; done < n && left == 0; done++ {
			left = p.Run(w, group(done), cycles, false)
		}
	} else {
		f := &w.frame
		*f = frame{scratch: address(w.scratchOf(p))}
		for code := p.code.Addr(); done < n && left == 0; done++ {
			g := group(done)
			f.state, f.mems = address(g.state), address(g.mems)
			left = int(exec.Call(code, unsafe.Pointer(f), uint64(cycles), 0))
			runtime.KeepAlive(g)
		}
		w.Missed += f.missed
		runtime.KeepAlive(p)
	}

	if left > 0 {
		done--
	}
	return done, left
}

// longestRun is the number of cycles per call.
func (p *Program) longestRun() int { return max(1, longest/(1+len(p.Instrs)+1000*len(p.Macros))) }

// keep keeps the memory given to machine code alive up to here.
func keep(state, scratch, p any) {
	runtime.KeepAlive(state)
	runtime.KeepAlive(scratch)
	runtime.KeepAlive(p)
}

func address(s []uint64) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }
