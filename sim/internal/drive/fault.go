package drive

import (
	"fmt"
	"os"

	"etch/sim/internal/switches"
)

// BeforeCompile is called before anything is compiled; tests make it panic.
var BeforeCompile = func() {}

// Compiling calls f, which compiles. If recovers is set, a panic of it is given to fault and returned
// as an error: it is a fault of etch and not of the design, so slower code goes on in its place.
func Compiling(f func() error, recovers bool, fault func(error)) (err error) {
	if recovers {
		defer func() {
			if why := recover(); why != nil {
				err = fmt.Errorf("sim: compiling ended with a panic, which is a fault of etch: %v", why)
				fault(err)
			}
		}()
	}
	BeforeCompile()
	return f()
}

// TellFault tells of a fault of the compiler on standard error.
func TellFault(err error) {
	fmt.Fprintf(os.Stderr, "%v; slower code goes on (ETCH_STRICT=1 shows where)\n", err)
}

// guarded calls f, which compiles, and returns a panic of it as an error if the engine was chosen
// automatically. The user who asked for Native gets the panic.
func (s *Stepper) guarded(f func() error) error { return Compiling(f, s.recovers(), s.fault) }

// recovers reports whether panics of the compiler are reported instead of ending the process.
func (s *Stepper) recovers() bool {
	return (s.kind == Auto || s.kind == Native && s.lenient) && !switches.Strict()
}

// fault keeps the first fault of the compiler for the Report, and tells of it on standard error.
func (s *Stepper) fault(err error) {
	if s.broken == nil {
		s.broken = err
		TellFault(err)
	}
}
