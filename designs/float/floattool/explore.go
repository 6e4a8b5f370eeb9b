package floattool

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"etch/designs/cli"
	"etch/designs/explore"
	"etch/designs/float"
	"etch/designs/float/dataflow"
	kind "etch/hw/float"
)

// exploreHelp is the help of etch explore float.
var exploreHelp = cli.Command{
	Usage: "-expr 'm = .9*a + .1*b; m / sqrt(c)' [-range a=-1..1,b=1e-6..1:log | -in samples.csv] [-formats fp16,bf16,e5m6..9] [-samples 5000] [-seed 1] [-rounding rne] [-ulp 0.5] [-stages 0] [-area=false] [-values] [-o DIR] [-json]",
	Doc:   "computes an expression in several floating-point formats: errors against float64, cells by yosys, and the Pareto front of both; with -sweep it is etch explore of the unit's own parameters instead (etch help explore)",
	Examples: []string{
		`explore float -expr "m = .9*m0 + .1*g; m / (sqrt(v) + 1e-4)" -range "v=1e-6..1:log" -formats fp16,bf16,e5m5..9 -values`,
		`explore float -expr "exp(a) / (1 + exp(b))" -range "a=-4..4,b=-4..4" -formats fp16,bf16 -o out`,
	},
}

// exploreFloat is etch explore float: a computation in several formats, its error
// against its cells.
func exploreFloat(app *cli.App, args []string, out cli.Output) error {
	q, err := questionOf(args, out)
	if err != nil {
		return err
	}

	// The journal needs a folder: one of the user's, or one for this run alone.
	dir := q.dir
	if dir == "" { // no results are kept
		if dir, err = os.MkdirTemp("", "etch-explore-float-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	} else if err := cli.WritableIn(dir, "explore.csv"); err != nil {
		return err
	}

	// The journal has earlier results: an interrupted exploration goes on with them.
	journal, err := explore.OpenJournal(dir)
	if err != nil {
		return err
	}

	ctx, stop := cli.Interruptible()
	defer stop()
	result, err := explore.Run(ctx, journal, q.plan(out.Err))
	if err = errors.Join(cli.Interrupted(ctx, err), journal.Close()); err != nil || result == nil {
		return err
	}

	// A format is on no front of errors if it has no finite one, or if no sample is in its range.
	for i := range result.Rows {
		r := &result.Rows[i]
		if r.Results["snr_db"] == -999 || int(r.Results["overflows"]) == len(q.samples) {
			r.Front = false
		}
	}

	// Files first, then the table.
	if q.dir != "" {
		if err := q.write(result, out.Err); err != nil {
			return err
		}
	}
	if q.json {
		return cli.JSON(out.Out, result)
	}
	if err := q.print(out.Out, result); err != nil {
		return err
	}
	return result.Err()
}

// question is the flags of the verb.
type question struct {
	program  *dataflow.Program
	samples  [][]float64
	said     string // of the samples
	formats  []float.Format
	rounding float.Rounding
	units    float.Units
	area     bool
	values   bool
	json     bool
	dir      string
}

// questionOf reads the flags.
func questionOf(args []string, out cli.Output) (q question, err error) {
	// The computation, its samples, and the table that is wanted.
	f := cli.NewFlags("explore float", out)
	text := f.String("expr", "", "`computation`: statements with ; between them, as \"m = .9*a + .1*b; m / sqrt(c)\", with + - * /, sqrt, abs, min, max, hypot, fma; exp, exp2, log, log2, log1p, tanh, sigmoid, softplus, recip, rsqrt, and sin and cos of turns, in formats of 6 to 16 bits, rounded to nearest even")
	ulp := f.Float64("ulp", .5, "greatest error of exp, log and the like in units of the last place, 0.5 to 1; 0.5 is correct rounding")
	ranges := f.String("range", "", "where inputs lie, as a=-1..1,b=1e-6..1e3:log; others are uniform in -1..1")
	in := f.String("in", "", "CSV `file` of samples, a column for each input, instead of -range")
	formats := f.String("formats", "fp32,tf32,fp16,bf16,e5m7,e4m3,e5m2", "formats; e5m6..10 is each of those fractions. "+kind.FormatHelp)
	n := f.Int("samples", 5000, "samples of the ranges")
	seed := f.Uint64("seed", 1, "of the samples")
	f.TextVar(&q.rounding, "rounding", float.NearestEven, "of all results: rne, rtz, rdn, rup or rna")
	stages := f.Int("stages", 0, "registers of each unit")
	f.BoolVar(&q.area, "area", true, "have yosys count cells")
	f.BoolVar(&q.values, "values", false, "print the errors of each named value too")
	f.StringVar(&q.dir, "o", "", "`folder` for the table, the plot and results, which a later run takes up")
	f.BoolVar(&q.json, "json", false, "print one JSON document")
	if _, err := f.Positional(args); err != nil {
		return q, err
	}

	// Mistakes are told before anything is measured.
	switch {
	case *text == "":
		return q, cli.Usagef("-expr is needed")
	case *n < 1 || *n > 1_000_000:
		return q, cli.Usagef("-samples %d: want 1 to 1000000", *n)
	case *stages < 0 || *stages > 64:
		return q, cli.Usagef("-stages %d: want 0 to 64", *stages)
	case !(*ulp >= .5 && *ulp <= 1):
		return q, cli.Usagef("-ulp %v: want 0.5 to 1", *ulp)
	case q.rounding > float.NearestAway:
		return q, cli.Usagef("-rounding %v: want rne, rtz, rdn, rup or rna", q.rounding)
	case *in != "" && *ranges != "":
		return q, cli.Usagef("-in and -range are two ways to the same: want one")
	}

	if q.program, err = dataflow.Parse(*text); err != nil {
		return q, cli.Usagef("-expr: %v", err)
	}
	if q.formats, err = formatList(*formats); err != nil {
		return q, cli.Usagef("-formats: %v", err)
	}

	q.program.Ulp = *ulp
	if err := q.fits(); err != nil {
		return q, cli.Usagef("-expr: %v", err)
	}
	s := *stages
	q.units = float.Units{Rounding: q.rounding, Add: s, Mul: s, FMA: s, Div: s, Root: s, Hypot: s}

	// Samples come from a file, or from ranges by a seed.
	if *in != "" {
		if q.samples, err = readSamples(*in, q.program.Inputs); err != nil {
			return q, err
		}
		q.said = fmt.Sprintf("%d samples of %s", len(q.samples), *in)
	} else if err := q.draw(*ranges, *n, *seed); err != nil {
		return q, cli.Usagef("-range: %v", err)
	}

	// Left out silently, samples outside the domain of a function would make a table of the others.
	if err := q.program.Domain(q.samples); err != nil {
		return q, cli.Usagef("-expr: %v: give inputs of its domain by -range or -in", err)
	}
	return q, nil
}

// draw makes n samples of ranges.
func (q *question) draw(ranges string, n int, seed uint64) error {
	spans, err := spansOf(ranges, q.program.Inputs)
	if err != nil {
		return err
	}
	q.samples = draw(spans, n, seed)
	q.said = fmt.Sprintf("%d samples, seed %d", n, seed)
	return nil
}

// fits is an error if all formats are too wide for a function's table. Where some are, they have a
// line that says so; where none is left there is nothing to explore.
func (q question) fits() (unfit error) {
	for _, format := range q.formats {
		if unfit = q.program.Supports(format, q.rounding); unfit == nil {
			break
		}
	}
	return unfit
}

// formatList reads formats between commas; e5m6..10 is five of them.
func formatList(text string) (list []float.Format, err error) {
	for part := range strings.SplitSeq(text, ",") {
		// A range is one of fractions behind the same exponent.
		names := []string{part}
		if first, last, ok := strings.Cut(part, ".."); ok {
			at := strings.LastIndexByte(first, 'm')
			from, err1 := strconv.Atoi(first[at+1:])
			to, err2 := strconv.Atoi(last)
			if at < 0 || err1 != nil || err2 != nil || from > to || to > 52 {
				return nil, fmt.Errorf("%q: want fractions as e5m6..10", part)
			}
			names = nil
			for m := from; m <= to; m++ {
				names = append(names, first[:at+1]+strconv.Itoa(m))
			}
		}

		// Each format stands in the list once.
		for _, name := range names {
			var f float.Format
			if err := f.UnmarshalText([]byte(name)); err != nil {
				return nil, err
			}
			if slices.Contains(list, f) {
				return nil, fmt.Errorf("%v is there twice", f)
			}
			list = append(list, f)
		}
	}
	return list, nil
}
