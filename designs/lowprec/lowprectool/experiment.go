package lowprectool

import (
	"flag"
	"runtime"
	"slices"
	"strings"

	"etch/designs/cli"
	"etch/designs/lowprec"
	"etch/designs/lowprec/sac"
)

// Experiment trains with each variant of the methods.
var Experiment = cli.Command{
	Name: "lowprecision", Usage: "[-variants 'float32,hAdam,…'] [-setting default|tame] [-sweep|-moments] [-seeds 3] [-seed 1] [-steps N] [-short] [-jobs N] [-o DIR] [-json] | -stored [-doc FILE.go] | -check [-steps 2000] [-every 20]",
	Doc: "soft actor-critic on the pendulum in emulated fp16, 17 variants of the six methods; interrupted, it goes on where it was; -stored tells what the runs in the program came to; -check puts recorded steps through the circuits",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		// One verb for the table of variants, the sweep of formats, and the check of the circuits.
		f := cli.NewFlags("experiment lowprecision", out)
		e := experiment{}
		f.StringVar(&e.only, "variants", "", "only these, by `name`; all if empty")
		f.StringVar(&e.setting, "setting", "default", "default: log σ in [-10,2], rate 1e-3, 12,000 steps; tame: [-5,2], 3e-4, 15,000")
		f.BoolVar(&e.sweep, "sweep", false, "all six methods in (5, M) for M = 10 to 4 instead, 8000 steps")
		f.BoolVar(&e.moments, "moments", false, "all six methods with moments in formats of their own instead, beside float32")
		f.IntVar(&e.seeds, "seeds", 3, "runs of each")
		f.Uint64Var(&e.first, "seed", 1, "first seed")
		f.IntVar(&e.steps, "steps", 0, "steps of a run; 0 is the setting's")
		f.BoolVar(&e.short, "short", false, "5 variants, one seed")
		f.IntVar(&e.jobs, "jobs", runtime.GOMAXPROCS(0), "runs at a time")
		f.StringVar(&e.dir, "o", "etch-out", "`folder` for lowprecision.jsonl and lowprecision.svg")
		f.BoolVar(&e.json, "json", false, "print one JSON document")
		stored := f.Bool("stored", false, "print the tables of the runs that come with the program, and train nothing")
		doc := f.String("doc", "", "with -stored: Go `file` to write the tables to, as documentation of its package")
		check := f.Bool("check", false, "train with all six methods and put what was recorded through the circuits")
		every := f.Int("every", 20, "steps of which one is recorded by -check")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if err := e.seeded(); err != nil {
			return err
		}

		// The check has a run of its own, whose steps are recorded: a flag of the table would be
		// without effect.
		if *check {
			if err := onlyOf(f, "-check", "check", "seed", "steps", "every"); err != nil {
				return err
			}
			ctx, stop := cli.Interruptible()
			defer stop()
			return interrupted(ctx, replay(ctx, e.first, e.steps, *every, out), "")
		}
		if *stored || *doc != "" {
			return e.tellStored(*doc, out)
		}

		configs, err := e.configs()
		if err != nil {
			return err
		}
		return e.run(configs, out)
	},
}

// experiment is the flags of the verb.
type experiment struct {
	only, setting, dir string
	sweep, moments     bool
	short, json        bool
	seeds, steps, jobs int
	first              uint64
}

// seeded refuses a first seed that the table cannot count from.
func (e *experiment) seeded() error {
	if e.first < 1 || e.first > maxSeed {
		return cli.Usagef("-seed %d: want 1 to %d", e.first, uint64(maxSeed))
	}
	return nil
}

// maxSeed is the greatest first seed; a row's other seeds follow it.
const maxSeed = 1<<63 - 1

// onlyOf refuses a flag that was given beside mode and has no meaning there.
func onlyOf(f *cli.Flags, mode string, known ...string) (err error) {
	f.Visit(func(x *flag.Flag) {
		if err == nil && !slices.Contains(known, x.Name) {
			err = cli.Usagef("-%s has no effect with %s, which takes -%s", x.Name, mode, strings.Join(known[1:], ", -"))
		}
	})
	return err
}

// shortly are the variants of -short.
var shortly = []string{"float32", "fp16 naive", "hAdam", "+ Kahan-gradients", "without Kahan-momentum"}

// configs are the runs that are asked for, variant by variant.
func (e *experiment) configs() (list []sac.Config, err error) {
	if e.seeds < 1 || e.seeds > 100 || e.jobs < 1 || e.steps < 0 {
		return nil, cli.Usagef("-seeds %d, -jobs %d, -steps %d: want 1 to 100, 1 and more, 0 and more", e.seeds, e.jobs, e.steps)
	}

	// The variants that are asked for by name, or the few of -short, with a seed.
	var names, only []string
	if e.sweep && e.moments {
		return nil, cli.Usagef("-sweep and -moments are two tables: want one of them")
	}
	variants := e.rows()
	for _, v := range variants {
		names = append(names, v.Name)
	}
	if e.only != "" {
		only = strings.Split(e.only, ",")
	} else if e.short && !e.sweep && !e.moments {
		only = shortly
	}
	if e.short {
		e.seeds = 1
	}
	for i, name := range only {
		only[i] = strings.TrimSpace(name)
		if !slices.Contains(names, only[i]) {
			return nil, cli.Usagef("-variants: no variant %q%s", only[i], cli.Suggestion(only[i], names))
		}
	}

	// Seeds follow each other from the first; a variant's runs stand together.
	for _, v := range variants {
		if only != nil && !slices.Contains(only, v.Name) {
			continue
		}
		for i := range e.seeds {
			c, err := e.config(v, e.first+uint64(i))
			if err != nil {
				return nil, err
			}
			list = append(list, c)
		}
	}
	return list, nil
}

// rows lists the rows of the table: the variants, or formats of all numbers or of the moments,
// with all six methods.
func (e *experiment) rows() (list []sac.Variant) {
	switch {
	case e.sweep:
		for m := 10; m >= 4; m-- {
			list = append(list, sac.Significand(m))
		}
		return list
	case e.moments:
		same, wide := lowprec.Own{}, lowprec.Own{Exp: 5, Frac: 13}
		return append(sac.Variants()[:1], sac.Moments(same, same), sac.Moments(same, wide), sac.Moments(wide, wide))
	}
	return sac.Variants()
}

// config is a run of the setting. Steps of the command line shorten the sweep too.
func (e *experiment) config(v sac.Variant, seed uint64) (c sac.Config, err error) {
	switch e.setting {
	case "default":
		c = sac.Default(v, seed)
	case "tame":
		c = sac.Tame(v, seed)
	default:
		return c, cli.Usagef("-setting %s: want default or tame", e.setting)
	}

	if e.sweep {
		c.Steps = 8000
	}
	if e.steps > 0 {
		c.Steps = e.steps
	}

	// A run without a test has no return, which the table could not tell from a crash.
	if c.Steps < c.Test {
		return c, cli.Usagef("-steps %d: the first test is after %d steps: want that many and more", c.Steps, c.Test)
	}
	return c, nil
}
