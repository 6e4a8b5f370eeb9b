package stream

import "etch/hw"

// Queue is a first-in first-out buffer on one clock: one element in and one out
// per cycle, and one cycle from in to out.
type Queue[T any] struct {
	Elem  T   // shape of an element
	Depth int `help:"elements held" range:"1..2^24"`
}

type QueuePorts[T any] struct {
	Push  Stream[T] `dir:"in"`
	Pop   Stream[T] `dir:"out"`
	Level hw.UInt   `dir:"out"` // elements held now, 0..Depth
}

func (q Queue[T]) Ports() QueuePorts[T] {
	return QueuePorts[T]{Push: Of(q.Elem), Pop: Of(q.Elem), Level: hw.UpTo(max(q.Depth, 1))}
}

func (q Queue[T]) Build(m *hw.Module, p QueuePorts[T]) {
	head := hw.Reg(m, "head", hw.AddressOf(q.Depth), hw.U(0)) // next to pop
	tail := hw.Reg(m, "tail", hw.AddressOf(q.Depth), hw.U(0)) // next to push
	level := hw.Reg(m, "level", hw.UpTo(q.Depth), hw.U(0))
	mem := hw.Mem(m, "mem", q.Depth, q.Elem)

	// The level, and not a comparison of pointers, tells full from empty: at both head equals
	// tail.
	p.Push.Ready.Set(level.IsNot(q.Depth))
	p.Pop.Send(level.Any(), mem.Read(head))
	p.Level.Set(level)

	// A push and a pop in one cycle leave the level alone.
	push, pop := p.Push.Fire(), p.Pop.Fire()
	m.When(push, func() {
		mem.Write(tail, p.Push.Data)
		tail.Set(q.next(tail))
	})
	head.SetIf(pop, q.next(head))
	level.SetIf(push.AndNot(pop), level.Inc()).
		ElseWhen(pop.AndNot(push), func() { level.Set(level.Dec()) })
	q.check(m, head, tail, level)
}

// check says that the level is the number of places from head to tail, so that no
// push overflows and no pop finds a place that was not written.
func (q Queue[T]) check(m *hw.Module, head, tail, level hw.UInt) {
	w := level.Width() + 1
	from, to, depth := head.Extend(w), tail.Extend(w), hw.U(q.Depth)
	held := hw.Mux(to.Lt(from), to.Add(depth).Sub(from), to.Sub(from))
	full := level.Is(q.Depth).And(head.Eq(tail))
	m.Assert(held.Eq(level.Extend(w)).Or(full), "the level is %d, from %d to %d", level, head, tail)
	m.Assert(level.Le(hw.U(q.Depth)), "the level is %d, past the depth", level)
	if q.Depth&(q.Depth-1) != 0 || q.Depth == 1 {
		m.Assert(from.Lt(depth).And(to.Lt(depth)), "head %d or tail %d is past the end", head, tail)
	}
}

// next is the place after at.
func (q Queue[T]) next(at hw.UInt) hw.UInt {
	if q.Depth&(q.Depth-1) == 0 && q.Depth > 1 {
		return at.Inc()
	}
	return hw.Mux(at.Is(q.Depth-1), at.Lit(0), at.Inc())
}

// Buffer is s behind a queue of depth elements.
func Buffer[T any](m *hw.Module, name string, s Stream[T], depth int) Stream[T] {
	q := hw.Inst(m, name, Queue[T]{Elem: hw.Like(s.Data), Depth: depth}, QueuePorts[T]{Push: s})
	hw.Unused(m, q.Level)
	return q.Pop
}
