package native

import (
	"runtime"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/native/exec"
	"etch/sim/net"
)

// Bits of the second argument of a call.
const (
	isKept = 1 << iota // the lanes hold packed registers from the last call
	keepOn             // leave them there
)

// Keeper is a Runner that can keep part of the state to itself from call to call,
// which saves work when calls are short. Run never does.
type Keeper interface {
	Runner
	// RunOn is Run, but the state is not whole until GiveBack; again tells that
	// the last call was RunOn on the same state.
	RunOn(base unsafe.Pointer, cycles uint64, again bool) (left uint64)
	// GiveBack makes the state whole after RunOn.
	GiveBack(base unsafe.Pointer)
	// Whole reports whether the state is whole after RunOn as it is, so that it may be
	// read before the next one. Registers of the Host (net.Reg) may be written too.
	Whole() bool
}

// Whole is Keeper's.
func (c *Code) Whole() bool { return !c.keeps }

// RunOn is Keeper's.
func (c *Code) RunOn(base unsafe.Pointer, cycles uint64, again bool) uint64 {
	how := uint64(keepOn)
	if again {
		how |= isKept
	}
	left := exec.Call(c.mem.Addr(), base, cycles, how)
	runtime.KeepAlive(c)
	return left
}

// GiveBack is Keeper's.
func (c *Code) GiveBack(base unsafe.Pointer) {
	if c.keeps {
		exec.Call(c.mem.Addr(), base, 0, isKept)
		runtime.KeepAlive(c)
	}
}

// compilePacked makes the code of a net that is partly packed.
func compilePacked(k *packs, n *net.Net, f cpu.Features) (*Code, error) {
	var s scheduler
	c := prepare(&s, n, net.Assume{}, firstScratch)
	c.allocate(&allocator{}, here.registers(inPlain))
	c.scratch = k.place(c.scratch)
	text, err := packedText(here, c, k, f)
	if err != nil {
		return nil, err
	}
	code, err := newCode(text, int(c.scratch), len(n.N))
	if err == nil {
		code.keeps = true
	}
	return code, err
}

// packedText is plainText with packs: lanes are filled when a call begins, and
// given back when it ends, unless they are kept.
func packedText(t target, c *code, k *packs, f cpu.Features) ([]byte, error) {
	e := newPackCode(t.packs(f), k)
	filled := e.newLabel()
	e.m.enterPacks(k, filled)
	for i := range k.runs {
		e.m.pull(&k.runs[i], k.runs[i].slot)
	}
	for i, x := range k.cells {
		if x >= 0 && k.fixed[i] {
			e.m.setCell(k.cellAt(int32(i)), uint32(k.consts[i]))
		}
	}
	e.bind(filled)
	e.m.idle(e.exit)
	top := e.newLabel()
	e.entry(top)
	e.body(c)
	e.segments()
	e.count(true, top)
	e.bind(e.exit)
	kept := e.newLabel()
	e.m.ifKept(kept)
	for i := range k.runs {
		e.m.push(&k.runs[i], k.runs[i].slot)
	}
	e.bind(kept)
	e.m.leavePacks(e.constants())
	return e.text()
}

// constants are those of the pool, by number.
func (e *packCode) constants() []uint32 {
	list := make([]uint32, len(e.known))
	for v, at := range e.known {
		list[at] = v
	}
	return list
}
