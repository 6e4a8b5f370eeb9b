package emit

import (
	"runtime"

	"etch/sim/native/cpu"
)

// Target is a processor architecture for which nets are compiled.
type Target interface {
	// Runs reports whether a processor with features f can run all code.
	Runs(f cpu.Features) bool
	// Registers lists the machine registers for values, in code for a purpose.
	Registers(p Purpose) []uint8
	// Writer writes code for a processor with features f.
	Writer(f cpu.Features) Writer
	// Vectors reports whether a processor with features f can run packs; packs returns their
	// writer.
	Vectors(f cpu.Features) bool
	packs(f cpu.Features) PackWriter
}

// Purpose is the kind of code that registers are allocated for.
type Purpose uint8

// The purposes.
const (
	InPlain  Purpose = iota
	InBodies         // of Engines
	InClass          // of Classes
	InParts          // of a partition
)

// targets are all architectures, available on any machine for tests of the emitted code.
var targets = map[string]Target{"amd64": amd64Target{}, "arm64": Arm64Target{}}

// Here is this machine's target, or nil.
var Here = targets[runtime.GOARCH]
