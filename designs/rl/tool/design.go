package tool

import (
	"fmt"
	"io"

	"etch/designs/cli"
	"etch/designs/rl"
)

// Design is the system that learns CartPole.
func Design() cli.Design {
	d := cli.Component("rl", "a learner of values with its replay memory behind an AXI4-Lite port", rl.CartPole(32))
	d.Report = report
	return d
}

// timing is what report says besides cells.
type timing struct {
	Draw        int    `json:"draw_cycles"`
	Learn       int    `json:"learn_cycles"`
	Update      int    `json:"update_cycles"`
	Step        int    `json:"step_cycles"`
	Multipliers int    `json:"multipliers"`
	Registers   string `json:"registers"`
}

// report prints the cycles of a step and the registers of the host port.
func report(given cli.Values, w io.Writer, _ string) (any, error) {
	s := rl.CartPole(32)
	if err := cli.Fill(&s, given); err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, cli.Usagef("%v", err)
	}
	t := timing{Multipliers: s.Multipliers(), Registers: s.Registers().Table()}
	t.Draw, t.Learn, t.Update = s.StepCycles()
	t.Step = t.Draw + t.Learn + t.Update
	fmt.Fprintf(w, "a gradient step of %d samples takes %d cycles: %d of draws, %d of the learner, %d for the last priorities\n",
		s.Learner.Batch, t.Step, t.Draw, t.Learn, t.Update)
	fmt.Fprintf(w, "%d multipliers, %d of them for draws\n\n%s", t.Multipliers, t.Multipliers-s.Learner.Multipliers(), t.Registers)
	return t, nil
}
