package stream

import (
	"strings"

	"etch/hw"
)

// Stream carries elements of shape T. Ready travels against the rest, so hw.In
// and hw.Out of a stream are the consumer's and the producer's end.
type Stream[T any] struct {
	Valid hw.Bit // an element is offered
	Ready hw.Bit // an offered element would be taken
	Data  T      // meaningful while Valid is high
}

// Of is the shape of a stream of elem.
func Of[T any](elem T) Stream[T] {
	return Stream[T]{Valid: hw.Bit{}, Ready: hw.Flip(hw.Bit{}), Data: elem}
}

// Fire is high in the cycles in which an element moves. If valid is named in_valid, the result is
// named in_fire, unless the design gives it another name or uses in_fire elsewhere.
func (s Stream[T]) Fire() hw.Bit {
	fire := s.Valid.And(s.Ready)
	if base, ok := strings.CutSuffix(hw.NameOf(s.Valid), "valid"); ok {
		return fire.Suggest(strings.ReplaceAll(base, ".", "_") + "fire")
	}
	return fire
}

// Send offers data while valid is high: for the producer's end.
func (s Stream[T]) Send(valid hw.Bit, data T) {
	s.Valid.Set(valid)
	hw.Set(s.Data, data)
}

// Idle offers nothing, with zeros as the data: for the producer's end, where a
// Send under a condition may follow.
func (s Stream[T]) Idle() { s.Send(hw.Low, hw.Zero(s.Data)) }

// Map is a stream of f(element), with the same handshake and no delay.
func Map[A, B any](s Stream[A], f func(A) B) Stream[B] {
	return Stream[B]{Valid: s.Valid, Ready: s.Ready, Data: f(s.Data)}
}

// Filter is the stream of the elements for which keep is high. The other elements are taken from s
// and dropped.
func Filter[T any](m *hw.Module, name string, s Stream[T], keep func(T) hw.Bit) Stream[T] {
	wanted := keep(s.Data)
	ready := hw.Wire(m, name+"_ready", hw.Bit{})
	s.Ready.Set(ready.Or(wanted.Not()))
	return Stream[T]{Valid: s.Valid.And(wanted), Ready: ready, Data: s.Data}
}

// Pair is two elements that move together.
type Pair[A, B any] struct {
	First  A
	Second B
}

// Join waits for an element of each stream and moves both as one.
func Join[A, B any](m *hw.Module, name string, a Stream[A], b Stream[B]) Stream[Pair[A, B]] {
	ready := hw.Wire(m, name+"_ready", hw.Bit{})
	a.Ready.Set(ready.And(b.Valid))
	b.Ready.Set(ready.And(a.Valid))
	return Stream[Pair[A, B]]{Valid: a.Valid.And(b.Valid), Ready: ready, Data: Pair[A, B]{a.Data, b.Data}}
}

// Check adds assertions that s keeps the rules of a stream: an element that was
// offered and not taken is offered again, unchanged. They run on m's clock and
// are void in the first cycle after reset.
func Check[T any](m *hw.Module, name string, s Stream[T]) {
	data := hw.Pack(s.Data)
	before := hw.Past(m, data)
	m.When(hw.Past(m, s.Valid.AndNot(s.Ready)), func() {
		m.Assert(s.Valid, name+": valid fell before its element was taken")
		m.Assert(data.Eq(before), name+": data changed from %x to %x before it was taken", before, data)
	})
}
