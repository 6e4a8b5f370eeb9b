package gaetool

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/gae/host"
	"etch/designs/gae/ppo"
	"etch/designs/plot"
)

// Quant is the experiment of the paper's Table III and figures 7 to 9: learning with
// standardised and quantised rewards and values, beside the same in float64 and
// beside training without it.
var Quant = cli.Command{
	Name: "gae-quant",
	Usage: "[-task pendulum|cart] [-reward-scale 1] [-normalise] [-gamma G] [-variant 1,2,…] [-bits 8,…] [-baselines=false] [-plain] " +
		"[-seeds 10] [-iterations N] [-o DIR] [-json]",
	Doc: "PPO with each of the paper's five variants in float64 and in the accelerator's model, and baselines: mean over seeds with intervals; hours for all",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment gae-quant", out)
		plan := quantPlan{config: defaultQuant(), Variants: numbers{1, 2, 3, 4, 5}, Bits: numbers{8}}
		c := &plan.config
		f.TextVar(&c.Task, "task", c.Task, "pendulum or cart")
		f.Float64Var(&c.RewardScale, "reward-scale", c.RewardScale, "factor on the task's rewards, in all runs but that of the tuned scale")
		f.BoolVar(&c.NormaliseRewards, "normalise", false, "divide rewards by the running deviation of their discounted sum in all runs")
		f.Float64Var(&c.Gamma, "gamma", c.Gamma, "the discount of a step")
		f.Var(&plan.Variants, "variant", "`list` of the paper's Table III: 1 unquantised … 5 standardised and quantised; 0 for none")
		f.Var(&plan.Bits, "bits", "`list` of widths of a stored reward or value, for variants 3 to 5")
		f.BoolVar(&plan.Baselines, "baselines", true, "float64 with raw rewards, with running-return scaling and with a tuned scale")
		f.BoolVar(&plan.Plain, "plain", false, "each kind again without standardised advantages (figure 7)")
		f.IntVar(&plan.Seeds, "seeds", 10, "runs of each kind, seeds 1 to this")
		f.IntVar(&c.Iterations, "iterations", c.Iterations, "rollouts of a run, each with an update")
		dir := f.String("o", "etch-out", "`folder` for gae-quant.svg")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}

		// Runs take hours: the plan and the file are checked first.
		if err := plan.validate(); err != nil {
			return err
		}
		if err := cli.WritableIn(*dir, quantFile); err != nil {
			return err
		}

		rows, err := plan.run(out.Err)
		if err != nil {
			return err
		}
		file, err := plan.figure(rows)
		if err != nil {
			return err
		}
		if err := cli.WriteFiles(*dir, file); err != nil {
			return err
		}
		if *asJSON {
			return cli.JSON(out.Out, map[string]any{"config": plan.config, "rows": rows})
		}
		plan.table(out.Out, rows)
		fmt.Fprintf(out.Out, "\nwrote %s\n", filepath.Join(*dir, file.Name))
		return nil
	},
}

// defaultQuant is the trainer's configuration with the task's own rewards.
func defaultQuant() ppo.Config {
	c := ppo.Default()
	c.RewardScale = 1
	return c
}

const quantFile = "gae-quant.svg"

// numbers is a flag of integers with commas.
type numbers []int

// String is the numbers with commas.
func (n *numbers) String() string {
	// [1 2] becomes 1,2.
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(*n), " ", ","), "[]")
}

// Set implements [flag.Value]: integers with commas between them replace the list.
func (n *numbers) Set(text string) error {
	*n = nil
	for part := range strings.SplitSeq(text, ",") {
		x, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return fmt.Errorf("%q is no integer", part)
		}
		*n = append(*n, x)
	}
	return nil
}

// quantPlan lists the runs of an experiment.
type quantPlan struct {
	config           ppo.Config
	Variants, Bits   numbers
	Baselines, Plain bool
	Seeds            int
}

func (p *quantPlan) validate() error {
	switch {
	case p.Seeds < 1 || p.Seeds > 100 || p.config.Iterations < 2:
		return cli.Usagef("-seeds %d, -iterations %d: want 1 to 100, and 2 and more, or no episode ends", p.Seeds, p.config.Iterations)
	case len(p.Variants) == 1 && p.Variants[0] == 0:
		p.Variants = nil
	}

	// Every variant must fit the hardware before anything runs.
	for _, v := range p.Variants {
		for _, bits := range p.Bits {
			if _, err := trainerSystem(p.config, v, bits); err != nil {
				return err
			}
		}
	}

	if err := p.config.Validate(); err != nil {
		return cli.Usagef("%v", err)
	}
	if len(p.kinds()) == 0 {
		return cli.Usagef("no variant and no baseline: nothing to run")
	}
	return nil
}

