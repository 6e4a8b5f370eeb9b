package equiv

import (
	"fmt"
	"strings"

	"etch/ir/bits"
	"etch/testbench/equiv/prover"
)

// Outcome is the state of knowledge at the end.
type Outcome uint8

// The outcomes.
const (
	Unknown   Outcome = iota // nothing was decided: Result.Why has the reason
	Equal                    // the designs are equal, the assertions hold
	Different                // they are not: Result.Counterexample shows it
)

// String returns "unknown", "equal" or "different".
func (o Outcome) String() string { return [...]string{"unknown", "equal", "different"}[o] }

// Result is the answer to a comparison or a proof.
type Result struct {
	Outcome        Outcome
	Counterexample *Counterexample // Different
	Why            string          // Unknown
	By             string          // the method that decided: structure, correspondence, simulation, sweep, induction, unrolling, k-induction, ABC
	Depth          int             // cycles from the start without a failure, as far as known
	Gates, Latches int             // size of the system
}

// String returns one line, or more with a counterexample.
func (r *Result) String() string {
	switch r.Outcome {
	case Equal:
		return fmt.Sprintf("holds, by %s (%d gates, %d bits of state)", r.By, r.Gates, r.Latches)
	case Different:
		return r.Counterexample.String()
	}
	return fmt.Sprintf("not decided: %s (%d gates, %d bits of state)", r.Why, r.Gates, r.Latches)
}

// Counterexample is a run, confirmed by the simulator, in which two designs differ
// or an assertion fails.
type Counterexample struct {
	Cycle     int        // cycle of the failure, from 0 after the reset
	Edges     bool       // Cycle counts edges: some state moves with falling ones
	Resets    int        // reset cycles before cycle 0
	Port      string     // the output, or "instance.port" for an input of a black box
	A, B      bits.Value // of the port on both sides
	Assertion string     // the assertion that fails, if it is one
	Message   string     // its failure in the simulator's words
	Wave      string     // a drawing of the run from cycle 0
	Apart     []string   // state that starts as anything and has no counterpart on the other side

	bad bad
}

// String returns the failure, its cycle, and the drawing of the run.
func (c *Counterexample) String() string {
	var b strings.Builder
	after := ""
	if c.Resets > 0 {
		after = fmt.Sprintf(" (after %d of reset)", c.Resets)
	}
	when := fmt.Sprintf("in cycle %d%s", c.Cycle, after)
	if c.Edges {
		when = fmt.Sprintf("before edge %d%s, rising and falling ones counted from 0", c.Cycle, after)
	}
	if c.Port != "" {
		fmt.Fprintf(&b, "%s differs %s: a has %v, b has %v\n", c.Port, when, c.A, c.B)
	} else {
		fmt.Fprintf(&b, "fails %s: %s\n", when, c.Message)
	}
	if len(c.Apart) > 0 {
		fmt.Fprintf(&b, "start as anything, with none like them on the other side: %s\n", strings.Join(c.Apart, ", "))
	}
	b.WriteString(c.Wave)
	return strings.TrimSuffix(b.String(), "\n")
}

// outcome translates the prover's outcome.
func outcome(o prover.Outcome) Outcome {
	return map[prover.Outcome]Outcome{prover.Unknown: Unknown, prover.Proved: Equal, prover.Refuted: Different}[o]
}
