package gaetool

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"etch/designs/cli"
	"etch/designs/gae/host"
	"etch/designs/gae/model"
	"etch/designs/gae/ppo"
	"etch/designs/plot"
)

// Demo is the verb that trains a controller with the circuit in the loop.
var Demo = cli.Command{
	Name: "gae", Usage: "[-variant 5] [-bits 8] [-seed 1] [-seeds 3] [-iterations N] [-o DIR]",
	Doc: "PPO on the pendulum with some seeds, each with advantages from float64 and from the circuit, cycle by cycle",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("demo gae", out)
		variant := f.Int("variant", 5, "of the paper's Table III: 1 unquantised … 5 standardised and quantised")
		bits := f.Int("bits", 8, "of a stored reward or value, for variants 3 to 5")
		config := ppo.Default()
		f.Uint64Var(&config.Seed, "seed", config.Seed, "first seed")
		seeds := f.Int("seeds", 3, "runs of either kind")
		f.IntVar(&config.Iterations, "iterations", config.Iterations, "rollouts, each with an update")
		dir := f.String("o", "etch-out", "`folder` for gae.svg")
		if _, err := f.Positional(args); err != nil {
			return err
		}

		sys, err := trainerSystem(config, *variant, *bits)
		if err != nil {
			return err
		}
		if config.Iterations < 1 || *seeds < 1 || *seeds > 100 {
			return cli.Usagef("-iterations %d, -seeds %d: want 1 and more, and 1 to 100", config.Iterations, *seeds)
		}
		if err := cli.WritableIn(*dir, "gae.svg"); err != nil {
			return err
		}
		return demo(config, *seeds, sys, fmt.Sprintf("variant %d", *variant), *dir, out)
	},
}

// evaluated is how many episodes a trained controller is judged by.
const evaluated = 200

// trainerSystem is the accelerator that suits a trainer: a row for each
// environment, as deep as the horizon.
func trainerSystem(c ppo.Config, variant, bits int) (model.System, error) {
	if variant < 1 || variant > 5 {
		return model.System{}, cli.Usagef("-variant %d, want 1 to 5", variant)
	}

	// More than 64 environments share the rows.
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

// train runs a training to its end.
func train(c ppo.Config, e ppo.Estimator, progress func(ppo.Progress)) (*ppo.Trainer, error) {
	t, err := ppo.New(c, e)
	if err != nil {
		return nil, err
	}
	return t, t.Run(context.Background(), progress)
}

// demoRuns are the runs of one kind, a seed each.
type demoRuns struct {
	name     string
	trainers []*ppo.Trainer
	score    []float64 // of the controllers without exploration
}

func (r *demoRuns) add(c ppo.Config, e ppo.Estimator, progress io.Writer) error {
	// Progress rewrites its line, which takes a terminal.
	line := func(ppo.Progress) {}
	if cli.Terminal(progress) {
		line = ppo.Line(progress, fmt.Sprintf("%s, seed %d", r.name, c.Seed))
	}

	t, err := train(c, e, line)
	if err != nil {
		return err
	}
	r.trainers, r.score = append(r.trainers, t), append(r.score, t.Evaluate(evaluated))
	return nil
}

// line is the mean curve.
func (r *demoRuns) line(name string) plot.Line {
	row := QuantRow{Name: name}
	for _, t := range r.trainers {
		row.Curves = append(row.Curves, t.Curve())
	}
	return meanLine(row)
}

func demo(c ppo.Config, seeds int, sys model.System, name, dir string, out cli.Output) error {
	float, run := demoRuns{name: "float64"}, demoRuns{name: "circuit"}

	// Equal seeds have equal starts, so the scores are compared seed by seed.
	first := c.Seed
	for i := range seeds {
		c.Seed = first + uint64(i)
		if err := float.add(c, nil, out.Err); err != nil {
			return err
		}
		if err := demoCircuit(&run, c, sys, out.Err); err != nil {
			return err
		}
	}

	// Both curves in one figure.
	figure := plot.Figure{
		Title: fmt.Sprintf("PPO on the pendulum, mean of %d seeds", seeds), X: "steps", Y: "mean return of 100 episodes",
		Lines: []plot.Line{float.line("float64"), run.line("circuit, " + name)},
	}
	svg, err := figure.SVG()
	if err != nil {
		return err
	}

	fmt.Fprintln(out.Out, figure.Text(72, 16))
	demoScores(out.Out, first, float, run)
	demoWork(out.Out, sys, name, run)
	shares(out.Out, float.trainers[0])

	if err := cli.WriteFiles(dir, cli.File{Name: "gae.svg", Data: svg}); err != nil {
		return err
	}
	fmt.Fprintf(out.Out, "\nwrote %s\n", filepath.Join(dir, "gae.svg"))
	return nil
}

// demoCircuit makes a run with a circuit of its own: statistics go on from rollout to
// rollout and must not from run to run.
func demoCircuit(runs *demoRuns, c ppo.Config, sys model.System, progress io.Writer) error {
	circuit, err := host.Simulate(sys)
	if err != nil {
		return err
	}
	defer circuit.Close()

	e := circuit.NewEstimator()
	e.Convention = c.Convention
	return runs.add(c, e, progress)
}

// demoScores prints the controllers' returns, and whether the difference means
// anything: a seed decides more than an estimator does.
func demoScores(w io.Writer, first uint64, float, run demoRuns) {
	fmt.Fprintf(w, "mean return of the controller without exploration, %d starts:\n", evaluated)
	var diff []float64
	for i, x := range float.score {
		fmt.Fprintf(w, "  seed %-3d float64 %7.1f   circuit %7.1f\n", first+uint64(i), x, run.score[i])
		diff = append(diff, run.score[i]-x)
	}

	// An interval of the differences by seed; a single seed has none.
	d, half := interval(diff)
	switch {
	case math.IsNaN(half):
		fmt.Fprintln(w, "one seed says nothing of the difference, since another seed alone changes either; -seeds 10 does, and etch experiment gae-quant")
	case math.Abs(d) <= half:
		fmt.Fprintf(w, "the circuit is %+.1f ± %.1f (95 %%): no difference is shown\n", d, half)
	default:
		fmt.Fprintf(w, "the circuit is %+.1f ± %.1f (95 %%): a difference\n", d, half)
	}
}

// demoWork prints the circuit's figures over all runs.
func demoWork(w io.Writer, sys model.System, name string, run demoRuns) {
	var count ppo.Counters
	for _, t := range run.trainers {
		count.Add(t.Counters())
	}

	fmt.Fprintf(w, "\ncircuit: %d rows of %d steps, %s, stored rewards and values of %d bits\n", sys.Rows, sys.Depth, name, sys.FieldBits())
	fmt.Fprintf(w, "%d steps in %d cycles from start to done, %.1f a cycle; %d cycles of the host port for loading and fetching\n",
		count.Elements, count.Cycles, float64(count.Elements)/float64(count.Cycles), count.Transfer)
	fmt.Fprintf(w, "%d numbers clipped on loading, %d saturated within\n", count.Clipped, count.Saturated)
	fmt.Fprintf(w, "at an assumed 300 MHz: %.2f ms from start to done in all, %.1f ms with the host port\n",
		float64(count.Cycles)/300e3, float64(count.Cycles+count.Transfer)/300e3)
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
		// A point without an episode has no return.
		if p.Episodes > 0 {
			l.X, l.Y = append(l.X, float64(p.Steps)), append(l.Y, p.Return)
		}
	}
	return l
}
