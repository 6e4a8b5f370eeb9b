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
	// the bodies. The loop over instances takes registers from the bodies.
	m := e.machines[0]
	e.class, e.flat = c, c.Flat
	m.g.pool, m.g.Volatile = e.t.Registers(emit.InClass), c.Volatile
	e.top = schedule.Prepare(&m.g.sched, c.Top, net.Assume{}, emit.FirstPrivate)
	e.top.Allocate(&m.g.alloc, m.g.pool)
	m.entry++ // where the instance's memories are
	return e, e.start()
}

// instances is the number of copies of a machine's state.
func (e *Engine) instances() int {
	if e.class != nil {
		return e.class.Count
	}
	return 1
}

// some returns the bases of the state and memories of one instance, drawn at random.
func (m *machine) some(base unsafe.Pointer) (state, mem unsafe.Pointer) {
	class := m.in.class
	if class == nil {
		return base, base
	}

	// The upper half of the draw, since the lower bits of the generator are poor.
	i := int(m.random.draw() >> 33 % uint64(class.Count))
	return unsafe.Add(base, 8*i*int(class.Stride)), unsafe.Add(base, 8*i*int(class.MemMove))
}
