package tool

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"etch/designs/cli"
	"etch/designs/gae/host"
	"etch/designs/gae/model"
	"etch/designs/gae/ppo"
	"etch/designs/pendulum"
	"etch/designs/plot"
)

// Demo is the verb that trains a controller with the circuit in the loop.
var Demo = cli.Command{
	Name: "gae", Usage: "[-variant 5] [-bits 8] [-seed 1] [-iterations N] [-o DIR]",
	Doc: "PPO on the pendulum, once with advantages from float64 and once from the circuit, cycle by cycle",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("demo gae", out)
		variant := f.Int("variant", 5, "of the paper's Table III: 1 unquantised … 5 standardised and quantised")
		bits := f.Int("bits", 8, "of a stored reward or value, for variants 3 to 5")
		config := ppo.Default()
		f.Uint64Var(&config.Seed, "seed", config.Seed, "seed of the run")
		f.IntVar(&config.Iterations, "iterations", config.Iterations, "rollouts, each with an update")
		dir := f.String("o", "etch-out", "`folder` for gae.svg")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		sys, err := trainerSystem(config, *variant, *bits)
		if err != nil {
			return err
		}
		if config.Iterations < 1 {
			return cli.Usagef("-iterations %d, want 1 and more", config.Iterations)
		}
		if err := cli.WritableIn(*dir, "gae.svg"); err != nil {
			return err
		}
		return demo(config, sys, fmt.Sprintf("variant %d", *variant), *dir, out)
	},
}

// evaluate is the mean return of the trained policy without exploration, from
// 200 starts.
func evaluate(t *ppo.Trainer) float64 {
	return pendulum.Evaluate(pendulum.Starts(200, 1), t.Policy()).Mean
}

// trainerSystem is the accelerator that suits a trainer: a row for each
// environment, as deep as the horizon.
func trainerSystem(c ppo.Config, variant, bits int) (model.System, error) {
	if variant < 1 || variant > 5 {
		return model.System{}, cli.Usagef("-variant %d, want 1 to 5", variant)
	}
	sys := model.Paper()
	sys.Rows, sys.Gamma, sys.Lambda, sys.CodeBits = min(c.Envs, 64), c.Gamma, c.Lambda, bits
	for sys.Depth = 2; sys.Depth < c.Horizon; {
		sys.Depth *= 2
	}
	sys = sys.Variant(variant)
	if err := sys.Validate(); err != nil {
		return sys, cli.Usagef("%v", err)
	}
	return sys, nil
}

// train makes a run.
func train(c ppo.Config, e ppo.Estimator, progress func(ppo.Progress)) (*ppo.Trainer, error) {
	t, err := ppo.New(c, e)
	if err != nil {
		return nil, err
	}
	return t, t.Run(context.Background(), progress)
}

func demo(c ppo.Config, sys model.System, name, dir string, out cli.Output) error {
	float, err := train(c, nil, ppo.Line(out.Err, "float64"))
	if err != nil {
		return err
	}
	circuit, err := host.Simulate(sys)
	if err != nil {
		return err
	}
	defer circuit.Close()
	e := circuit.NewEstimator()
	e.Convention = c.Convention
	run, err := train(c, e, ppo.Line(out.Err, "circuit"))
	if err != nil {
		return err
	}
	figure := plot.Figure{
		Title: "PPO on the pendulum", X: "steps", Y: "mean return of 100 episodes",
		Lines: []plot.Line{line("float64", float.Curve()), line("circuit, "+name, run.Curve())},
	}
	svg, err := figure.SVG()
	if err != nil {
		return err
	}
	fmt.Fprintln(out.Out, figure.Text(72, 16))
	score := func(label string, t *ppo.Trainer) {
		fmt.Fprintf(out.Out, "%-8s mean return of the last 100 episodes %.0f, controller without exploration %.0f\n", label, t.Curve().Last(), evaluate(t))
	}
	score("float64", float)
	score("circuit", run)
	count := run.Counters()
	fmt.Fprintf(out.Out, "\ncircuit: %d rows of %d steps, %s, stored rewards and values of %d bits\n", sys.Rows, sys.Depth, name, sys.FieldBits())
	fmt.Fprintf(out.Out, "%d steps in %d cycles from start to done, %.1f a cycle; %d cycles of the host port for loading and fetching\n",
		count.Elements, count.Cycles, float64(count.Elements)/float64(count.Cycles), count.Transfer)
	fmt.Fprintf(out.Out, "%d numbers clipped on loading, %d saturated within\n", count.Clipped, count.Saturated)
	fmt.Fprintf(out.Out, "at an assumed 300 MHz: %.2f ms from start to done in the whole run, %.1f ms with its host port\n",
		float64(count.Cycles)/300e3, float64(count.Cycles+count.Transfer)/300e3)
	shares(out.Out, float)
	if err := cli.WriteFiles(dir, cli.File{Name: "gae.svg", Data: svg}); err != nil {
		return err
	}
	fmt.Fprintf(out.Out, "\nwrote %s\n", filepath.Join(dir, "gae.svg"))
	return nil
}

// shares prints where an iteration's time goes, with advantages from float64 in
// Go: the paper's Table I of this trainer.
func shares(w io.Writer, t *ppo.Trainer) {
	fmt.Fprintln(w, "\nwhere the time of the run with float64 went:")
	for _, s := range t.Times().Shares() {
		fmt.Fprintf(w, "  %-12s %-14s %5.1f %%\n", s.Phase, s.Part, s.Percent)
	}
}

func line(name string, c ppo.Curve) plot.Line {
	l := plot.Line{Name: name}
	for _, p := range c {
		if p.Episodes > 0 {
			l.X, l.Y = append(l.X, float64(p.Steps)), append(l.Y, p.Return)
		}
	}
	return l
}
