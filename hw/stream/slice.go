package stream

import (
	"fmt"

	"etch/hw"
)

// Cut says which paths a register slice cuts.
type Cut int

// The cuts. Each lets one element through per cycle.
const (
	Forward  Cut = iota // Valid and Data come from registers: one cycle later, Ready passes through
	Backward            // Ready comes from a register: no delay while nothing waits
	Both                // all three: two elements held, one cycle later
)

// RegisterSlice breaks the combinational paths of a stream.
type RegisterSlice[T any] struct {
	Elem T
	Cut  Cut
}

type SlicePorts[T any] struct {
	In  Stream[T] `dir:"in"`
	Out Stream[T] `dir:"out"`
}

func (r RegisterSlice[T]) Validate() error {
	if r.Cut < Forward || r.Cut > Both {
		return fmt.Errorf("Cut = %d, want Forward, Backward or Both", r.Cut)
	}
	return nil
}

func (r RegisterSlice[T]) Ports() SlicePorts[T] {
	return SlicePorts[T]{In: Of(r.Elem), Out: Of(r.Elem)}
}

func (r RegisterSlice[T]) Build(m *hw.Module, p SlicePorts[T]) {
	switch r.Cut {
	case Forward:
		hw.Set(p.Out, forward(m, p.In))
	case Backward:
		hw.Set(p.Out, backward(m, p.In))
	case Both:
		hw.Set(p.Out, backward(m, forward(m, p.In)))
	}
}

// forward holds one element; it is replaced when it leaves.
func forward[T any](m *hw.Module, in Stream[T]) Stream[T] {
	full := hw.Reg(m, "full", hw.Bit{}, hw.Low)
	held := hw.Reg(m, "held", hw.Like(in.Data))
	ready := hw.Wire(m, "held_ready", hw.Bit{})

	// New data is accepted when the register is empty or empties in this cycle, so that one
	// element passes per cycle.
	in.Ready.Set(ready.Or(full.Not()))
	full.SetIf(in.Ready, in.Valid)
	hw.SetIf(held, in.Fire(), in.Data)
	out := Stream[T]{Valid: full, Ready: ready, Data: held}

	Check(m, "held", out)
	return out
}

// backward takes one more element after the consumer has stalled.
func backward[T any](m *hw.Module, in Stream[T]) Stream[T] {
	full := hw.Reg(m, "spare_full", hw.Bit{}, hw.Low)
	spare := hw.Reg(m, "spare", hw.Like(in.Data))
	ready := hw.Wire(m, "spare_ready", hw.Bit{})

	// Ready depends on the spare register alone, so the consumer's ready reaches the producer one
	// cycle late; the element sent meanwhile goes to the spare.
	in.Ready.Set(full.Not())
	valid := in.Valid.Or(full)
	m.When(in.Fire().AndNot(ready), func() {
		full.Set(hw.High)
		hw.Set(spare, in.Data)
	}).ElseWhen(ready, func() { full.Set(hw.Low) })

	Check(m, "spare", Stream[T]{Valid: full, Ready: ready, Data: spare})
	return Stream[T]{Valid: valid, Ready: ready, Data: hw.Mux(full, spare, in.Data)}
}

// Pipe is s behind a register slice.
func Pipe[T any](m *hw.Module, name string, s Stream[T], cut Cut) Stream[T] {
	r := hw.Inst(m, name, RegisterSlice[T]{Elem: hw.Like(s.Data), Cut: cut}, SlicePorts[T]{In: s})
	return r.Out
}
