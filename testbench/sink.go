package testbench

import (
	"fmt"

	"etch/hw"
	"etch/hw/stream"
	"etch/ir/bits"
)

// Sink takes what a stream offers, during Step, and keeps it.
type Sink[T any] struct {
	clocked
	end
	form T
	got  [][]bits.Value
}

// NewSink makes a sink of an output stream of the top, whose ready nobody else
// drives then.
func NewSink[T any](b *Bench, from stream.Stream[T], opts ...AgentOption) *Sink[T] {
	b.t.Helper()
	s := &Sink[T]{form: from.Data}
	var why string
	if s.clocked, why = b.newClocked(opts); why != "" {
		b.t.Fatal(why)
	}
	if s.end, why = b.end("NewSink", from.Valid, from.Ready, hw.Leaves(from.Data), false); why != "" {
		b.t.Fatal(why)
	}
	if why = claim("Sink", s.ready); why != "" {
		b.t.Fatal(why)
	}
	b.agents = append(b.agents, s)
	b.heed()
	return s
}

// Got is what has been taken: per element its scalars in field order.
func (s *Sink[T]) Got() [][]bits.Value { return s.got }

// Expect checks that exactly the given elements, literals of the stream's form,
// have been taken, and forgets them. Scalars left unset are not compared.
func (s *Sink[T]) Expect(want ...T) {
	t := s.b.t
	t.Helper()
	if len(s.got) != len(want) {
		t.Errorf("cycle %d: %s gave %d elements, want %d", s.b.Sim.Cycles(), s.name, len(s.got), len(want))
	}
	wrong := 0
	for i := range min(len(s.got), len(want)) {
		e, why := elementOf("Expect", s.form, want[i])
		if why != "" {
			t.Fatal(why)
		}
		for k, x := range e {
			if !x.given || x.v.Equal(s.got[i][k]) {
				continue
			}
			if wrong++; wrong > mostFailures {
				t.Fatalf("%s: more elements are wrong", s.name)
			}
			sig := s.data[k].sig
			t.Errorf("%s, element %d: %s = %s, want %s", s.name, i, field(s.paths[k]), show(sig, s.got[i][k]), show(sig, x.v))
		}
	}
	s.got = nil
}

// field is the path of a scalar in an element.
func field(path string) string {
	if path == "" {
		return "it"
	}
	return fmt.Sprintf("its %s", path)
}

func (s *Sink[T]) drive() { s.putBit(s.ready, !s.paused()) }

func (s *Sink[T]) sample() {
	if !s.b.high(s.valid) || !s.b.high(s.ready) {
		return
	}
	vs := make([]bits.Value, len(s.data))
	for i, p := range s.data {
		vs[i] = s.b.bits(p)
	}
	s.got = append(s.got, vs)
}

func (s *Sink[T]) rest() { s.putBit(s.ready, false) }
