package tool

import (
	"fmt"
	"io"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/learner"
)

// Design is the learner with the network of CartPole.
func Design() cli.Design {
	d := cli.Component("learner", "gradient steps of deep Q-learning, bit for bit those of a model", learner.CartPole(32))
	d.Report = report
	return d
}

// timing is what report says besides cells.
type timing struct {
	Schedule    learner.Schedule `json:"schedule"`
	Multipliers int              `json:"multipliers"`
	Memory      learner.Memory   `json:"memory_bits"`
}

// report prints the schedule and the bits of memories.
func report(given cli.Values, w io.Writer, _ string) (any, error) {
	c := learner.CartPole(32)
	if err := cli.Fill(&c, given); err != nil {
		return nil, err
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	t := timing{c.Schedule(), c.Multipliers(), c.Memory()}
	fmt.Fprintf(w, "a gradient step takes %d cycles, to act %d; %d multipliers\n", t.Schedule.Cycles, t.Schedule.ActCycles, t.Multipliers)
	fmt.Fprintf(w, "a beat of %d cycles, %d beats a step, %d samples side by side\n", t.Schedule.Beat, t.Schedule.Beats, c.DP)
	fmt.Fprintf(w, "memory bits: weights %d, gradients %d, batch %d, buffers %d\n", t.Memory.Weights, t.Memory.Gradients, t.Memory.Batch, t.Memory.Buffers)

	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "stage\tfirst word in cycle\t")
	for _, stages := range [][]learner.Stage{t.Schedule.Forward, t.Schedule.Backward} {
		for _, s := range stages {
			fmt.Fprintf(table, "%s\t%d\t\n", s.Name, s.Phase)
		}
	}
	return t, table.Flush()
}
