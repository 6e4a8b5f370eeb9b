package native

import (
	"runtime"

	"etch/sim/native/cpu"
)

// target is a processor architecture for which nets are compiled.
type target interface {
	// runs reports whether a processor with features f can run all code.
	runs(f cpu.Features) bool
	// registers lists the machine registers for values, in code for a purpose.
	registers(p purpose) []uint8
	// writer writes code for a processor with features f.
	writer(f cpu.Features) writer
	// vectors reports whether a processor with features f can run packs; packs returns their
	// writer.
	vectors(f cpu.Features) bool
	packs(f cpu.Features) packWriter
}

// purpose is the kind of code that registers are allocated for.
type purpose uint8

const (
	inPlain         purpose = iota
	inBodies                // of Engines
	inClass                 // of Classes
	besideResidents         // of Engines whose residents take the last registers of inBodies
	inParts                 // of a partition
)

// targets are all architectures, available on any machine for tests of the emitted code.
var targets = map[string]target{"amd64": amd64Target{}, "arm64": arm64Target{}}

// here is this machine's target, or nil.
var here = targets[runtime.GOARCH]
