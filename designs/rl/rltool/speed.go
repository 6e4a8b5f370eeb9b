package rltool

import (
	"fmt"
	"math"
	"math/rand/v2"
	"text/tabwriter"
	"time"

	"etch/designs/cli"
	"etch/designs/rl/env"
	"etch/designs/rl/loop"
	"etch/designs/rl/train"
)

// SpeedRow is how fast an engine makes gradient steps on this machine.
type SpeedRow struct {
	Task   string  `json:"task"`
	Engine string  `json:"engine"`
	Steps  float64 `json:"steps_per_second"`
	Ratio  float64 `json:"ratio"` // to float32 with its memory
}

// Speed is the experiment that holds a gradient step in float32 beside the other engines.
var Speed = cli.Command{
	Name: "rl-speed", Usage: "[-time 500ms] [-repeat 3] [-json]",
	Doc: "gradient steps a second on this machine: float32 and float64 in Go, the model, the circuit in simulation",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment rl-speed", out)
		span := f.Duration("time", 500*time.Millisecond, "of a measurement, at least")
		repeat := f.Int("repeat", 3, "measurements of each; the fastest counts")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *span <= 0 || *span > time.Hour || *repeat < 1 || *repeat > 1000 {
			return cli.Usagef("-time %v, -repeat %d: want above 0 up to an hour, and 1 to 1000", *span, *repeat)
		}

		// Both tasks, then the table.
		var rows []SpeedRow
		for _, task := range []string{"cartpole", "pendulum"} {
			more, err := speeds(task, *span, *repeat)
			if err != nil {
				return err
			}
			rows = append(rows, more...)
		}
		if *asJSON {
			return cli.JSON(out.Out, rows)
		}
		t := tabwriter.NewWriter(out.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "task\tengine\tsteps/s\tof float32\t")
		for _, r := range rows {
			fmt.Fprintf(t, "%s\t%s\t%.0f\t%.3f\t\n", r.Task, r.Engine, r.Steps, r.Ratio)
		}
		return t.Flush()
	},
}

// algorithms lists the algorithms of the tasks that come with etch.
var algorithms = map[string]string{"cartpole": train.DQN, "pendulum": train.DDPG}

// speeds times the rivals of a task in turn, as often as wanted.
func speeds(task string, span time.Duration, repeat int) ([]SpeedRow, error) {
	// Engines with equal transitions in their memories.
	e, err := env.Open(task, env.Limits{})
	if err != nil {
		return nil, err
	}
	defer e.Close()

	c := train.Default(algorithms[task], task, e.Spec(), 1)
	rivals, done, err := train.Rivals(c, transitions(e.Spec(), 1000))
	if err != nil {
		return nil, err
	}
	defer done()

	// Rivals take turns, so that a slow spell of the machine meets all; the fastest turn counts.
	least := make([]float64, len(rivals)) // seconds of a step
	for i := range least {
		least[i] = math.Inf(1)
	}
	for range repeat {
		for i, r := range rivals {
			seconds, err := timed(span, r.Step)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", task, r.Name, err)
			}
			least[i] = min(least[i], seconds)
		}
	}

	// Rates, and ratios to float32.
	var rows []SpeedRow
	reference := math.NaN()
	for i, r := range rivals {
		rows = append(rows, SpeedRow{task, r.Name, 1 / least[i], 0})
		if r.Name == "float32" {
			reference = 1 / least[i]
		}
	}
	for i := range rows {
		rows[i].Ratio = rows[i].Steps / reference
	}
	return rows, nil
}

// timed is the mean time of a step in seconds, over at least some time.
func timed(span time.Duration, step func() error) (float64, error) {
	// Twice as many steps each time, so that the clock's own time does not count.
	begin, n := time.Now(), 0
	for {
		for range 1 + n { // as many again, so that the clock is read seldom
			if err := step(); err != nil {
				return 0, err
			}
			n++
		}

		if past := time.Since(begin); past >= span {
			return past.Seconds() / float64(n), nil
		}
	}
}

// transitions are random ones of an environment's shape.
func transitions(s env.Spec, n int) (data []loop.Transition) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) (xs []float64) {
		for range n {
			xs = append(xs, 2*r.Float64()-1)
		}
		return xs
	}

	for range n {
		t := loop.Transition{State: draw(s.Observation), Next: draw(s.Observation), Reward: r.Float64(), Discount: 0.99}
		if s.Actions > 0 {
			t.Action.Number = r.IntN(s.Actions)
		} else {
			t.Action.Amounts = draw(len(s.Low))
		}
		data = append(data, t)
	}
	return data
}
