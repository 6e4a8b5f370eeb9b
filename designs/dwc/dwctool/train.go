package dwctool

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"etch/designs/cli"
	"etch/designs/dwc/train"
)

// Train is the verb that trains a controller for a task.
var Train = cli.Command{
	Name: "dwc", Usage: "-seed N -o model.json [-steps N] [-widths a,b] [-n N] [-bits B] [-mapping learnable|fixed] [-task pendulum|mountaincar] [-algorithm sac|ddpg|ppo] [-save FILE] [-resume FILE] [-json]",
	Doc:      "trains a controller by SAC, DDPG or PPO and judges it against value iteration",
	Examples: []string{"train dwc -seed 1 -o model.json", "train dwc -resume model.run -o model.json"},
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("train dwc", out)

		// The defaults of other flags depend on these two, so they are read before the flags are parsed.
		task, algorithm := train.Pendulum, train.SAC
		for i, arg := range args {
			name, value, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			if !joined && i+1 < len(args) {
				value = args[i+1]
			}
			switch name {
			case "task":
				task = train.Task(value)
			case "algorithm":
				algorithm = train.Algorithm(value)
			}
		}

		c := train.DefaultFor(task, algorithm)
		f.Uint64Var(&c.Seed, "seed", 1, "seed; equal seeds give equal models")
		f.IntVar(&c.Steps, "steps", c.Steps, "environment steps")
		f.IntVar(&c.N, "n", c.N, "inputs of a table, 2 to 6")
		f.IntVar(&c.Bits, "bits", c.Bits, "thresholds per dimension, odd")
		f.Func("widths", "tables per layer, comma-separated", widths(&c.Widths))
		f.Func("mapping", "learnable or fixed", func(s string) error { c.Mapping = train.Mapping(s); return nil })
		f.Func("algorithm", "sac, ddpg or ppo", func(string) error { return nil })
		f.Func("task", "pendulum or mountaincar", func(string) error { return nil })
		to := f.String("o", "", "model `file` to write")
		save := f.String("save", "", "`file` to keep the run in, at the end and when interrupted; else that of -o with the ending .run")
		resume := f.String("resume", "", "`file` of a run to go on with")
		starts := f.Int("starts", 1000, "episodes to judge by")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *to == "" {
			return cli.Usagef("-o is missing: where should the model go?")
		}
		if *starts < 1 || *starts > 1_000_000 {
			return cli.Usagef("-starts %d: want 1 to 1000000", *starts)
		}

		// Both files are tried before the training.
		if *save == "" {
			*save = strings.TrimSuffix(*to, filepath.Ext(*to)) + ".run"
		}
		// A run may be kept where it came from.
		if err := f.Apart([]string{"resume"}, "o"); err != nil {
			return err
		}
		if err := f.Apart([]string{"o"}, "save"); err != nil {
			return err
		}
		for _, path := range []string{*to, *save} {
			if err := cli.Writable(path); err != nil {
				return err
			}
		}

		t, err := trainer(c, *resume, f.FlagSet)
		if err != nil {
			return err
		}
		ctx, stop := cli.Interruptible()
		defer stop()
		return trainTo(ctx, t, *to, *save, *starts, *asJSON, out)
	},
}

func widths(to *[]int) func(string) error {
	return func(s string) error {
		*to = nil
		for _, part := range strings.Split(s, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(part))
			if err != nil {
				return fmt.Errorf("%q is not a number of tables", part)
			}
			*to = append(*to, n)
		}
		return nil
	}
}

