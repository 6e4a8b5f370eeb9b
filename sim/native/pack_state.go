package native

import (
	"runtime"
	"unsafe"

	"etch/sim/native/exec"
	"etch/sim/native/internal/emit"
	"etch/sim/native/internal/pack"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// Keeper is a Runner that can keep part of the state in its own form between calls, which saves
// work when calls are short. Run always writes the state back.
type Keeper interface {
	Runner
	// RunOn is Run, but the state is not whole until GiveBack. again says that the last call was
	// RunOn on the same state.
	RunOn(base unsafe.Pointer, cycles uint64, again bool) (left uint64)
	// GiveBack makes the state whole after RunOn.
	GiveBack(base unsafe.Pointer)
	// Whole reports whether the state is whole after RunOn even without GiveBack, so that it may
	// be read before the next call. Registers of the Host (net.Reg) may then be written too.
	Whole() bool
}

// Lasting is a Keeper that needs no GiveBack: the state is always whole, and what the code keeps
// beside it follows from it.
type Lasting interface {
	Keeper
	// Lasts reports whether RunOn may be called again although registers were written in between
	// that the code does not write itself, or that are shared.
	Lasts() bool
	// Share says that others write registers too, by their slots.
	Share(slots []uint32)
}

// Whole implements [Keeper].
func (c *Code) Whole() bool { return !c.keeps }

// RunOn implements [Keeper].
func (c *Code) RunOn(base unsafe.Pointer, cycles uint64, again bool) uint64 {
	// A first call must load the packs from the state. A later one finds them where they are.
	how := uint64(emit.KeepOn)
	if again {
		how |= emit.IsKept
	}
	left := exec.Call(c.mem.Addr(), base, cycles, how)
	runtime.KeepAlive(c)
	return left
}

// GiveBack implements [Keeper].
func (c *Code) GiveBack(base unsafe.Pointer) {
	// Zero cycles: the code only stores the packs in the state.
	if c.keeps {
		exec.Call(c.mem.Addr(), base, 0, emit.IsKept)
		runtime.KeepAlive(c)
	}
}

// compilePacked makes the code of a partly packed net; n is the rest.
func compilePacked(k *pack.Packs, n *net.Net, o Options) (*Code, error) {
	// The rest is scheduled like plain code. The packs' cells are scratch words behind its own.
	pol := o.policy()
	s := schedule.Scheduler{Costs: &pol.Branches}
	c := schedule.Prepare(&s, n, net.Assume{}, emit.FirstScratch)
	c.Allocate(&schedule.Allocator{}, emit.Here.Registers(emit.InPlain))
	c.Scratch = k.Place(c.Scratch)

	text, err := emit.Packed(emit.Here, c, k, o.Features)
	if err != nil {
		return nil, err
	}

	code, err := newCode(text, int(c.Scratch), len(n.N))
	if err == nil {
		code.keeps, code.packs, code.banks = true, len(k.Runs), len(c.N.Banks)
		code.cycle = pol.PlainCycle(n, len(text)) + float64(k.Bytes)*pol.Packs.Byte
	}
	return code, err
}
