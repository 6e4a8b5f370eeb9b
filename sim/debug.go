package sim

import (
	"fmt"
	"os"
	"strconv"
)

// Debug switches, by environment, here and below. ETCH_ENGINE=interpreter, native or lockstep is
// the engine of simulators without [WithEngine], so that any test can run under each. A design
// that native code cannot run is interpreted.
func engineFromEnv(e Engine) (Engine, error) {
	if e != Auto {
		return e, nil
	}
	switch name := os.Getenv("ETCH_ENGINE"); name {
	case "", "auto":
		return Auto, nil
	case "interpreter", "interp":
		return Interpreter, nil
	case "native":
		return eager, nil
	case "lockstep":
		return Lockstep, nil
	default:
		return Auto, fmt.Errorf("sim: ETCH_ENGINE=%s is none of auto, interpreter, native, lockstep", name)
	}
}

// ETCH_PACK is the WithPacking of simulators without that option.
func packFrom() int {
	if n, err := strconv.Atoi(os.Getenv("ETCH_PACK")); err == nil && n > 0 {
		return n
	}
	return defaultPacking
}

// strict makes a panic while compiling end the process: ETCH_STRICT=1. Otherwise a simulator whose
// engine was chosen automatically goes on with the interpreter, or the code before.
func strict() bool { return os.Getenv("ETCH_STRICT") == "1" }

// beforeCompile is called before anything is compiled; tests make it panic.
var beforeCompile = func() {}

// guarded calls f, which compiles, and returns a panic of it as an error if the engine was chosen
// automatically.
func (s *Sim) guarded(f func() error) (err error) {
	// A panic of the compiler is a fault of etch and not of the design, so slower code goes on in
	// its place. The user who asked for Native gets the panic.
	if s.recovers() {
		defer func() {
			if why := recover(); why != nil {
				err = fmt.Errorf("sim: compiling ended with a panic, which is a fault of etch: %v", why)
				s.fault(err)
			}
		}()
	}
	beforeCompile()
	return f()
}

// recovers reports whether panics of the compiler are reported instead of ending the process.
func (s *Sim) recovers() bool { return (s.kind == Auto || s.kind == eager) && !strict() }

// fault keeps the first fault of the compiler for the Report, and tells of it on standard error.
func (s *Sim) fault(err error) {
	if s.broken == nil {
		s.broken = err
		fmt.Fprintf(os.Stderr, "%v; slower code goes on (ETCH_STRICT=1 shows where)\n", err)
	}
}
