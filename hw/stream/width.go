package stream

import "etch/hw"

// Widen collects N elements into one vector, the first as element 0: one vector
// every N cycles at full speed.
type Widen[T any] struct {
	Elem T
	N    int `help:"elements of a vector" range:"2..65536"`
}

type WidenPorts[T any] struct {
	In  Stream[T]         `dir:"in"`
	Out Stream[hw.Vec[T]] `dir:"out"`
}

func (w Widen[T]) Ports() WidenPorts[T] {
	return WidenPorts[T]{In: Of(w.Elem), Out: Of(hw.VecOf(w.N, w.Elem))}
}

// Build describes the body: all but the last element are held, the last passes.
func (w Widen[T]) Build(m *hw.Module, p WidenPorts[T]) {
	index := hw.Reg(m, "index", hw.AddressOf(w.N), hw.U(0))
	held := hw.Reg(m, "held", hw.VecOf(w.N-1, w.Elem))
	last := index.Is(w.N - 1).Named("last")

	p.In.Ready.Set(last.Not().Or(p.Out.Ready))
	p.Out.Send(p.In.Valid.And(last), append(held[:len(held):len(held)], p.In.Data))
	m.When(p.In.Fire(), func() {
		index.SetIf(last, hw.U(0)).Else(func() {
			index.Set(index.Inc())
			hw.Set(held.At(index), p.In.Data)
		})
	})
	m.Assert(index.Le(hw.U(w.N-1)), "there is no place %d", index)
	m.Assert(hw.Past(m, p.In.Fire().Not()).Implies(hw.Stable(m, index)), "place %d without an element", index)
}

// Narrow sends the elements of a vector one by one, element 0 first.
type Narrow[T any] struct {
	Elem T
	N    int `help:"elements of a vector" range:"2..65536"`
}

type NarrowPorts[T any] struct {
	In  Stream[hw.Vec[T]] `dir:"in"`
	Out Stream[T]         `dir:"out"`
}

func (n Narrow[T]) Ports() NarrowPorts[T] {
	return NarrowPorts[T]{In: Of(hw.VecOf(n.N, n.Elem)), Out: Of(n.Elem)}
}

// Build describes the body: In waits until its last element has gone.
func (n Narrow[T]) Build(m *hw.Module, p NarrowPorts[T]) {
	index := hw.Reg(m, "index", hw.AddressOf(n.N), hw.U(0))
	last := index.Is(n.N - 1).Named("last")
	p.Out.Send(p.In.Valid, p.In.Data.At(index))
	p.In.Ready.Set(p.Out.Ready.And(last))
	index.SetIf(p.Out.Fire(), hw.Mux(last, index.Lit(0), index.Inc()))
	m.Assert(index.Le(hw.U(n.N-1)), "there is no place %d", index)
	m.Assert(hw.Past(m, p.In.Fire()).Implies(index.Is(0)), "a vector begins at place %d", index)
}
