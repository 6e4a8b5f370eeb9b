package tools

import "os"

// emulated is set by TestOnArm64 of sim/native for the tests that it runs under qemu.
const emulated = "ETCH_EMULATED"

// Trials is the number of random inputs that a test tries, of n on a real processor. On an emulated
// one, where most of the time goes into the model that judges and not into the code under test, it
// is a quarter, and at least least: one for each kind of input.
func Trials(n, least int) int {
	if !Emulated() {
		return n
	}
	return max(n/4, least)
}

// Emulated reports whether this process runs under emulation. What takes longer there says nothing
// about the processor that is emulated.
func Emulated() bool { return os.Getenv(emulated) != "" }
