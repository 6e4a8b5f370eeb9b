package testbench

import (
	"etch/hw"
	"etch/hw/stream"
)

// Source offers values on a stream, one after the other, during Step. What is
// offered stays until it is taken.
type Source[T any] struct {
	clocked
	end
	form    T
	queue   []element
	offered bool
}

// NewSource makes a source of an input stream of the top, which nobody else
// drives then.
func NewSource[T any](b *Bench, to stream.Stream[T], opts ...AgentOption) *Source[T] {
	b.t.Helper()
	s := &Source[T]{form: to.Data}
	var why string
	if s.clocked, why = b.newClocked(opts); why != "" {
		b.t.Fatal(why)
	}
	if s.end, why = b.end("NewSource", to.Valid, to.Ready, hw.Leaves(to.Data), true); why != "" {
		b.t.Fatal(why)
	}
	if why = claim("Source", append([]*port{s.valid}, s.data...)...); why != "" {
		b.t.Fatal(why)
	}
	b.agents = append(b.agents, s)
	b.heed()
	return s
}

// Send queues values, literals of the stream's form. Scalars left unset keep the
// value of the element before.
func (s *Source[T]) Send(values ...T) {
	for _, v := range values {
		e, why := elementOf("Send", s.form, v)
		if why != "" {
			s.b.t.Helper()
			s.b.t.Fatal(why)
		}
		s.queue = append(s.queue, e)
	}
}

// Left is the number of values that have not moved yet.
func (s *Source[T]) Left() int { return len(s.queue) }

func (s *Source[T]) drive() {
	if !s.offered && len(s.queue) > 0 && !s.paused() {
		for i, x := range s.queue[0] {
			if x.given {
				s.put(s.data[i], x.v)
			}
		}
		s.offered = true
	}
	s.putBit(s.valid, s.offered)
}

func (s *Source[T]) sample() {
	if s.offered && s.b.high(s.ready) {
		s.queue, s.offered = s.queue[1:], false
	}
}

func (s *Source[T]) rest() {
	s.offered = false
	s.putBit(s.valid, false)
}