// trainer starts a run, or reads the one to go on with. A flag that would change a run
// that has begun is an error; a repeated flag is not.
func trainer(c train.Config, resume string, given *flag.FlagSet) (*train.Trainer, error) {
	if resume == "" {
		return train.New(c)
	}
	t, err := train.ResumeFile(resume)
	if err != nil {
		return nil, err
	}

	// Compare as text, flag by flag: a flag that repeats the run's own value is harmless.
	was := t.Config()
	var wrong []string
	given.Visit(func(f *flag.Flag) {
		now, before := setting(f.Name, &c), setting(f.Name, &was)
		if now != before {
			wrong = append(wrong, fmt.Sprintf("-%s %s (%s)", f.Name, now, before))
		}
	})

	if len(wrong) > 0 {
		return nil, cli.Usagef("-resume %s goes on with a run that began otherwise: %s; leave the flags out", resume, strings.Join(wrong, ", "))
	}
	return t, nil
}

// setting is the value of a flag in a configuration as text, "" for flags that
// are not part of one.
func setting(name string, c *train.Config) string {
	switch name {
	case "seed":
		return fmt.Sprint(c.Seed)
	case "steps":
		return fmt.Sprint(c.Steps)
	case "n":
		return fmt.Sprint(c.N)
	case "bits":
		return fmt.Sprint(c.Bits)
	case "widths":
		// [64 32] becomes 64,32, as the flag has it.
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(c.Widths), " ", ","), "[]")
	case "mapping":
		return string(c.Mapping)
	case "algorithm":
		return string(cmp.Or(c.Algorithm, train.SAC))
	case "task":
		return string(cmp.Or(c.Task, train.Pendulum))
	}
	return ""
}

// Trained is the report of etch train on a finished run.
type Trained struct {
	Model     string       `json:"model"`
	Config    train.Config `json:"config"`
	Seconds   float64      `json:"seconds"`
	Starts    int          `json:"starts"`
	Reference float64      `json:"reference"`
	Circuit   float64      `json:"circuit"`
	Float     float64      `json:"float"`
	Gap       float64      `json:"gap"`
}

func trainTo(ctx context.Context, t *train.Trainer, to, save string, starts int, asJSON bool, out cli.Output) error {
	begin, last := time.Now(), time.Time{}

	// Progress is for a terminal, twice a second; in a log it would be noise.
	err := t.Run(ctx, func(p train.Progress) {
		if cli.Terminal(out.Err) && (time.Since(last) > time.Second/2 || p.Step == p.Steps) {
			last = time.Now()
			fmt.Fprintf(out.Err, "\rstep %d of %d  return %.1f  best %.1f  temperature %.3f  %.0f s   ", p.Step, p.Steps, p.Return, p.Best, p.Temperature, p.Elapsed.Seconds())
		}
	})
	if cli.Terminal(out.Err) {
		fmt.Fprintln(out.Err)
	}

	// The state is saved however the run ended: an interrupted one can go on.
	if e := t.SaveFile(save); e != nil {
		return errors.Join(err, e)
	}
	if errors.Is(err, context.Canceled) {
		p := t.Progress()
		return fmt.Errorf("stopped at step %d of %d; go on with: etch train dwc -resume %s -o %s", p.Step, p.Steps, save, to)
	}
	if err != nil {
		return err
	}

	m, err := t.Model()
	if err != nil {
		return err
	}
	if err := m.WriteFile(to); err != nil {
		return err
	}

	r := Trained{Model: to, Config: t.Config(), Seconds: time.Since(begin).Seconds(), Starts: starts}
	res, err := train.Judge(r.Config.Task, m, starts)
	if err != nil {
		return err
	}
	r.Reference, r.Circuit, r.Float, r.Gap = res.Reference, res.Circuit, res.Float, res.Gap()
	if asJSON {
		return cli.JSON(out.Out, r)
	}
	r.print(out.Out)
	return nil
}

func (r *Trained) print(w io.Writer) {
	fmt.Fprintf(w, "%s: seed %d, %d steps, %.1f s\n", r.Model, r.Config.Seed, r.Config.Steps, r.Seconds)
	fmt.Fprintf(w, "mean return over %d starts: value iteration %.1f, circuit %.1f, float policy %.1f; gap %.1f\n", r.Starts, r.Reference, r.Circuit, r.Float, r.Gap)
}
