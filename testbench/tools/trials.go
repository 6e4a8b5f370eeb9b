package tools

import "os"

// emulated is set by TestOnArm64 of sim/native for the tests that it runs under qemu.
const emulated = "ETCH_EMULATED"

// Trials returns the number of random inputs for a test: n on a real processor. On an emulated one,
// where most of the time goes into the reference model and not into the code under test, it is n/4,
// but not below least.
func Trials(n, least int) int {
	if !Emulated() {
		return n
	}
	return max(n/4, least)
}

// Emulated reports whether this process runs under emulation, where times say nothing about the
// processor that is emulated.
func Emulated() bool { return os.Getenv(emulated) != "" }