// QuantRow is the summary of the runs of one kind.
type QuantRow struct {
	Name        string  `json:"name"`
	Variant     int     `json:"variant,omitempty"` // 0: none
	Bits        int     `json:"bits,omitempty"`    // of a stored reward or value; 0: unquantised
	Circuit     bool    `json:"circuit"`           // the accelerator's model, else float64
	Plain       bool    `json:"plain,omitempty"`   // advantages are not standardised before the update (figure 7)
	RewardScale float64 `json:"reward_scale"`
	Normalise   bool    `json:"normalise"` // running-return scaling
	// A number per seed: the mean return of the last 100 training episodes and that of
	// the controller without exploration, in the task's own rewards.
	Last       []float64   `json:"last"`
	Controller []float64   `json:"controller"`
	Clipped    int         `json:"clipped"`   // numbers clipped on loading, all runs
	Saturated  int         `json:"saturated"` // numbers saturated within, all runs
	Curves     []ppo.Curve `json:"-"`
}

// tunedScale is the reward scale that was best of 0.01, 0.1, 1 and 10 for the default
// configuration.
var tunedScale = map[ppo.Task]float64{ppo.Pendulum: 0.1, ppo.Cart: 1}

// kinds are the kinds of run: the baselines, then each variant in float64 and in the
// circuit. Variants 1 and 3 in float64 are the first baseline and have no run of their own.
// Variant 5 in float64 is 2 with the same numbers; both run, so that each stands beside its
// circuit whichever of them -variant names.
func (p *quantPlan) kinds() (rows []QuantRow) {
	base := QuantRow{RewardScale: p.config.RewardScale, Normalise: p.config.NormaliseRewards}
	add := func(name string, change func(r *QuantRow)) {
		r := base
		r.Name = name
		change(&r)
		rows = append(rows, r)
		if p.Plain {
			r.Name, r.Plain = name+", plain", true
			rows = append(rows, r)
		}
	}

	// Without a variant: plain, scaled by the running return, and with the scale that was found
	// best.
	if p.Baselines {
		add("float64", func(*QuantRow) {})
		add("float64, running-return scaling", func(r *QuantRow) { r.Normalise = true })
		add("float64, tuned scale", func(r *QuantRow) { r.RewardScale = tunedScale[p.config.Task] })
	}

	// Each variant in float beside its circuit, so that quantisation and standardisation are
	// told apart.
	for _, v := range p.Variants {
		if v == 4 || v == 2 || v == 5 {
			add(fmt.Sprintf("variant %d, float64", v), func(r *QuantRow) { r.Variant = v })
		}
		if v <= 2 {
			add(fmt.Sprintf("variant %d, circuit", v), func(r *QuantRow) { r.Variant, r.Circuit = v, true })
			continue
		}
		for _, bits := range p.Bits {
			add(fmt.Sprintf("variant %d, circuit, %d bits", v, bits), func(r *QuantRow) { r.Variant, r.Circuit, r.Bits = v, true, bits })
		}
	}
	return rows
}

// run makes all runs, one line of progress for each that has ended.
func (p *quantPlan) run(progress io.Writer) ([]QuantRow, error) {
	rows := p.kinds()
	for i := range rows {
		r := &rows[i]
		for seed := 1; seed <= p.Seeds; seed++ {
			label := fmt.Sprintf("%d of %d, %s, seed %d", i*p.Seeds+seed, len(rows)*p.Seeds, r.Name, seed)
			if err := r.run(p.config, uint64(seed)); err != nil {
				return nil, fmt.Errorf("%s: %w", label, err)
			}
			fmt.Fprintf(progress, "%s: last 100 %.1f, controller %.1f\n", label, r.Last[seed-1], r.Controller[seed-1])
		}
	}
	return rows, nil
}

