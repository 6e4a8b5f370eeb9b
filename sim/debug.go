package sim

import "os"

// Debug switches, by environment. ETCH_ENGINE=interpreter, native or lockstep is
// the engine of simulators that were not told one, so that any test can be run
// under each: a design that native code cannot take is interpreted.
func engineFromEnv(e Engine) Engine {
	if e != Auto {
		return e
	}
	switch os.Getenv("ETCH_ENGINE") {
	case "interpreter":
		return Interpreter
	case "native":
		return eager
	case "lockstep":
		return Lockstep
	}
	return Auto
}
