package tool

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/gae/host"
	"etch/designs/gae/ppo"
	"etch/designs/plot"
)

// Quant is the experiment of the paper's Table III and figures 8 and 9: learning
// with standardised and quantised rewards and values.
var Quant = cli.Command{
	Name: "gae-quant", Usage: "[-seeds 3] [-iterations N] [-o DIR] [-json]",
	Doc: "PPO on the pendulum with each of the paper's five variants and with 3 to 10 bits, the accelerator's model in the loop",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment gae-quant", out)
		seeds := f.Int("seeds", 3, "runs of each kind, seeds 1 to this")
		config := ppo.Default()
		f.IntVar(&config.Iterations, "iterations", config.Iterations, "rollouts of a run, each with an update")
		dir := f.String("o", "etch-out", "`folder` for gae-variants.svg and gae-bits.svg")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *seeds < 1 || *seeds > 100 || config.Iterations < 1 {
			return cli.Usagef("-seeds %d, -iterations %d: want 1 to 100, and 1 and more", *seeds, config.Iterations)
		}
		if err := cli.WritableIn(*dir, "gae-bits.svg"); err != nil {
			return err
		}
		rows, err := quant(config, *seeds, out.Err)
		if err != nil {
			return err
		}
		files, err := quantFigures(rows)
		if err != nil {
			return err
		}
		if err := cli.WriteFiles(*dir, files...); err != nil {
			return err
		}
		if *asJSON {
			return cli.JSON(out.Out, map[string]any{"rows": rows})
		}
		quantTable(out.Out, rows)
		fmt.Fprintf(out.Out, "\nwrote %s and %s\n", filepath.Join(*dir, files[0].Name), filepath.Join(*dir, files[1].Name))
		return nil
	},
}

// QuantRow is what the runs of one kind came to.
type QuantRow struct {
	Name    string `json:"name"`
	Variant int    `json:"variant"` // 0: float64
	Bits    int    `json:"bits"`    // of a stored reward or value; 0: unquantised
	Plain   bool   `json:"plain"`   // advantages are not standardised before the update (figure 7)
	// A number per seed: the mean return of the last 100 training episodes, the
	// steps after which that was −250 or better (0: never), and the mean return of
	// the controller without exploration.
	Last       []float64   `json:"last"`
	Reached    []int       `json:"reached"`
	Controller []float64   `json:"controller"`
	Clipped    int         `json:"clipped"`   // numbers clipped on loading, all runs
	Saturated  int         `json:"saturated"` // numbers saturated within, all runs
	Curves     []ppo.Curve `json:"-"`
}

// quantKinds are the kinds of run: float64, the variants, and the widths of the
// paper's own variant; then both ends without standardised advantages.
func quantKinds() []QuantRow {
	rows := []QuantRow{{Name: "float64"}}
	for v := 1; v <= 5; v++ {
		row := QuantRow{Name: fmt.Sprintf("variant %d", v), Variant: v}
		if v > 2 {
			row.Bits = 8
		}
		rows = append(rows, row)
	}
	for bits := 3; bits <= 10; bits++ {
		if bits != 8 { // variant 5 itself
			rows = append(rows, QuantRow{Name: fmt.Sprintf("variant 5, %d bits", bits), Variant: 5, Bits: bits})
		}
	}
	return append(rows, QuantRow{Name: "float64, plain", Plain: true}, QuantRow{Name: "variant 5, plain", Variant: 5, Bits: 8, Plain: true})
}

// quant makes all runs.
func quant(c ppo.Config, seeds int, progress io.Writer) ([]QuantRow, error) {
	rows := quantKinds()
	for i := range rows {
		for seed := 1; seed <= seeds; seed++ {
			c.Seed = uint64(seed)
			label := fmt.Sprintf("%d of %d, %s, seed %d", i*seeds+seed, len(rows)*seeds, rows[i].Name, seed)
			if err := rows[i].run(c, ppo.Line(progress, label)); err != nil {
				return nil, fmt.Errorf("%s: %w", label, err)
			}
		}
	}
	return rows, nil
}

// run adds a run.
func (r *QuantRow) run(c ppo.Config, progress func(ppo.Progress)) error {
	c.StandardiseAdvantages = !r.Plain
	var e ppo.Estimator
	if r.Variant > 0 {
		sys, err := trainerSystem(c, r.Variant, r.Bits)
		if err != nil {
			return err
		}
		est := host.NewEstimator(sys.NewMachine(), sys)
		est.Convention = c.Convention
		e = est
	}
	t, err := train(c, e, progress)
	if err != nil {
		return err
	}
	curve := t.Curve()
	r.Last = append(r.Last, curve.Last())
	r.Reached = append(r.Reached, curve.Reached(-250))
	r.Controller = append(r.Controller, evaluate(t))
	count := t.Counters()
	r.Clipped += count.Clipped
	r.Saturated += count.Saturated
	r.Curves = append(r.Curves, curve)
	return nil
}

func quantTable(w io.Writer, rows []QuantRow) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "kind\tbits\tlast 100, mean\tworst seed\tcontroller, mean\tworst seed\t−250 reached by\tclipped\tsaturated\t")
	for _, r := range rows {
		reached := 0
		for _, n := range r.Reached {
			if n > 0 {
				reached++
			}
		}
		bits := "–"
		if r.Bits > 0 {
			bits = strconv.Itoa(r.Bits)
		}
		fmt.Fprintf(t, "%s\t%s\t%.0f\t%.0f\t%.0f\t%.0f\t%d of %d\t%d\t%d\t\n", r.Name, bits,
			mean(r.Last), least(r.Last), mean(r.Controller), least(r.Controller), reached, len(r.Reached), r.Clipped, r.Saturated)
	}
	t.Flush()
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

func least(xs []float64) float64 {
	low := math.Inf(1)
	for _, x := range xs {
		low = min(low, x)
	}
	return low
}

// quantFigures are learning curves, the mean over seeds: of the variants, and of
// the widths.
func quantFigures(rows []QuantRow) ([]cli.File, error) {
	variants := plot.Figure{Title: "PPO on the pendulum: variants of standardisation and quantisation", X: "steps", Y: "mean return of 100 episodes"}
	widths := plot.Figure{Title: "PPO on the pendulum: bits of stored rewards and values", X: "steps", Y: "mean return of 100 episodes"}
	for _, r := range rows {
		l := meanLine(r)
		if r.Plain {
			variants.Lines = append(variants.Lines, l)
			continue
		}
		if r.Variant == 0 || r.Bits == 0 || r.Bits == 8 {
			variants.Lines = append(variants.Lines, l)
		}
		if r.Variant == 0 || r.Variant == 5 {
			if l.Name = fmt.Sprintf("%d bits", r.Bits); r.Variant == 0 {
				l.Name = "float64"
			}
			widths.Lines = append(widths.Lines, l)
		}
	}
	var files []cli.File
	for _, f := range []struct {
		name   string
		figure plot.Figure
	}{{"gae-variants.svg", variants}, {"gae-bits.svg", widths}} {
		svg, err := f.figure.SVG()
		if err != nil {
			return nil, err
		}
		files = append(files, cli.File{Name: f.name, Data: svg})
	}
	return files, nil
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
