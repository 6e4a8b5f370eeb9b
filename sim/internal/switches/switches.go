// Package switches reads the debug switches of package sim and of the packages below it, which are
// all here: variables of the environment. It imports the standard library only.
package switches

import (
	"fmt"
	"os"
	"strconv"
)

// Switches that are read once.
var (
	// Notes: ETCH_PLANS=1 prints the notes of all reports on standard error, as they are made.
	Notes = os.Getenv("ETCH_PLANS") == "1"
	// Dump: ETCH_DUMP names a file to which each machine code is written; the last one stays.
	Dump = os.Getenv("ETCH_DUMP")
	// Verify: ETCH_VERIFY=1 verifies the nets that transformations make (net.VerifyAll).
	Verify = os.Getenv("ETCH_VERIFY") == "1"
)

// Engine is ETCH_ENGINE: auto, interpreter, native, lockstep or parts, the engine of simulators
// without sim.WithEngine, so that any test can run under each. parts is lockstep, by code with
// parts wherever a net can have them. A design that native code cannot run is interpreted.
func Engine() string { return os.Getenv("ETCH_ENGINE") }

// Packing is ETCH_PACK, the WithPacking of simulators without that option; 0 without it.
func Packing() int {
	if n, err := strconv.Atoi(os.Getenv("ETCH_PACK")); err == nil && n > 0 {
		return n
	}
	return 0
}

// Strict reports whether a panic while compiling ends the process: ETCH_STRICT=1. Otherwise a
// simulator whose engine was chosen automatically goes on with the interpreter, or the code before.
func Strict() bool { return os.Getenv("ETCH_STRICT") == "1" }

// Note prints a note of a report if Notes asks for it.
func Note(of, text string) {
	if Notes {
		fmt.Fprintln(os.Stderr, of+": "+text)
	}
}
