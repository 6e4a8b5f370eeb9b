package rltool

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"etch/designs/cli"
	"etch/designs/plot"
	"etch/designs/rl/env"
	"etch/designs/rl/host"
	"etch/designs/rl/loop"
	"etch/designs/rl/train"
	"etch/sim/fst"
)

// Demo is the verb that shows CartPole being learned by the circuit.
var Demo = cli.Command{
	Name: "replay", Usage: "[-seed 1] [-steps N] [-o DIR]",
	Doc: "CartPole is learned by the circuit (replay memory and DQN), cycle by cycle, checked against the model after every step",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("demo replay", out)
		seed := f.Uint64("seed", 1, "of weights, draws, exploration and tests, 1 and more")
		steps := f.Int("steps", 0, "gradient steps after which it ends, 0 for 30,000")
		dir := f.String("o", "etch-out", "`folder` to write to")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *steps < 0 {
			return cli.Usagef("-steps %d: want 0 and more", *steps)
		}
		if err := cli.WritableIn(*dir, "policy.json"); err != nil {
			return err
		}
		e, err := env.Open("cartpole", env.Limits{})
		if err != nil {
			return err
		}
		c := train.Default(train.DQN, "cartpole", e.Spec(), *seed)
		c.Engine = train.Circuit
		ctx, stop := cli.Interruptible()
		defer stop()
		return interrupted(ctx, demo(ctx, c, *steps, *dir, out), "; no files are written")
	},
}

// interrupted is the error of a command that a signal has ended, with what is kept; else err.
func interrupted(ctx context.Context, err error, kept string) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return &cli.ExitError{Code: 130, Msg: "interrupted" + kept}
}

// demo learns, prints the curve and the verdict, and writes the files.
func demo(ctx context.Context, c train.Config, steps int, dir string, out cli.Output) error {
	// The circuit learns; each test is a line of progress.
	t, err := train.New(c, env.Limits{}, nil)
	if err != nil {
		return cli.Usagef("%v", err)
	}
	defer t.Close()

	begin := time.Now()
	err = t.Run(ctx, steps, func(p loop.Point) {
		fmt.Fprintf(out.Err, "step %d: mean return %.1f, %d cycles, %.0f s\n", p.Steps, p.Return, t.Simulated().Sim.Cycles(), time.Since(begin).Seconds())
	})
	if err != nil {
		return err
	}

	// The curve and the verdict.
	r, h := t.Result(), t.Simulated()
	if len(r.Curve) == 0 {
		return cli.Usagef("-steps %d: no test yet; they come every %d steps", steps, c.Loop.Test)
	}
	seconds, cycles := time.Since(begin).Seconds(), h.Sim.Cycles()
	svg, err := curve(out.Out, r)
	if err != nil {
		return err
	}

	verdict := "not solved"
	if r.Solved {
		verdict = "solved"
	}
	fmt.Fprintf(out.Out, "%s: mean return %.1f after %d gradient steps, %d environment steps\n", verdict, r.Return, r.Steps, r.Environment)
	fmt.Fprintf(out.Out, "%d clock cycles in %.1f s; every action, and every weight after every step, is the model's\n", cycles, seconds)
	if err := phases(out.Out, t); err != nil {
		return err
	}

	// A step more, with waves.
	waves, err := wavesOf(h)
	if err != nil {
		return err
	}

	// The files: the design in all forms, the policy, the curve, the waves.
	files, err := cli.Exported(h.Sim.Design())
	if err != nil {
		return err
	}
	policy, err := t.Policy().Encode("policy.json")
	if err != nil {
		return err
	}
	files = append(files, cli.File{Name: "rl.svg", Data: svg}, cli.File{Name: "policy.json", Data: policy}, cli.File{Name: "step.fst", Data: waves})
	if err := cli.WriteFiles(dir, files...); err != nil {
		return err
	}
	for _, f := range files {
		fmt.Fprintf(out.Out, "wrote %s/%s (%d bytes)\n", dir, f.Name, len(f.Data))
	}
	return nil
}

// wavesOf runs a step more, with waves.
func wavesOf(h *host.SimulatedDQN) ([]byte, error) {
	var waves bytes.Buffer
	dump := fst.New(&waves)
	if err := h.Sim.Trace(dump); err != nil {
		return nil, err
	}
	if err := h.Step(false); err != nil {
		return nil, err
	}
	if err := dump.Close(); err != nil {
		return nil, err
	}
	return waves.Bytes(), nil
}

// curve prints the tests and returns them as SVG.
func curve(w io.Writer, r loop.Result) ([]byte, error) {
	l := plot.Line{Name: "greedy policy"}
	for _, p := range r.Curve {
		l.X, l.Y = append(l.X, float64(p.Steps)), append(l.Y, p.Return)
	}
	f := plot.Figure{Title: "CartPole, learned by the circuit", X: "gradient steps", Y: "mean return of up to 20 episodes", Lines: []plot.Line{l}}
	fmt.Fprintln(w, f.Text(72, 14))
	return f.SVG()
}

// assumedMHz is a clock rate that nothing here measures.
const assumedMHz = 80

// phases prints the cycles of a step by phase.
func phases(w io.Writer, t *train.Trainer) error {
	// Of each phase the mean over all steps, from the circuit's own counters.
	c, err := t.Simulated().Counters()
	if err != nil {
		return err
	}

	n := float64(c.Steps)
	all := float64(c.Draw) + float64(c.Learn) + float64(c.Update)
	fmt.Fprintf(w, "a gradient step of %d samples: %.0f cycles; draws %.0f, learner %.0f, last priorities %.0f\n",
		t.DQN.Batch, all/n, float64(c.Draw)/n, float64(c.Learn)/n, float64(c.Update)/n)
	fmt.Fprintf(w, "of all cycles: steps %.0f %%, acting %.0f %%, the rest the host port\n",
		100*all/float64(t.Simulated().Sim.Cycles()), 100*float64(c.Act)/float64(t.Simulated().Sim.Cycles()))
	fmt.Fprintf(w, "at an assumed %d MHz: %.0f gradient steps/s\n", assumedMHz, assumedMHz*1e6*n/all)
	return nil
}
