package sim

import (
	"fmt"
	"os"

	"etch/sim/choose"
	"etch/sim/internal/switches"
)

// Use of the debug switches, which package switches reads.

// engineFromEnv is the engine of simulators without [WithEngine], and the policy of its code, nil
// for that of the engine.
func engineFromEnv() (Engine, *choose.Policy, error) {
	switch name := switches.Engine(); name {
	case "", "auto":
		return Auto, nil, nil
	case "interpreter", "interp":
		return Interpreter, nil, nil
	case "native":
		return Native, nil, nil
	case "lockstep":
		return Lockstep, nil, nil
	case "parts":
		return Lockstep, choose.EagerParts(), nil
	default:
		return Auto, nil, fmt.Errorf("sim: ETCH_ENGINE=%s is none of auto, interpreter, native, lockstep, parts", name)
	}
}

// beforeCompile is called before anything is compiled; tests make it panic.
var beforeCompile = func() {}

// compiling calls f, which compiles. If recovers is set, a panic of it is given to fault and returned
// as an error: it is a fault of etch and not of the design, so slower code goes on in its place.
func compiling(f func() error, recovers bool, fault func(error)) (err error) {
	if recovers {
		defer func() {
			if why := recover(); why != nil {
				err = fmt.Errorf("sim: compiling ended with a panic, which is a fault of etch: %v", why)
				fault(err)
			}
		}()
	}
	beforeCompile()
	return f()
}

// tellFault tells of a fault of the compiler on standard error.
func tellFault(err error) {
	fmt.Fprintf(os.Stderr, "%v; slower code goes on (ETCH_STRICT=1 shows where)\n", err)
}

// guarded calls f, which compiles, and returns a panic of it as an error if the engine was chosen
// automatically. The user who asked for Native gets the panic.
func (s *Sim) guarded(f func() error) error { return compiling(f, s.recovers(), s.fault) }

// recovers reports whether panics of the compiler are reported instead of ending the process.
func (s *Sim) recovers() bool {
	return (s.kind == Auto || s.kind == Native && s.lenient) && !switches.Strict()
}

// fault keeps the first fault of the compiler for the Report, and tells of it on standard error.
func (s *Sim) fault(err error) {
	if s.broken == nil {
		s.broken = err
		tellFault(err)
	}
}
