// Package cpu tells which extensions of the instruction set the processor has, as far as the
// engines use them.
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

// Host returns the features that this processor and its operating system support.
func Host() Features { return host }
