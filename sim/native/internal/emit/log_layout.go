package emit

import "etch/sim/native/internal/rows"

// LogLayout is the places of the words that a Log keeps.
type LogLayout struct {
	Lanes []LogLane     // by watched word
	Outs  []int32       // by number of a combinational value: its watched word
	State []uint32      // the slots of the first watched words
	Kept  [2]*rows.Rows // rows of values of up to 32 bits, and of up to 64
}

// LogLane is the place of a watched word's values.
type LogLane struct { // its number outside of the Log
	Word int32 // its number outside
	Bits uint8 // index into kept
	Wide uint8 // which of kept
	Lane int32
}
