package benchtool

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// printTable prints rows for people, and the geometric mean of each engine's
// ratios.
func printTable(w io.Writer, engines []Engine, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "design\tengine\tcycles/s\tfirst cycle\tVerilator\tbuild\tratio\tby")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t", r.Design, r.Engine, rate(r.CyclesPerSecond), seconds(r.CompileMS))
		if r.Ratio == nil {
			fmt.Fprintf(t, "-\t-\t-\t%s\n", r.Verilator)
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%.2f\t%s\n", rate(*r.VerilatorCyclesPerSecond), seconds(*r.VerilatorBuildMS), *r.Ratio, r.Verilator)
	}
	if err := t.Flush(); err != nil {
		return err
	}

	// A design that is cut into parts runs the active ones only.
	for _, r := range rows {
		if p := r.Parts; p != nil {
			fmt.Fprintf(w, "%s, %s: %d parts, %.0f of them active in a cycle, with %.1f %% of the work\n", r.Design, r.Engine, p.Parts, p.Active, 100*p.Work)
		}
	}

	// GSIM runs a user's own FIRRTL alone, so that the table has no column for it.
	for _, r := range rows {
		switch {
		case r.GSIMRatio != nil:
			fmt.Fprintf(w, "%s, %s: GSIM %s cycles/s, built in %s, ratio %.2f, by %s\n", r.Design, r.Engine, rate(*r.GSIMCyclesPerSecond), seconds(*r.GSIMBuildMS), *r.GSIMRatio, r.GSIM)
		case r.GSIM != "":
			fmt.Fprintf(w, "%s, %s: no GSIM: %s\n", r.Design, r.Engine, r.GSIM)
		}
	}

	// A mean of a single ratio would repeat it.
	for _, e := range engines {
		if mean, n := geometricMean(rows, e.Name); n > 1 {
			fmt.Fprintf(w, "geometric mean of %d ratios, %s: %.2f\n", n, e.Name, mean)
		}
	}
	return nil
}

// geometricMean is that of the ratios of an engine's n rows that have one.
func geometricMean(rows []Row, engine string) (mean float64, n int) {
	logs := 0.0
	for _, r := range rows {
		if r.Engine == engine && r.Ratio != nil {
			logs, n = logs+math.Log(*r.Ratio), n+1
		}
	}
	return math.Exp(logs / float64(n)), n
}

// rate is cycles per second with three digits.
func rate(x float64) string { return scaled(x, []string{"", " k", " M", " G"}) }

// seconds is milliseconds as a time with three digits.
func seconds(ms float64) string {
	return scaled(ms*1000, []string{" µs", " ms", " s"})
}

// scaled is x with three digits and the unit, each a thousand of the one before.
func scaled(x float64, units []string) string {
	i := 0

	// 999.5 and more would be written with four digits.
	for i < len(units)-1 && x >= 999.5 {
		x, i = x/1000, i+1
	}

	digits := 0
	switch { // a number that rounds up to the next power of ten has one digit less
	case x < 9.995:
		digits = 2
	case x < 99.95:
		digits = 1
	}
	return fmt.Sprintf("%.*f%s", digits, x, units[i])
}
