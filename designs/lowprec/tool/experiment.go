package tool

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/lowprec/sac"
	"etch/designs/plot"
)

// Experiment trains with each variant of the methods.
var Experiment = cli.Command{
	Name: "lowprecision", Usage: "[-variants 'float32,hAdam,…'] [-setting default|tame] [-sweep] [-seeds 3] [-seed 1] [-steps N] [-short] [-jobs N] [-o DIR] [-json] | -check [-steps 2000] [-every 20]",
	Doc: "soft actor-critic on the pendulum in emulated fp16, 17 variants of the six methods; interrupted, it goes on where it was; -check puts recorded steps through the circuits",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment lowprecision", out)
		e := experiment{}
		f.StringVar(&e.only, "variants", "", "only these, by `name`; all if empty")
		f.StringVar(&e.setting, "setting", "default", "default: log σ in [-10,2], rate 1e-3, 12,000 steps; tame: [-5,2], 3e-4, 15,000")
		f.BoolVar(&e.sweep, "sweep", false, "all six methods in (5, M) for M = 10 to 4 instead, 8000 steps")
		f.IntVar(&e.seeds, "seeds", 3, "runs of each")
		f.Uint64Var(&e.first, "seed", 1, "first seed")
		f.IntVar(&e.steps, "steps", 0, "steps of a run; 0 is the setting's")
		f.BoolVar(&e.short, "short", false, "5 variants, one seed")
		f.IntVar(&e.jobs, "jobs", runtime.GOMAXPROCS(0), "runs at a time")
		f.StringVar(&e.dir, "o", "etch-out", "`folder` for lowprecision.jsonl and lowprecision.svg")
		f.BoolVar(&e.json, "json", false, "print one JSON document")
		check := f.Bool("check", false, "train with all six methods and put what was recorded through the circuits")
		every := f.Int("every", 20, "steps of which one is recorded by -check")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *check {
			return replay(e.first, e.steps, *every, out)
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
	sweep, short, json bool
	seeds, steps, jobs int
	first              uint64
}

// shortly are the variants of -short.
var shortly = []string{"float32", "fp16 naive", "hAdam", "+ Kahan-gradients", "without Kahan-momentum"}

// configs are the runs that are asked for, variant by variant.
func (e *experiment) configs() (list []sac.Config, err error) {
	if e.seeds < 1 || e.seeds > 100 || e.jobs < 1 || e.steps < 0 {
		return nil, cli.Usagef("-seeds %d, -jobs %d, -steps %d: want 1 to 100, 1 and more, 0 and more", e.seeds, e.jobs, e.steps)
	}
	variants := sac.Variants()
	if e.sweep {
		variants = nil
		for m := 10; m >= 4; m-- {
			variants = append(variants, sac.Significand(m))
		}
	}
	var names, only []string
	for _, v := range variants {
		names = append(names, v.Name)
	}
	if e.only != "" {
		only = strings.Split(e.only, ",")
	} else if e.short && !e.sweep {
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
	return c, nil
}

// entry is a run with its result, a line of the file of results.
type entry struct {
	Config sac.Config  `json:"config"`
	Result *sac.Result `json:"result"`
}

// run makes the runs that the file of results lacks, and reports all.
func (e *experiment) run(configs []sac.Config, out cli.Output) error {
	if err := os.MkdirAll(e.dir, 0o777); err != nil {
		return err
	}
	path := filepath.Join(e.dir, "lowprecision.jsonl")
	done, err := readEntries(path)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()

	var todo []sac.Config
	for _, c := range configs {
		if done[c] == nil {
			todo = append(todo, c)
		}
	}
	if err := e.train(todo, file, done, out.Err); err != nil {
		return err
	}
	var list []entry
	for _, c := range configs {
		list = append(list, entry{c, done[c]})
	}
	return e.report(list, out)
}

// readEntries reads the results of earlier runs. A last line that was cut is passed over.
func readEntries(path string) (done map[sac.Config]*sac.Result, err error) {
	done = map[sac.Config]*sac.Result{}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return done, nil
	}
	if err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(string(data), "\n")
	for i, line := range lines {
		var x entry
		if err := json.Unmarshal([]byte(line), &x); err != nil || x.Result == nil {
			if !strings.HasSuffix(line, "\n") {
				break
			}
			return nil, fmt.Errorf("%s: line %d is no result of this experiment; remove the file or give another -o", path, i+1)
		}
		done[x.Config] = x.Result
	}
	return done, nil
}

// train makes runs side by side and appends each result when it is there.
func (e *experiment) train(todo []sac.Config, file *os.File, done map[sac.Config]*sac.Result, progress io.Writer) error {
	var lock sync.Mutex
	var wait sync.WaitGroup
	var failed error
	next, ended := 0, 0
	for range min(e.jobs, len(todo)) {
		wait.Go(func() {
			for {
				lock.Lock()
				if next == len(todo) || failed != nil {
					lock.Unlock()
					return
				}
				c := todo[next]
				next++
				lock.Unlock()
				r, err := sac.Train(context.Background(), c, nil, nil)
				lock.Lock()
				if err == nil {
					var line []byte
					if line, err = json.Marshal(entry{c, r}); err == nil {
						_, err = file.Write(append(line, '\n'))
					}
				}
				if failed = errors.Join(failed, err); err == nil {
					ended++
					done[c] = r
					fmt.Fprintf(progress, "%d of %d: %v: %s\n", ended, len(todo), c, outcome(r))
				}
				lock.Unlock()
			}
		})
	}
	wait.Wait()
	return failed
}

// outcome is a result in a word.
func outcome(r *sac.Result) string {
	if mean, ok := r.Final(); ok {
		return fmt.Sprintf("%.0f", mean)
	}
	return fmt.Sprintf("crash@%d (%s)", r.CrashStep, r.Crash)
}

// report prints the table and draws the curves.
func (e *experiment) report(list []entry, out cli.Output) error {
	svg, err := e.figure(list).SVG()
	if err == nil {
		err = cli.WriteFiles(e.dir, cli.File{Name: "lowprecision.svg", Data: svg})
	}
	if err != nil {
		fmt.Fprintf(out.Err, "no picture: %v\n", err)
	}
	if e.json {
		return cli.JSON(out.Out, list)
	}
	w := bufio.NewWriter(out.Out)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "variant\treturn of each seed\tmean ± its error\tworst\tbest test\tskipped: critics, actor, temp.\tscale: critics, actor, temp.\ttemperature\tdiverged")
	for _, group := range grouped(list) {
		row(t, group)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return w.Flush()
}

// grouped are the runs of each variant.
func grouped(list []entry) (groups [][]entry) {
	for i, x := range list {
		if i == 0 || x.Config.Name != list[i-1].Config.Name {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], x)
	}
	return groups
}

