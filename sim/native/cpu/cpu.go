// Package cpu says what the processor can do, as far as the engines ask.
//
// It imports nothing.
package cpu

// Features are extensions of the amd64 instruction set.
type Features struct {
	Popcnt bool
	BMI    bool // BMI1 and BMI2
	AVX2   bool
	AVX512 bool // F, BW, DQ and VL
	VBMI   bool // AVX512_VBMI
}

// Host returns what this processor, and its operating system, support.
func Host() Features { return host }
