package lowprectool

import (
	"bufio"
	"fmt"
	"io"
	"maps"
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
	return table(out.Out, list)
}

// table has a row a variant. Results that differ between its seeds stand side by side where
// a reader compares variants by them; elsewhere their extreme does.
func table(out io.Writer, list []entry) error {
	w := bufio.NewWriter(out)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "variant\tmean ± error\t95 %\treturn of each seed, or @crash\tbest test\tskipped, most\tscale, least\ttemperature\tends")
	for _, group := range grouped(list) {
		fmt.Fprintln(t, strings.Join(row(group), "\t"))
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

// row is a variant's cells.
func row(group []entry) []string {
	var returns []string
	var skipped [3]int
	var scale [3]float64
	var temperatures []float64
	best := math.Inf(-1)
	for i, x := range group {
		r := x.Result

		// A crash stands where the return would.
		if mean, ok := r.Final(); ok {
			returns = append(returns, fmt.Sprintf("%.0f", mean))
		} else {
			returns = append(returns, fmt.Sprintf("@%d", r.CrashStep))
		}

		// The reader looks for one bad seed: the most steps skipped, and the least scale.
		for k := range skipped {
			skipped[k] = max(skipped[k], r.Skipped[k])
			if i == 0 || r.Scale[k] < scale[k] {
				scale[k] = r.Scale[k]
			}
		}
		best = max(best, r.Best())
		temperatures = append(temperatures, r.Temperature)
	}

	// A mean that leaves out crashed runs would flatter the variant.
	mean, interval := "-", "-"
	if finals, ok := finalsOf(group); ok {
		s := sampleOf(finals)
		mean, interval = s.String(), s.interval()
	}

	least, most := fmt.Sprintf("%.3g", slices.Min(temperatures)), fmt.Sprintf("%.3g", slices.Max(temperatures))
	if least != most {
		least += " to " + most
	}

	// Without a test there is no best one.
	tested := "-"
	if !math.IsInf(best, 0) {
		tested = fmt.Sprintf("%.0f", best)
	}
	return []string{
		group[0].Config.Name, mean, interval, strings.Join(returns, " "), tested,
		fmt.Sprintf("%d,%d,%d", skipped[0], skipped[1], skipped[2]), fmt.Sprintf("%.3g,%.3g,%.3g", scale[0], scale[1], scale[2]), least, ends(group),
	}
}

// finalsOf is the return of each run; ok is false where one of them crashed.
func finalsOf(group []entry) (list []float64, ok bool) {
	for _, x := range group {
		mean, ok := x.Result.Final()
		if !ok {
			return nil, false
		}
		list = append(list, mean)
	}
	return list, true
}

// ends are the ways in which runs fail, each with the number of its runs: a scale on its floor,
// or the value that was not finite first.
func ends(group []entry) string {
	// A run may do both: diverge, and crash thousands of steps later.
	count := map[string]int{}
	for _, x := range group {
		if x.Result.Crash != "" {
			count[x.Result.Crash+" not finite"]++
		}
		if x.Result.Diverged {
			count["diverged"]++
		}
	}

	var list []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		list = append(list, fmt.Sprintf("%s: %d", name, count[name]))
	}
	return strings.Join(list, ", ")
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

			// The first test is after Test steps.
			line.X = append(line.X, float64((at+1)*group[0].Config.Test))
			line.Y = append(line.Y, sum/float64(n))
		}
		if line.X != nil {
			f.Lines = append(f.Lines, line)
		}
	}
	return f
}