// run adds a run.
func (r *QuantRow) run(c ppo.Config, seed uint64) error {
	c.Seed, c.RewardScale, c.NormaliseRewards = seed, r.RewardScale, r.Normalise
	c.StandardiseAdvantages = !r.Plain

	// nil is the float64 estimator.
	var e ppo.Estimator
	if r.Variant > 0 {
		// Variants 1 and 2 quantise nothing: their width does not matter.
		sys, err := trainerSystem(c, r.Variant, cmp.Or(r.Bits, 8))
		if err != nil {
			return err
		}
		if e = ppo.FloatVariant(sys, c.Convention); r.Circuit {
			est := host.NewEstimator(sys.NewMachine(), sys)
			est.Convention = c.Convention
			e = est
		}
	}

	t, err := train(c, e, nil)
	if err != nil {
		return err
	}

	// Returns of the last episodes, and of the trained controller.
	curve := t.Curve()
	r.Last = append(r.Last, curve.Last())
	r.Controller = append(r.Controller, t.Evaluate(evaluated))

	count := t.Counters()
	r.Clipped += count.Clipped
	r.Saturated += count.Saturated
	r.Curves = append(r.Curves, curve)
	return nil
}

// table prints means over seeds with intervals of 95 %, and the difference to the
// first kind, seed by seed: equal seeds have equal starts.
func (p *quantPlan) table(w io.Writer, rows []QuantRow) {
	c := p.config
	fmt.Fprintf(w, "PPO on %v, γ = %v, %d steps, seeds 1 to %d; ± is half the 95 %% interval of the mean (Student's t)\n",
		c.Task, c.Gamma, c.Iterations*c.Horizon*c.Envs, p.Seeds)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "kind\treward scale\tcontroller\tworst seed\tless the first\tlast 100\tworst seed\tclipped\tsaturated\t")
	number := func(xs []float64) string {
		m, half := interval(xs)
		if math.IsNaN(half) {
			return fmt.Sprintf("%.1f", m)
		}
		return fmt.Sprintf("%.1f ± %.1f", m, half)
	}

	// Differences are taken seed by seed, against the first row.
	for i, r := range rows {
		scale := fmt.Sprintf("%g", r.RewardScale)
		if r.Normalise {
			scale += ", running"
		}
		against := "–"
		if i > 0 {
			diff := make([]float64, len(r.Controller))
			for j, x := range r.Controller {
				diff[j] = x - rows[0].Controller[j]
			}
			against = number(diff)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%.1f\t%s\t%s\t%.1f\t%d\t%d\t\n", r.Name, scale, number(r.Controller), least(r.Controller),
			against, number(r.Last), least(r.Last), r.Clipped, r.Saturated)
	}
	t.Flush()
}

// interval is the mean and half the width of its 95 % interval by Student's t; NaN of
// a single number.
func interval(xs []float64) (mean, half float64) {
	n := float64(len(xs))
	for _, x := range xs {
		mean += x / n
	}

	squares := 0.0
	for _, x := range xs {
		squares += float64((x - mean) * (x - mean))
	}
	if len(xs) < 2 {
		return mean, math.NaN()
	}

	// The quantile 0.975 for each number of degrees of freedom.
	quantiles := [...]float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
		2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086}

	// Above 20 degrees of freedom the quantile falls from 2.08 to 1.96.
	q := 2.0
	if k := len(xs) - 2; k < len(quantiles) {
		q = quantiles[k]
	}
	return mean, q * math.Sqrt(squares/(n-1)/n)
}

func least(xs []float64) float64 {
	low := math.Inf(1)
	for _, x := range xs {
		low = min(low, x)
	}
	return low
}

// figure has a learning curve for each kind, the mean over seeds.
func (p *quantPlan) figure(rows []QuantRow) (cli.File, error) {
	f := plot.Figure{Title: fmt.Sprintf("PPO on %v: standardisation and quantisation", p.config.Task), X: "steps", Y: "mean return of 100 episodes"}
	for _, r := range rows {
		f.Lines = append(f.Lines, meanLine(r))
	}
	svg, err := f.SVG()
	return cli.File{Name: quantFile, Data: svg}, err
}

// meanLine is the mean curve of a kind; all its runs have the same steps.
func meanLine(r QuantRow) plot.Line {
	first := line(r.Name, r.Curves[0])
	for _, c := range r.Curves[1:] {
		for i, y := range line("", c).Y {
			if i < len(first.Y) {
				first.Y[i] += y
			}
		}
	}

	for i := range first.Y {
		first.Y[i] /= float64(len(r.Curves))
	}
	return first
}
