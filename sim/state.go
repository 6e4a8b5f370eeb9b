package sim

import (
	"etch/ir/bits"
	"etch/sim/internal/program"
)

// state is a program with its values and memories; its methods interpret the program.
type state struct {
	p      *program.Program
	v      []uint64   // the values of all slots
	mems   [][]uint64 // by memory: its words; nil for large ones
	large  largeState
	models []program.Model // by box

	seed   uint64 // of state without initial values
	seeded bool

	fired []int32  // scratch: registers held by an asynchronous reset
	taken []uint64 // scratch: the values they take
	word  []uint64 // scratch: a memory word and one mask lane of it
}

// value returns the value of width bits at a slot.
func (s *state) value(slot uint32, width int) bits.Value {
	if width <= 64 {
		return bits.New(width, s.v[slot])
	}
	return bits.FromWords(width, s.v[slot:][:bits.WordCount(width)])
}

// begin makes the scratch words.
func (s *state) begin() {
	widest := 1
	for i := range s.p.Mems {
		widest = max(widest, s.p.Mems[i].Words)
	}
	s.word = make([]uint64, 2*widest)
}