// row prints a variant: what differs between seeds is separated by spaces.
func row(w io.Writer, group []entry) {
	var returns, best, skipped, scale, temperature, diverged []string
	var finals []float64
	for _, x := range group {
		r := x.Result
		returns = append(returns, outcome(r))
		if mean, ok := r.Final(); ok {
			finals = append(finals, mean)
		}
		if len(r.Returns) > 0 {
			best = append(best, fmt.Sprintf("%.0f", r.Best()))
		}
		skipped = append(skipped, fmt.Sprintf("%d,%d,%d", r.Skipped[0], r.Skipped[1], r.Skipped[2]))
		scale = append(scale, fmt.Sprintf("%.3g,%.3g,%.3g", r.Scale[0], r.Scale[1], r.Scale[2]))
		temperature = append(temperature, fmt.Sprintf("%.3f", r.Temperature))
		diverged = append(diverged, map[bool]string{true: "yes", false: "no"}[r.Diverged])
	}
	mean, low := "-", "-"
	if len(finals) == len(group) {
		mean, low = meanOf(finals), fmt.Sprintf("%.0f", slices.Min(finals))
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", group[0].Config.Name, strings.Join(returns, " "), mean, low, strings.Join(best, " "),
		strings.Join(skipped, " "), strings.Join(scale, " "), strings.Join(temperature, " "), strings.Join(diverged, " "))
}

// meanOf is the mean of seeds with its standard error, from two seeds on.
func meanOf(list []float64) string {
	n, sum, squares := float64(len(list)), 0.0, 0.0
	for _, x := range list {
		sum += x
	}
	mean := sum / n
	if n < 2 {
		return fmt.Sprintf("%.0f", mean)
	}
	for _, x := range list {
		squares += (x - mean) * (x - mean)
	}
	return fmt.Sprintf("%.0f ± %.0f", mean, math.Sqrt(squares/(n-1)/n))
}

// figure is the mean curve of every variant that had a test.
func (e *experiment) figure(list []entry) plot.Figure {
	f := plot.Figure{Title: "SAC on the pendulum, mean of seeds", X: "steps", Y: "mean return of 20 episodes", LegendTop: true, LegendLeft: true}
	for _, group := range grouped(list) {
		line := plot.Line{Name: group[0].Config.Name}
		for at := 0; ; at++ {
			sum, n := 0.0, 0
			for _, x := range group {
				if at < len(x.Result.Returns) {
					sum, n = sum+x.Result.Returns[at], n+1
				}
			}
			if n == 0 {
				break
			}
			line.X = append(line.X, float64((at+1)*group[0].Config.Test))
			line.Y = append(line.Y, sum/float64(n))
		}
		if line.X != nil {
			f.Lines = append(f.Lines, line)
		}
	}
	return f
}
