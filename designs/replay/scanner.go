package replay

import (
	"etch/hw"
	"etch/hw/arith"
	"etch/hw/stream"
)

// scanner looks at the children of a node one by one. It asks for one every cycle,
// and may do so for the next draw while the last words of the one before arrive: so a
// draw takes its bank for as many cycles as a node has children, or for fewer where a
// scan ends early.
type scanner struct {
	Level
	Leaf, Capacity, Read, IndexBits int
	First, Last                     bool
	Early                           bool
}

type scannerPorts struct {
	In      stream.Stream[scanned]
	Out     stream.Stream[scanned]
	Issue   hw.Bit  // Address is read
	Address hw.UInt // of a child's word
	Word    hw.UInt // of Address, Read cycles later
	Count   hw.UInt // slots that are filled
}

// above is the width of a path to this level, at least 1.
func (s scanner) above() int { return max(1, s.IndexBits-s.Below-s.Digit) }

// word is the width of a child's sum.
func (s scanner) word() int { return s.Leaf + s.Below }

func (s scanner) Ports() scannerPorts {
	return scannerPorts{
		In:      hw.In(stream.Of(scannedOf(s.Sum, s.above()))),
		Out:     hw.Out(stream.Of(s.result())),
		Issue:   hw.Out(hw.Bit{}),
		Address: hw.Out(hw.Unsigned(s.IndexBits - s.Below)),
		Word:    hw.In(hw.Unsigned(s.word())),
		Count:   hw.In(hw.UpTo(s.Capacity)),
	}
}

func (s scanner) result() scanned { return scannedOf(s.word(), s.IndexBits-s.Below) }

func (s scanner) Build(m *hw.Module, p scannerPorts) {
	// At most two draws are here: one whose words are asked for, one whose words
	// arrive or that waits for the next level.
	held := hw.Reg(m, "held", hw.Unsigned(2), hw.U(0))
	issuing := hw.Reg(m, "issuing", hw.Bit{}, hw.Low)
	rest := hw.Reg(m, "rest", hw.Unsigned(2), hw.U(0)) // cycles before the next draw's first word may be asked for
	child := hw.Reg(m, "child", hw.Unsigned(s.Digit), hw.U(0))
	op := hw.Reg(m, "op", hw.Like(p.In.Data))
	lastChild := child.All()
	p.In.Ready.Set(held.IsLt(2).And(rest.Is(0)).And(issuing.Not().Or(lastChild)))

	address := child
	if s.First {
		hw.Unused(m, op.Path) // there is none yet
	} else {
		address = hw.Cat(op.Path, child)
	}
	p.Issue.Set(issuing)
	p.Address.Set(address)

	// The words arrive Read cycles after their request.
	stop := hw.Wire(m, "stop", hw.Bit{})
	a := answer{valid: hw.Delay(m, "arrives", issuing.AndNot(stop), s.Read, hw.Low)}
	a.asked = hw.Delay(m, "asked", asked{child.Is(0), lastChild, address}, s.Read)
	take, hit := s.search(m, op, a, s.filled(m, p, a.Address))
	s.deliver(m, p, a, take, hit)

	// A scan that ends early asks for no more, unless the words that are asked for are
	// the next draw's.
	begun := hw.Reg(m, "begun", hw.Bit{}, hw.Low) // a word of the draw that asks has arrived
	if s.Early {
		stop.Set(take.And(begun.Or(a.First)))
	} else {
		stop.Set(hw.Low)
	}
	accept := p.In.Fire()
	m.When(accept, func() {
		hw.Set(op, p.In.Data)
		issuing.Set(hw.High)
		child.Set(hw.U(0))
		begun.Set(hw.Low)
		rest.Set(rest.Lit(s.Read))
	}).Else(func() {
		rest.SetIf(rest.Any(), rest.Dec())
		begun.SetIf(a.valid.And(a.First), hw.High)
		m.When(issuing, func() {
			child.Set(child.Inc())
			issuing.SetIf(lastChild.Or(stop), hw.Low)
		})
	})
	out := p.Out.Fire()
	held.SetIf(accept.AndNot(out), held.Inc()).ElseWhen(out.AndNot(accept), func() { held.Set(held.Dec()) })
}

// asked says which word of a node was asked for.
type asked struct {
	First, Last hw.Bit
	Address     hw.UInt
}

// answer is a word that arrives.
type answer struct {
	asked
	valid hw.Bit
}

// filled is the word that arrives for an address. Children that were not filled since the last
// clear count as 0.
func (s scanner) filled(m *hw.Module, p scannerPorts, address hw.UInt) hw.UInt {
	last := hw.Delay(m, "last_filled", p.Count.Dec(), 1)
	any := hw.Delay(m, "any_filled", p.Count.Any(), 1)
	wide := max(last.Width(), s.Below+address.Width()) // Count may need a bit more
	filled := any.And(arith.Resize(address.PadLow(s.Below), wide).Le(arith.Resize(last, wide)))
	return hw.Gate(filled, p.Word)
}

// search finds the child of the draw whose words arrive: the first whose word is greater than the
// target, which is the remainder so far. take is high when it is found, and hit is the result.
func (s scanner) search(m *hw.Module, op scanned, a answer, word hw.UInt) (take hw.Bit, hit scanned) {
	left := hw.Reg(m, "left", hw.Unsigned(s.Sum))
	miss := hw.Reg(m, "miss", hw.Bit{})
	found := hw.Reg(m, "found", hw.Bit{}, hw.High)

	// With the first word the draw itself is there, and later its remainder.
	x := hw.Mux(a.First, op.X, left)
	nowMiss := hw.Mux(a.First, op.Miss, miss)
	searching := a.valid.And(a.First.Or(found.Not()))
	take = searching.And(word.Extend(s.Sum).Gt(x).Or(a.Last))
	hit = scanned{X: x.Trunc(s.word()), Path: a.Address, Miss: nowMiss}
	if s.Last {
		hit.X = word
	}

	m.When(a.valid, func() {
		left.Set(x.Sub(word.Extend(s.Sum)))
		miss.Set(nowMiss)
		m.When(a.First, func() { found.Set(hw.Low) })
		found.SetIf(take, hw.High)
	})
	return take, hit
}

// deliver puts the result of a draw in the queue to the next level: at once where a scan may end
// early, else with the last word.
func (s scanner) deliver(m *hw.Module, p scannerPorts, a answer, take hw.Bit, hit scanned) {
	queue := hw.Inst(m, "queue", stream.Queue[scanned]{Elem: s.result(), Depth: 2})
	if s.Early {
		queue.Push.Send(take, hit)
	} else {
		done := hw.Reg(m, "done", s.result())
		hw.SetIf(done, take, hit)
		queue.Push.Send(a.valid.And(a.Last), scanned{hw.Mux(take, hit.X, done.X), hw.Mux(take, hit.Path, done.Path), hw.Mux(take, hit.Miss, done.Miss)})
	}

	// It has room: at most two draws are here.
	hw.Unused(m, queue.Push.Ready)
	hw.Unused(m, queue.Level)
	hw.Set(p.Out, queue.Pop)
}
