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
