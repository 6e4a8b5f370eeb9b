package tool

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/plot"
)

// report prints the table and draws the curves.
func (e *experiment) report(list []entry, out cli.Output) error {
	// A picture that cannot be drawn, as of runs that all crashed, keeps no table back.
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

	// A row a variant, whose seeds stand beside each other.
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

		// A crash stands where the return would.
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

	// A mean that leaves out crashed runs would flatter the variant.
	mean, low := "-", "-"
	if len(finals) == len(group) {
		mean, low = meanOf(finals), fmt.Sprintf("%.0f", slices.Min(finals))
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", group[0].Config.Name, strings.Join(returns, " "), mean, low, strings.Join(best, " "),
		strings.Join(skipped, " "), strings.Join(scale, " "), strings.Join(temperature, " "), strings.Join(diverged, " "))
}

// meanOf is the mean of seeds with its standard error, from two seeds on.
func meanOf(list []float64) string {
	// The standard error of the mean, from the spread between seeds.
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
			// The mean of the seeds that came so far.
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
