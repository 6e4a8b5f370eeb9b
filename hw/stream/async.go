package stream

import "etch/hw"

// AsyncQueue is a queue between two unrelated clocks. Each side sees the other's
// pointer late and in Gray code, which errs towards full and towards empty.
type AsyncQueue[T any] struct {
	Elem  T
	Depth int `help:"elements held" range:"2..2^20, a power of two"`
}

// AsyncQueuePorts has one clock domain per side; both must be reset before the first Push.
type AsyncQueuePorts[T any] struct {
	Wr   hw.Domain `dir:"in"`
	Rd   hw.Domain `dir:"in"`
	Push Stream[T] `dir:"in"`  // on Wr
	Pop  Stream[T] `dir:"out"` // on Rd
}

func (f AsyncQueue[T]) Ports() AsyncQueuePorts[T] {
	return AsyncQueuePorts[T]{Push: Of(f.Elem), Pop: Of(f.Elem)}
}

func (f AsyncQueue[T]) Build(m *hw.Module, p AsyncQueuePorts[T]) {
	wr, rd := m.On(p.Wr), m.On(p.Rd)
	width := hw.UpTo(2*f.Depth - 1).Width() // one more than an address: full and empty differ
	mem := hw.Mem(wr, "mem", f.Depth, f.Elem)

	// Each side owns one pointer and sees the other's two cycles late. Late is safe: a stale head
	// makes the queue look fuller, a stale tail emptier, than it is.
	tail, tailGray := grayCounter(wr, "tail", width, p.Push.Fire())
	head, headGray := grayCounter(rd, "head", width, p.Pop.Fire())
	headSeen := hw.SyncGray(wr, "head_seen", headGray, hw.U(0))
	tailSeen := hw.SyncGray(rd, "tail_seen", tailGray, hw.U(0))

	// Full is the same place one lap ahead; a lap inverts the top two Gray bits.
	full := tailGray.Eq(headSeen.Xor(hw.U(0b11 << (width - 2)))).Named("full")
	empty := headGray.Eq(tailSeen).Named("empty")

	p.Push.Ready.Set(full.Not())
	wr.When(p.Push.Fire(), func() { mem.Write(tail.Trunc(width-1), p.Push.Data) })
	p.Pop.Send(empty.Not(), mem.Read(head.Trunc(width-1)))
}

// grayCounter counts the cycles in which advance is high, in binary and in Gray
// code.
func grayCounter(m *hw.Module, name string, width int, advance hw.Bit) (count, gray hw.UInt) {
	count = hw.Reg(m, name, hw.Unsigned(width), hw.U(0))
	gray = hw.Reg(m, name+"_gray", hw.Unsigned(width), hw.U(0))
	next := count.Inc()
	m.When(advance, func() {
		count.Set(next)
		gray.Set(next.Xor(next.Shr(1)))
	})

	// The other clock may look at any time: it sees the code before or after.
	moved := gray.Xor(hw.Past(m, gray))
	m.Assert(moved.And(moved.Dec()).Any().Not(), name+": more than one bit of the code moved, by %b", moved)
	m.Assert(gray.Eq(count.Xor(count.Shr(1))), name+": %b is not the code of %d", gray, count)
	return count, gray
}
