package native

import (
	"unsafe"

	"etch/sim/native/amd64"
	"etch/sim/net"
)

// Class is many instances of one module that share their code: what is theirs is
// compiled once, and runs over the state of one after the other. Each keeps the
// body for its next cycle. In a cycle Top runs first, on old values: it writes
// the instances' inputs, and everything that is not theirs; then the instances.
type Class struct {
	Net      *net.Net // a cycle of one instance, with the slots and memories of the first
	Top      *net.Net // everything else; its Outs are inputs of instances
	Flat     *net.Net // all of it at once, for when sharing does not pay
	Count    int
	Stride   int32  // words of the state from an instance to the next
	MemMove  int32  // words of the memories from an instance to the next
	Next     uint32 // a slot of the first instance, free for the engine
	Volatile []bool // by register of Net: Top writes it
}

// Registers of code for classes: the base of the whole state, which scratch
// words lie below, and that of the instance's memories.
const (
	wholeBase = amd64.R15
	instMem   = amd64.R14
)

var classBases = bases{state: [2]amd64.Reg{stateR, stateW}, scratch: [2]amd64.Reg{wholeBase, wholeBase}, mem: [2]amd64.Reg{instMem, instMem}}

var classPool = x86Pool[:len(x86Pool)-2]

// NewClass makes the code of a class, adaptive. Errors: those of New.
func NewClass(c *Class, o Options) (Runner, error) {
	if !Supported(o.Features) {
		return nil, ErrUnsupported
	}
	e := newEngine(c.Net, o)
	if o.Plain || !here.adapts() || e == nil {
		return New(c.Flat, o)
	}
	e.class, e.flat = c, c.Flat
	e.top = prepare(&e.g.sched, c.Top, net.Assume{}, firstPrivate)
	e.top.allocate(&e.g.alloc, classPool)
	e.g.pool, e.g.volatile = classPool, c.Volatile
	e.entry++ // where the instance's memories are
	return e, e.start(e.top.scratch)
}

// instances is how many states of the net there are.
func (e *Engine) instances() int {
	if e.class != nil {
		return e.class.Count
	}
	return 1
}

// restart makes every instance look for its body anew: between calls its state
// may have been changed.
func (e *Engine) restart(base unsafe.Pointer) {
	if e.class == nil {
		return
	}
	at := uint64(e.code.mem.Addr()) + uint64(e.topAt)
	for i := range e.class.Count {
		*(*uint64)(unsafe.Add(base, 8*(int(e.class.Next)+i*int(e.class.Stride)))) = at
	}
}

// some returns the bases of state and memories of one instance, another one
// each time.
func (e *Engine) some(base unsafe.Pointer) (state, mem unsafe.Pointer) {
	if e.class == nil {
		return base, base
	}
	e.random = e.random*6364136223846793005 + 1442695040888963407
	i := int(e.random >> 33 % uint64(e.class.Count))
	return unsafe.Add(base, 8*i*int(e.class.Stride)), unsafe.Add(base, 8*i*int(e.class.MemMove))
}

// enterClass begins a call, and each cycle: Top, then the first instance.
func (c *chain) enterClass() {
	e := c.e
	c.from = bases{state: classBases.state, scratch: classBases.scratch, mem: [2]amd64.Reg{stateR, stateW}}
	c.MovRR(amd64.S64, wholeBase, amd64.RDI)
	c.MovMR(amd64.S64, c.scratch(stores, cyclesWord), amd64.RSI)
	c.Lea(amd64.S64, tmpA, amd64.At(wholeBase, 8*e.class.Stride*int32(e.class.Count)))
	c.MovMR(amd64.S64, c.scratch(stores, endWord), tmpA)
	c.cycle = c.NewLabel()
	c.Bind(c.cycle)
	c.MovRR(amd64.S64, stateW, wholeBase)
	c.MovRR(amd64.S64, stateR, wholeBase)
	c.x86.body(e.top)
	c.from = classBases
	c.MovRR(amd64.S64, instMem, wholeBase)
	c.JmpM(c.nextBody())
}

// nextBody is where the instance at hand keeps its next body.
func (c *chain) nextBody() amd64.Mem { return amd64.At(stateR, 8*int32(c.e.class.Next)) }

// keep stores the code at l as the next body of the instance and goes on to the
// next instance, or cycle.
func (c *chain) keep(l amd64.Label) {
	c.LeaLabel(tmpA, l)
	c.MovMR(amd64.S64, amd64.At(stateW, 8*int32(c.e.class.Next)), tmpA)
	c.RI(amd64.ADD, amd64.S64, stateW, 8*c.e.class.Stride)
	c.RI(amd64.ADD, amd64.S64, instMem, 8*c.e.class.MemMove)
	c.MovRR(amd64.S64, stateR, stateW)
	c.RM(amd64.CMP, amd64.S64, stateW, c.scratch(loads, endWord))
	c.Jcc(amd64.E, c.done)
	c.JmpM(c.nextBody())
}

// endClass counts the cycle when all instances are through.
func (c *chain) endClass() {
	c.Bind(c.done)
	c.DecM(amd64.S64, c.scratch(stores, cyclesWord))
	c.Jcc(amd64.NE, c.cycle)
	c.Jmp(c.exit)
}
