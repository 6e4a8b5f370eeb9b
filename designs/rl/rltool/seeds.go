package rltool

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"
	"text/tabwriter"

	"etch/designs/cli"
	learner "etch/designs/learner/model"
	"etch/designs/rl/env"
	"etch/designs/rl/train"
)

// Seeds, Variants and Formats are the experiments of learning.
var (
	Seeds = experiment("rl-seeds", "steps to the goal over seeds: the circuit checked against the model, float64, and both without priorities", func(c train.Config, engine string) []kind {
		float := c
		float.Engine = train.Float
		uniform, even := c, float
		uniform.Uniform, even.Uniform = true, true
		c.Engine = engine
		return []kind{{name(c), c}, {"float64", float}, {"model, no priorities", uniform}, {"float64, no priorities", even}}
	})
	Variants = experiment("rl-variants", "steps to the goal over seeds on the model: as it is, with Double DQN, with prefetch, with returns of three steps", func(c train.Config, engine string) []kind {
		c.Engine = engine
		double, ahead, far := c, c, c
		double.DQN.Double = true
		ahead.DQN.Prefetch, ahead.DDPG.Prefetch = true, true
		far.Memory.Horizon = 3
		kinds := []kind{{name(c), c}, {name(c) + ", double", double}, {name(c) + ", prefetch", ahead}, {name(c) + ", horizon 3", far}}
		if c.Algorithm == train.DDPG {
			return slices.Delete(kinds, 1, 2) // a choice of actions, which DDPG has none of
		}
		return kinds
	})
	Formats = experiment("rl-formats", "steps to the goal over seeds on the model: numbers of 18 and of 16 bits", func(c train.Config, engine string) []kind {
		c.Engine = engine
		small := c
		small.DQN.Formats, small.DDPG.Formats = learner.Small(4), learner.Small(5)
		return []kind{{name(c) + ", 18 bits", c}, {name(small) + ", 16 bits", small}}
	})
)

func name(c train.Config) string {
	if c.Engine == train.Circuit {
		return "circuit = model"
	}
	return c.Engine
}

// kind is a configuration to be run with all seeds.
type kind struct {
	name string
	c    train.Config
}

// SeedRow is the outcome of the runs of a kind.
type SeedRow struct {
	Name   string    `json:"name"`
	Solved int       `json:"solved"`
	Steps  []float64 `json:"steps"` // gradient steps, also of runs that are not solved
	Return []float64 `json:"return"`
}

func experiment(command, doc string, kinds func(train.Config, string) []kind) cli.Command {
	return cli.Command{
		Name: command, Usage: "[-task cartpole|pendulum] [-engine circuit|model] [-seeds 20] [-results runs.jsonl] [-json]", Doc: doc,
		Run: func(app *cli.App, args []string, out cli.Output) error {
			f := cli.NewFlags("experiment "+command, out)
			task := f.String("task", "cartpole", "cartpole or pendulum")
			engine := f.String("engine", train.Model, "of the first kind: circuit takes seconds to a minute a seed")
			seeds := f.Int("seeds", 20, "runs of each kind, seeds 1 to this")
			results := f.String("results", "", "`file` that keeps each run as a line of JSON; what it has is not run again")
			asJSON := f.Bool("json", false, "print one JSON document")
			if _, err := f.Positional(args); err != nil {
				return err
			}

			// The task says the algorithm.
			algorithm, known := algorithms[*task]
			if !known || *seeds < 1 || *seeds > 1000 || *engine != train.Model && *engine != train.Circuit {
				return cli.Usagef("-task %s, -seeds %d, -engine %s: want cartpole or pendulum, 1 to 1000, model or circuit", *task, *seeds, *engine)
			}
			e, err := env.Open(*task, env.Limits{})
			if err != nil {
				return err
			}

			ctx, stop := cli.Interruptible()
			defer stop()

			// Kinds one after the other, each with all seeds.
			kept, err := openRuns(*results)
			if err != nil {
				return err
			}
			defer kept.close()
			told := ""
			if *results != "" {
				told = "; the runs that ended are in " + *results
			}

			var rows []SeedRow
			for _, k := range kinds(train.Default(algorithm, *task, e.Spec(), 1), *engine) {
				r, err := k.run(ctx, *seeds, kept, out.Err)
				if err != nil {
					return interrupted(ctx, err, told)
				}
				rows = append(rows, r)
			}
			if *asJSON {
				return cli.JSON(out.Out, rows)
			}
			return table(out.Out, *task, *seeds, rows)
		},
	}
}

// run makes the runs of a kind, as many at a time as there are processors; runs that are
// stored are not made again.
func (k kind) run(ctx context.Context, seeds int, kept *runs, progress io.Writer) (SeedRow, error) {
	r := SeedRow{Name: k.name, Steps: make([]float64, seeds), Return: make([]float64, seeds)}
	var wait sync.WaitGroup
	var mutex sync.Mutex
	var failed error
	slots := make(chan bool, runtime.GOMAXPROCS(0))

	// A slot a run; results stand by their seed, in whichever order runs end.
	for i := range seeds {
		slots <- true
		wait.Go(func() {
			defer func() { <-slots }()
			c := k.c
			c.Seed = uint64(i + 1)
			x, err := kept.run(ctx, c)

			mutex.Lock()
			defer mutex.Unlock()
			if err != nil {
				failed = fmt.Errorf("%s, seed %d: %w", k.name, c.Seed, err)
				return
			}
			if x.Solved {
				r.Solved++
			}
			r.Steps[i], r.Return[i] = float64(x.Steps), x.Return
			fmt.Fprintf(progress, "%s, seed %d: solved %v, %d steps, return %.1f\n", k.name, c.Seed, x.Solved, x.Steps, x.Return)
		})
	}
	wait.Wait()
	return r, failed
}

// table prints means with intervals, and the worst.
func table(w io.Writer, task string, seeds int, rows []SeedRow) error {
	fmt.Fprintf(w, "%s, seeds 1 to %d; ± is half the 95 %% interval of the mean (1.96 standard errors)\n", task, seeds)

	// A row a kind: means, and the seed that took longest or did worst.
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "kind\tsolved\tmean steps\tmost steps\tmean return\tworst return\t")
	for _, r := range rows {
		steps, half := mean(r.Steps)
		returns, _ := mean(r.Return)
		most, worst := 0.0, math.Inf(1)
		for i := range r.Steps {
			most, worst = max(most, r.Steps[i]), min(worst, r.Return[i])
		}
		fmt.Fprintf(t, "%s\t%d of %d\t%.0f ± %.0f\t%.0f\t%.1f\t%.1f\t\n", r.Name, r.Solved, seeds, steps, half, most, returns, worst)
	}
	return t.Flush()
}

// mean is the mean, and half the width of its 95 % interval.
func mean(xs []float64) (mean, half float64) {
	// The interval is that of a normal distribution.
	n := float64(len(xs))
	for _, x := range xs {
		mean += x / n
	}

	squares := 0.0
	for _, x := range xs {
		squares += float64((x - mean) * (x - mean))
	}
	if n < 2 {
		return mean, math.NaN()
	}
	return mean, 1.96 * math.Sqrt(squares/(n-1)/n)
}
