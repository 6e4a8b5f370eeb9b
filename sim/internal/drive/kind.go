package drive

import (
	"fmt"

	"etch/sim/choose"
	"etch/sim/internal/switches"
)

// Kind is an implementation that runs a program.
type Kind uint8

// The kinds, as the engines of package sim.
const (
	Auto        Kind = iota // Native where it is supported and pays, else Interpreter
	Interpreter             // the reference
	Native                  // compiled before the first cycle
	Lockstep                // Native and Interpreter, compared
)

var kindNames = [...]string{"auto", "interpreter", "native", "lockstep"}

// String is "auto", "interpreter", "native" or "lockstep".
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return fmt.Sprintf("engine(%d)", uint8(k))
	}
	return kindNames[k]
}

// engineFromEnv is the engine of Steppers that leave it open, and the policy of its code, nil
// for that of the engine.
func engineFromEnv() (Kind, *choose.Policy, error) {
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
