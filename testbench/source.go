package testbench

import (
	"etch/hw"
	"etch/hw/stream"
)

// Source offers values on a stream, one after the other, during Step. An element that is
// offered stays until it is taken.
type Source[T any] struct {
	agent
	end
	form   T
	queue  [][]hw.LeafValue // a value for each scalar of an element
	next   bool             // the next element is offered at this turn
	offers bool             // valid is high
}

// NewSource makes a source of an input stream of the top, which nobody else
// drives then.
func NewSource[T any](b *Bench, to stream.Stream[T], opts ...AgentOption) *Source[T] {
	b.t.Helper()
	s := &Source[T]{form: to.Data}
	var why string

	// Options, ports, drivers: whatever is wrong is reported at the caller's line.
	if s.agent, why = b.newAgent(opts); why != "" {
		b.t.Fatal(why)
	}
	if s.end, why = b.end("NewSource", to.Valid, to.Ready, hw.Leaves(to.Data), true); why != "" {
		b.t.Fatal(why)
	}
	if why = claim("Source", append([]*port{s.valid}, s.data...)...); why != "" {
		b.t.Fatal(why)
	}
	s.start(s.run)
	return s
}

// Send queues values, literals of the stream's form. Scalars left unset keep the
// value of the element before.
func (s *Source[T]) Send(values ...T) {
	for _, v := range values {
		e, err := hw.LeafValues(s.form, v)
		if err != nil {
			s.b.t.Helper()
			s.b.t.Fatalf("Send: %v", err)
		}
		s.queue = append(s.queue, e)
	}
}

// Left is the number of values that have not moved yet.
func (s *Source[T]) Left() int { return len(s.queue) }

// run offers one element after the other. A reset takes an offer back; the element is
// offered again behind it.
func (s *Source[T]) run() {
	waits, moves := s.waits, s.moves
	s.offers = true // unknown: the first turn sets it
	for {
		if !s.turn(waits) || !s.next {
			s.offer(false)
			continue
		}

		// Fields that an element leaves open keep their values.
		for i, x := range s.queue[0] {
			if x.Given {
				s.put(s.data[i], x.Value)
			}
		}
		s.offer(true)

		// Without a transfer, a reset has cut the offer off.
		if s.look(moves) {
			s.queue = s.queue[1:] // valid stays until the next turn
		} else {
			s.offer(false)
		}
	}
}

// waits decides at a turn whether the next element is offered, and reports whether the
// source has anything to do.
func (s *Source[T]) waits() bool {
	s.next = len(s.queue) > 0 && !s.paused()
	return s.next || s.offers
}

// moves reports whether the element on offer moves at the edge.
func (s *Source[T]) moves() bool { return s.b.high(s.ready) }

func (s *Source[T]) offer(valid bool) {
	s.offers = valid
	s.putBit(s.valid, valid)
}
