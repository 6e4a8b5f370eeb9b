package native

import "etch/sim/native/internal/rows"

// logLayout is the places of the words that a Log keeps.
type logLayout struct {
	lanes []logLane     // by watched word
	outs  []int32       // by number of a combinational value: its watched word
	state []uint32      // the slots of the first watched words
	kept  [2]*rows.Rows // rows of values of up to 32 bits, and of up to 64
}

// logLane is the place of a watched word's values.
type logLane struct { // its number outside of the Log
	word int32 // its number outside
	bits uint8 // index into kept
	wide uint8 // which of kept
	lane int32
}
