package native

import (
	"runtime"

	"etch/sim/native/cpu"
)

// target is a kind of processor that nets are compiled for.
type target interface {
	// runs reports whether a processor with features f has what all code needs.
	runs(f cpu.Features) bool
	// adapts reports whether there is code for the bodies of Engines and the
	// instances of Classes; where there is none, all nets get plain code.
	adapts() bool
	// gates reports whether nets get gates.
	gates() bool
	// banks reports whether there is code for look-ups that are gathered in banks.
	banks() bool
	// registers are those that values may live in.
	registers() []uint8
	// plain is the machine code that does cycles of c, until none are left or the
	// net stops, for a processor with features f.
	plain(c *code, f cpu.Features) ([]byte, error)
}

// targets are those that code can be made for, on any machine.
var targets = map[string]target{"amd64": amd64Target{}, "arm64": arm64Target{}}

// here is the target of this machine, nil if there is none.
var here = targets[runtime.GOARCH]

// Adapts reports whether New and NewClass specialise code on this platform.
func Adapts() bool { return here != nil && here.adapts() }
