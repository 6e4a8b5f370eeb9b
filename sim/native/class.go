package native

import (
	"unsafe"

	"etch/sim/native/internal/emit"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// Class is many instances of one module that share their code.
type Class = emit.Class

// NewClass compiles a class adaptively. Errors: those of New.
func NewClass(c *emit.Class, o Options) (Runner, error) {
	if !Supported(o.Features) {
		return nil, ErrUnsupported
	}

	// Plain code runs the flat net: instances in a row, without a loop over them.
	e := newEngine(c.Net, o)
	if o.Plain || e == nil {
		return New(c.Flat, o)
	}

	// The common part runs once per cycle, before all instances. It may spill to the same words as
	// the bodies.
	e.class, e.flat = c, c.Flat
	e.top = schedule.Prepare(&e.g.sched, c.Top, net.Assume{}, emit.FirstPrivate)

	// The loop over instances takes registers from the bodies.
	e.g.pool, e.g.Volatile = e.t.Registers(emit.InClass), c.Volatile
	e.top.Allocate(&e.g.alloc, e.g.pool)
	e.entry++ // where the instance's memories are
	return e, e.start(e.top.Scratch)
}

// instances is the number of copies of the net's state.
func (e *Engine) instances() int {
	if e.class != nil {
		return e.class.Count
	}
	return 1
}

// restart makes every instance dispatch anew, because callers may change the state between
// calls.
func (e *Engine) restart(base unsafe.Pointer) {
	if e.class == nil {
		return
	}

	// The address of the dispatch is each instance's next body.
	at := uint64(e.code.mem.Addr()) + uint64(e.topAt)
	for i := range e.class.Count {
		*(*uint64)(unsafe.Add(base, 8*(int(e.class.Next)+i*int(e.class.Stride)))) = at
	}
}

// some returns the bases of the state and memories of one instance, drawn at random.
func (e *Engine) some(base unsafe.Pointer) (state, mem unsafe.Pointer) {
	if e.class == nil {
		return base, base
	}

	// The upper half of the draw, since the lower bits of the generator are poor.
	i := int(e.random.draw() >> 33 % uint64(e.class.Count))
	return unsafe.Add(base, 8*i*int(e.class.Stride)), unsafe.Add(base, 8*i*int(e.class.MemMove))
}

// enterClass writes the beginning of a call and of each cycle: Top, then the first instance.
func (c *chain) enterClass() {
	// A cycle: the common part on the whole state, and then the first instance, which leads to the
	// others.
	c.Writer.EnterClass(c.e.class)
	c.cycle = c.Declare()
	c.Entry(c.cycle)
	c.Whole()
	c.Body(c.e.top)
	c.First(c.e.class)
}

// stubs writes the targets of bodies whose cycle is over: each keeps the instance's next body.
func (c *chain) stubs() {
	for k, l := range c.stub {
		c.Define(l)
		c.keep(c.special[k])
	}
	c.Define(c.stubGeneral)
	c.keep(c.general)
	c.Define(c.stubTop)
	c.keep(c.top)
}

// keep writes the code that keeps l as the next body and goes on with the next instance or
// member.
func (c *chain) keep(l emit.Label) {
	if c.e.team != nil {
		c.e.team.keep(c, l)
		return
	}
	c.KeepNext(c.e.class, l, c.done)
}

// endClass counts the cycle after the last instance.
func (c *chain) endClass() {
	c.Define(c.done)
	c.Count(true, c.cycle)
}
