package interp

import (
	"etch/ir/bits"
	"etch/sim/internal/program"
)

// State is a program with its values and memories; its methods interpret the program.
type State struct {
	P      *program.Program
	V      []uint64   // the values of all slots
	Mems   [][]uint64 // by memory: its words; nil for large ones
	Large  Large
	Models []program.Model // by box
	box    boxScratch

	Seed   uint64 // of state without initial values
	Seeded bool

	fired []int32  // scratch: registers held by an asynchronous reset
	taken []uint64 // scratch: the values they take
	word  []uint64 // scratch: a memory word and one mask lane of it
}

// Value copies width bits out of the words from slot on.
func (s *State) Value(slot uint32, width int) bits.Value {
	if width <= 64 {
		return bits.New(width, s.V[slot])
	}
	return bits.FromWords(width, s.V[slot:][:bits.WordCount(width)])
}

// Begin makes the scratch words.
func (s *State) Begin() {
	// One half for the row of a large memory, the other for a lane of its mask.
	widest := 1
	for i := range s.P.Mems {
		widest = max(widest, s.P.Mems[i].Words)
	}
	s.word = make([]uint64, 2*widest)
}
