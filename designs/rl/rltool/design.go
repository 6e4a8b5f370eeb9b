package rltool

import (
	"fmt"
	"io"

	"etch/designs/cli"
	"etch/designs/rl"
	"etch/hw/axi"
)

// Designs are the systems that learn CartPole and the pendulum.
func Designs() []cli.Design {
	values := cli.Component("rl", "a learner of values with its replay memory behind an AXI4-Lite port", rl.CartPole(32))
	values.Report = func(given cli.Values, w io.Writer, _ string) (any, error) {
		s := rl.CartPole(32)
		return report(&s, given, w, func() (int, int) { return s.Learner.Batch, s.Learner.Multipliers() })
	}
	actions := cli.Component("rl_ddpg", "a learner of continuous actions with its replay memory behind an AXI4-Lite port", rl.Pendulum(32))
	actions.Report = func(given cli.Values, w io.Writer, _ string) (any, error) {
		s := rl.Pendulum(32)
		return report(&s, given, w, func() (int, int) { return s.Learner.Batch, s.Learner.Multipliers() })
	}
	return []cli.Design{values, actions}
}

// system is the part of a system that reports need.
type system interface {
	Validate() error
	Multipliers() int
	Registers() axi.Map
	StepCycles() (draw, learn, update int)
}

// timing is the JSON of report, in cycles and multipliers; cells come from elsewhere.
type timing struct {
	Draw        int    `json:"draw_cycles"`
	Learn       int    `json:"learn_cycles"`
	Update      int    `json:"update_cycles"`
	Step        int    `json:"step_cycles"`
	Multipliers int    `json:"multipliers"`
	Registers   string `json:"registers"`
}

// report prints the cycles of a step and the registers of the host port. s is a pointer to
// a system; batch gives its samples and the learner's multipliers.
func report(s system, given cli.Values, w io.Writer, batch func() (samples, multipliers int)) (any, error) {
	if err := cli.Fill(s, given); err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, cli.Usagef("%v", err)
	}

	// Cycles by formula, which the tests compare with the circuit.
	t := timing{Multipliers: s.Multipliers(), Registers: s.Registers().Table()}
	t.Draw, t.Learn, t.Update = s.StepCycles()
	t.Step = t.Draw + t.Learn + t.Update

	samples, multipliers := batch()
	fmt.Fprintf(w, "a gradient step of %d samples takes %d cycles: %d of draws, %d of the learner, %d for the last priorities\n",
		samples, t.Step, t.Draw, t.Learn, t.Update)
	fmt.Fprintf(w, "%d multipliers, %d of them for draws\n\n%s", t.Multipliers, t.Multipliers-multipliers, t.Registers)
	return t, nil
}
