// Package fifo is a queue over any type of element: a generic component, ready
// and valid, a memory. The library has stream.Queue, for any depth.
package fifo

import (
	"etch/hw"
	"etch/hw/stream"
)

// FIFO is a synchronous queue.
type FIFO[T any] struct {
	Elem  T   // shape of an element
	Depth int `help:"elements held" range:"2..2^20, a power of two"`
}

type FIFOPorts[T any] struct {
	Push  stream.Stream[T] `dir:"in"`
	Pop   stream.Stream[T] `dir:"out"`
	Level hw.UInt          `dir:"out"` // elements held now
}

func (f FIFO[T]) Ports() FIFOPorts[T] {
	return FIFOPorts[T]{Push: stream.Of(f.Elem), Pop: stream.Of(f.Elem), Level: hw.UpTo(f.Depth)}
}

func (f FIFO[T]) Build(m *hw.Module, p FIFOPorts[T]) {
	// Pointers are one bit wider than an address, so full and empty differ.
	pointer := hw.UpTo(2*f.Depth - 1)
	head := hw.Reg(m, "head", pointer, hw.U(0)) // next to pop
	tail := hw.Reg(m, "tail", pointer, hw.U(0)) // next to push
	mem := hw.Mem(m, "mem", f.Depth, f.Elem)
	address := func(ptr hw.UInt) hw.UInt { return ptr.Trunc(pointer.Width() - 1) }

	level := tail.Sub(head).Named("level")
	p.Level.Set(level)

	p.Push.Ready.Set(level.IsNot(f.Depth))
	m.When(p.Push.Fire(), func() {
		mem.Write(address(tail), p.Push.Data)
		tail.Set(tail.Inc())
	})

	p.Pop.Send(level.Any(), mem.Read(address(head)))
	head.SetIf(p.Pop.Fire(), head.Inc())

	m.Assert(level.Le(hw.U(f.Depth)), "%d elements, past the depth", level)
	stream.Check(m, "pop", p.Pop)
}
