package learnertool

import (
	"fmt"
	"io"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/learner"
)

// Designs are the learners with the networks of CartPole and of the pendulum.
func Designs() []cli.Design {
	q := cli.Component("learner", "gradient steps of deep Q-learning, bit for bit those of a model", learner.CartPole(32))
	q.Explore = exploreDQN
	q.Report = reporter(learner.CartPole(32), func(c learner.Config, w io.Writer) any {
		s := c.Schedule()
		return print(w, timing{s, c.Multipliers(), c.Memory()}, s.Timing, c.DP, s.Passes)
	})
	d := cli.Component("learner_ddpg", "gradient steps of actor and critic (DDPG), bit for bit those of a model", learner.Pendulum(32))
	d.Explore = exploreDDPG
	d.Report = reporter(learner.Pendulum(32), func(c learner.DDPG, w io.Writer) any {
		s := c.Schedule()
		return print(w, timing{s, c.Multipliers(), c.Memory()}, s.Timing, c.DP, s.Actor, s.Critic)
	})
	return []cli.Design{q, d}
}

// timing is the JSON of report besides cells.
type timing struct {
	Schedule    any            `json:"schedule"`
	Multipliers int            `json:"multipliers"`
	Memory      learner.Memory `json:"memory_bits"`
}

// reporter reports on the defaults with the parameters that are given.
func reporter[C interface{ Validate() error }](defaults C, say func(C, io.Writer) any) func(cli.Values, io.Writer, string) (any, error) {
	return func(given cli.Values, w io.Writer, _ string) (any, error) {
		c := defaults
		if err := cli.Fill(&c, given); err != nil {
			return nil, err
		}
		if err := c.Validate(); err != nil {
			return nil, err
		}
		return say(c, w), nil
	}
}

// print writes the schedule and the bits of memories.
func print(w io.Writer, t timing, x learner.Timing, dp int, nets ...learner.Passes) timing {
	fmt.Fprintf(w, "a gradient step takes %d cycles, to act %d; %d multipliers\n", x.Cycles, x.ActCycles, t.Multipliers)
	fmt.Fprintf(w, "a beat of %d cycles, %d beats a step, %d samples side by side\n", x.Beat, x.Beats, dp)
	fmt.Fprintf(w, "memory bits: weights %d, gradients %d, batch %d, buffers %d\n", t.Memory.Weights, t.Memory.Gradients, t.Memory.Batch, t.Memory.Buffers)

	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "stage\tfirst word in cycle\t")
	for _, p := range nets {
		for _, s := range append(p.Forward[:len(p.Forward):len(p.Forward)], p.Backward...) {
			fmt.Fprintf(table, "%s\t%d\t\n", s.Name, s.Phase)
		}
	}
	table.Flush()
	return t
}
