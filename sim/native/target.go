package native

import (
	"runtime"

	"etch/sim/native/cpu"
)

// target is a kind of processor that nets are compiled for.
type target interface {
	// runs reports whether a processor with features f has what all code needs.
	runs(f cpu.Features) bool
	// registers are those that values may live in, in code for a purpose.
	registers(p purpose) []uint8
	// writer writes code for a processor with features f.
	writer(f cpu.Features) writer
	// vectors reports whether such a processor has those of packs, which packs
	// writes code with.
	vectors(f cpu.Features) bool
	packs(f cpu.Features) packWriter
}

// purpose is what code is for.
type purpose uint8

const (
	inPlain         purpose = iota
	inBodies                // of Engines
	inClass                 // of Classes
	besideResidents         // of Engines, the last ones of inBodies being taken
)

// targets are those that code can be made for, on any machine.
var targets = map[string]target{"amd64": amd64Target{}, "arm64": arm64Target{}}

// here is the target of this machine, nil if there is none.
var here = targets[runtime.GOARCH]

// Adapts reports whether New and NewClass specialise code on this platform.
func Adapts() bool { return here != nil }
