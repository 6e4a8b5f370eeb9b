package testbench

import (
	"fmt"

	"etch/hw"
	"etch/hw/stream"
	"etch/ir/bits"
)

// Sink takes and keeps the elements that a stream offers, during Step.
type Sink[T any] struct {
	agent
	end
	form T
	got  [][]bits.Value
	at   []uint64 // by element: the cycle in which it moved
	next bool     // it is ready at this turn
	open bool     // ready is high
}

// NewSink makes a sink of an output stream of the top, whose ready nobody else
// drives then.
func NewSink[T any](b *Bench, from stream.Stream[T], opts ...AgentOption) *Sink[T] {
	b.t.Helper()
	s := &Sink[T]{form: from.Data}
	var why string

	// Options, ports, drivers: whatever is wrong is reported at the caller's line.
	if s.agent, why = b.newAgent(opts); why != "" {
		b.t.Fatal(why)
	}
	if s.end, why = b.end("NewSink", from.Valid, from.Ready, hw.Leaves(from.Data), false); why != "" {
		b.t.Fatal(why)
	}
	if why = claim("Sink", s.ready); why != "" {
		b.t.Fatal(why)
	}
	s.start(s.run)
	return s
}

// Got lists the elements that have been taken: per element its scalars in field order.
func (s *Sink[T]) Got() [][]bits.Value { return s.got }

// Expect checks that exactly the given elements, literals of the stream's form,
// have been taken, and forgets them. Scalars left unset are not compared.
func (s *Sink[T]) Expect(want ...T) {
	t := s.b.t
	t.Helper()
	if len(s.got) != len(want) {
		t.Errorf("cycle %d: %s gave %d elements, want %d", s.b.Sim.Cycles(), s.name, len(s.got), len(want))
	}

	// Compare as far as both reach, and stop after some failures.
	wrong := 0
	for i := range min(len(s.got), len(want)) {
		e, err := hw.LeafValues(s.form, want[i])
		if err != nil {
			t.Fatalf("Expect: %v", err)
		}
		for k, x := range e {
			if !x.Given || x.Value.Equal(s.got[i][k]) {
				continue
			}
			if wrong++; wrong > mostFailures {
				t.Fatalf("%s: more elements are wrong", s.name)
			}

			// The element's value is explained in the cycle in which it moved.
			sig := s.data[k].sig
			t.Errorf("%s, element %d: %s = %s, want %s", s.name, i, field(s.paths[k]), show(sig, s.got[i][k]), show(sig, x.Value))
			s.b.whyAt(sig, s.at[i])
		}
	}
	s.got, s.at = nil, nil
}

// field is the path of a scalar in an element.
func field(path string) string {
	if path == "" {
		return "it"
	}
	return fmt.Sprintf("its %s", path)
}

// run is ready in each cycle in which it does not pause. A sink without pauses stays
// ready, and goes on for elements only.
func (s *Sink[T]) run() {
	waits, moves := s.waits, s.moves
	s.open = true // unknown: the first turn sets it
	for {
		// With pauses every cycle is a turn of its own; without them ready stays high until a
		// reset.
		s.open = s.turn(waits) && s.next
		s.putBit(s.ready, s.open)
		switch {
		case !s.open:
		case s.rand != nil:
			if s.look(nil) && s.moves() {
				s.take()
			}
		default:
			for s.look(moves) {
				s.take()
			}
			s.putBit(s.ready, false) // in reset
		}
	}
}

// waits decides at a turn whether the sink pauses, and reports whether it has anything
// to do.
func (s *Sink[T]) waits() bool {
	s.next = !s.paused()
	return s.next || s.open
}

// moves reports whether an element moves at the edge.
func (s *Sink[T]) moves() bool { return s.b.high(s.valid) && s.b.high(s.ready) }

func (s *Sink[T]) take() {
	vs := make([]bits.Value, len(s.data))
	for i, p := range s.data {
		vs[i] = s.b.bits(p)
	}
	s.got, s.at = append(s.got, vs), append(s.at, s.b.Sim.Cycles())
}
