package code

import (
	"runtime"

	"etch/sim/native/cpu"
	"etch/sim/native/exec"
	"etch/sim/native/vector"
)

// Target is a kind of processor that programs are compiled for.
type Target struct {
	Name   string
	Words  int // vector length, in 64-bit words
	Fanin  int // operands of a gate
	Regs   int // vector registers
	Native bool
	Arch   vector.Arch // of machine code, if Native
}

// The targets: amd64 with AVX2 or AVX-512, arm64, and Go code for all others.
var (
	Portable = Target{Name: "portable", Words: 8, Fanin: 3, Regs: 32}
	AVX2     = Target{Name: "avx2", Words: 4, Fanin: 2, Regs: 16, Native: true, Arch: vector.AVX2}
	AVX512   = Target{Name: "avx512", Words: 8, Fanin: 3, Regs: 32, Native: true, Arch: vector.AVX512}
	NEON     = Target{Name: "neon", Words: 4, Fanin: 2, Regs: 15, Native: true, Arch: vector.NEON}
)

// Best returns the fastest target for this architecture with features f.
func Best(f cpu.Features) Target {
	switch {
	case !exec.Supported():
	case f.AVX512:
		return AVX512
	case f.AVX2:
		return AVX2
	case runtime.GOARCH == "arm64":
		return NEON
	}
	return Portable
}
