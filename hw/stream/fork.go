package stream

import "etch/hw"

// Fork gives every element to each of N consumers. A consumer that is ready
// takes its copy at once, whatever the others do; the element leaves In with the
// last of them.
type Fork[T any] struct {
	Elem T
	N    int `help:"consumers" range:"1..4096"`
}

type ForkPorts[T any] struct {
	In  Stream[T]         `dir:"in"`
	Out hw.Vec[Stream[T]] `dir:"out"` // N of them
}

func (f Fork[T]) Ports() ForkPorts[T] {
	return ForkPorts[T]{In: Of(f.Elem), Out: hw.VecOf(f.N, Of(f.Elem))}
}

func (f Fork[T]) Build(m *hw.Module, p ForkPorts[T]) {
	// A consumer has been served if it took its copy in an earlier cycle or takes it now; only the
	// former withholds the offer.
	var served []hw.Bit // by the end of this cycle
	taken := make([]hw.Bit, f.N)
	for i, out := range p.Out {
		taken[i] = hw.Reg(m, hw.Name("taken", i), hw.Bit{}, hw.Low)
		out.Send(p.In.Valid.AndNot(taken[i]), p.In.Data)
		served = append(served, taken[i].Or(out.Ready))
	}

	// The element leaves once nobody is left to serve, and the marks of all consumers are cleared
	// for the next.
	all := hw.AllOf(served...).Named("all_served")
	p.In.Ready.Set(all)
	for i := range p.Out {
		taken[i].Set(p.In.Valid.And(served[i]).AndNot(all))
	}

	m.Assert(hw.AllOf(taken...).Not(), "every consumer has its copy and the element is still there")
}

// Arbiter merges N streams, an element at a time.
type Arbiter[T any] struct {
	Elem     T
	N        int  `help:"producers" range:"1..4096"`
	Priority bool `help:"the lowest index always goes first; otherwise they take turns"`
}

type ArbiterPorts[T any] struct {
	In   hw.Vec[Stream[T]] `dir:"in"` // N of them
	Out  Stream[T]         `dir:"out"`
	From hw.UInt           `dir:"out"` // the input that Out comes from
}

func (a Arbiter[T]) Ports() ArbiterPorts[T] {
	return ArbiterPorts[T]{In: hw.VecOf(a.N, Of(a.Elem)), Out: Of(a.Elem), From: hw.AddressOf(a.N)}
}

// Build describes the body. A choice, once offered and not taken, stands: Out
// keeps the rules of a stream.
func (a Arbiter[T]) Build(m *hw.Module, p ArbiterPorts[T]) {
	last := hw.Reg(m, "last", hw.Like(p.From), hw.U(0)) // offered last
	stuck := hw.Reg(m, "stuck", hw.Bit{}, hw.Low)       // and not taken
	choice := hw.Wire(m, "choice", hw.Like(p.From), hw.U(0))

	// Later conditions win, so the list goes from the least to the most wanted:
	// any valid input, then those after the last served one.
	passes := []bool{false, true}
	if a.Priority {
		passes = passes[:1]
	}
	for _, afterLast := range passes {
		for i := a.N - 1; i >= 0; i-- {
			want := p.In[i].Valid
			if afterLast {
				want = want.And(last.IsLt(i))
			}
			choice.SetIf(want, hw.U(i))
		}
	}

	// An offer that nobody has taken must not change, whatever arrives meanwhile.
	choice.SetIf(stuck, last)

	// Every input reads as not ready unless it is the chosen one: the connection through At routes
	// the consumer's ready back to that input alone.
	for _, in := range p.In {
		in.Ready.Set(hw.Low)
	}
	hw.Set(p.Out, p.In.At(choice))
	p.From.Set(choice)
	stuck.Set(p.Out.Valid.AndNot(p.Out.Ready))
	last.SetIf(p.Out.Valid, choice)

	// The invariants that a user of the arbiter relies on: nothing is lost, nothing starves, an
	// offer stands.
	var valid, sound []hw.Bit
	for i, in := range p.In {
		valid = append(valid, in.Valid)
		sound = append(sound, in.Ready.Implies(choice.Is(i)))
	}
	m.Assert(hw.AllOf(sound...), "an element is taken from another input than %d, which is offered", choice)
	m.Assert(hw.AnyOf(valid...).Implies(p.Out.Valid.Or(stuck)), "an element waits and none is offered")
	m.Assert(hw.Past(m, p.Out.Valid.AndNot(p.Out.Ready)).Implies(hw.Stable(m, choice)), "the offer moved to %d before it was taken", choice)
	if a.N&(a.N-1) != 0 {
		m.Assert(last.Lt(hw.U(a.N)), "there is no input %d", last)
	}
}
