package tool

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/explore"
	"etch/designs/float"
	"etch/designs/float/dataflow"
	"etch/ir"
	"etch/testbench/tools"
)

// exploreFloat is etch explore float: a computation in several formats, its error
// against its cells.
func exploreFloat(app *cli.App, args []string, out cli.Output) error {
	q, err := questionOf(args, out)
	if err != nil {
		return err
	}
	dir := q.dir
	if dir == "" { // no results are kept
		if dir, err = os.MkdirTemp("", "etch-explore-float-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	} else if err := cli.WritableIn(dir, "explore.csv"); err != nil {
		return err
	}
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
	f := cli.NewFlags("explore float", out)
	text := f.String("expr", "", "`computation`: statements with ; between them, as \"m = .9*a + .1*b; m / sqrt(c)\", with + - * /, sqrt, abs, min, max, hypot, fma")
	ranges := f.String("range", "", "where inputs lie, as a=-1..1,b=1e-6..1e3:log; others are uniform in -1..1")
	in := f.String("in", "", "CSV `file` of samples, a column for each input, instead of -range")
	formats := f.String("formats", "fp32,tf32,fp16,bf16,e5m7,e4m3,e5m2", "formats; e5m6..10 is each of those fractions")
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
	switch {
	case *text == "":
		return q, cli.Usagef("-expr is needed")
	case *n < 1 || *n > 1_000_000:
		return q, cli.Usagef("-samples %d: want 1 to 1000000", *n)
	case *stages < 0 || *stages > 64:
		return q, cli.Usagef("-stages %d: want 0 to 64", *stages)
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
	s := *stages
	q.units = float.Units{Rounding: q.rounding, Add: s, Mul: s, FMA: s, Div: s, Root: s, Hypot: s}
	if *in != "" {
		q.samples, err = readSamples(*in, q.program.Inputs)
		q.said = fmt.Sprintf("%d samples of %s", len(q.samples), *in)
		return q, err
	}
	spans, err := spansOf(*ranges, q.program.Inputs)
	if err != nil {
		return q, cli.Usagef("-range: %v", err)
	}
	q.samples = draw(spans, *n, *seed)
	q.said = fmt.Sprintf("%d samples, seed %d", *n, *seed)
	return q, nil
}

// formatList reads formats between commas; e5m6..10 is five of them.
func formatList(text string) (list []float.Format, err error) {
	for part := range strings.SplitSeq(text, ",") {
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

// span is where an input lies.
type span struct {
	low, high float64
	log       bool // uniform in the logarithm
}

// spansOf reads ranges of inputs.
func spansOf(text string, inputs []string) ([]span, error) {
	spans := make([]span, len(inputs))
	for i := range spans {
		spans[i] = span{-1, 1, false}
	}
	for part := range strings.SplitSeq(text, ",") {
		if text == "" {
			break
		}
		name, where, ok := strings.Cut(part, "=")
		i := slices.Index(inputs, strings.TrimSpace(name))
		if !ok || i < 0 {
			return nil, fmt.Errorf("%q: want one of the inputs %s, as a=-1..1", part, strings.Join(inputs, ", "))
		}
		where, log := strings.CutSuffix(where, ":log")
		low, high, _ := strings.Cut(where, "..")
		a, err1 := strconv.ParseFloat(low, 64)
		b, err2 := strconv.ParseFloat(high, 64)
		if err1 != nil || err2 != nil || !(a <= b) || math.IsInf(b-a, 0) || log && a <= 0 {
			return nil, fmt.Errorf("%q: want the lesser end first as -1..1, both above 0 for :log", part)
		}
		spans[i] = span{a, b, log}
	}
	return spans, nil
}

// draw makes n samples.
func draw(spans []span, n int, seed uint64) (list [][]float64) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		x := make([]float64, len(spans))
		for i, s := range spans {
			if s.log {
				x[i] = math.Exp(math.Log(s.low) + r.Float64()*(math.Log(s.high)-math.Log(s.low)))
			} else {
				x[i] = s.low + r.Float64()*(s.high-s.low)
			}
		}
		list = append(list, x)
	}
	return list
}

// readSamples reads the columns of the inputs; others are not looked at.
func readSamples(path string, inputs []string) (list [][]float64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in, err := cli.CSV(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	header, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: line 1: no header; want %s", path, strings.Join(inputs, ","))
	}
	at := make([]int, len(inputs))
	for i, name := range inputs {
		if at[i] = slices.IndexFunc(header, func(h string) bool { return strings.TrimSpace(h) == name }); at[i] < 0 {
			return nil, fmt.Errorf("%s: line 1: there is no column %s", path, name)
		}
	}
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		x := make([]float64, len(at))
		for i, k := range at {
			if x[i], err = strconv.ParseFloat(strings.TrimSpace(record[k]), 64); err != nil || math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
				line, _ := in.FieldPos(k)
				return nil, fmt.Errorf("%s: line %d: column %s: %q is not a number", path, line, inputs[i], record[k])
			}
		}
		if list = append(list, x); len(list) > 1_000_000 {
			return nil, fmt.Errorf("%s: more than 1000000 samples", path)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no samples", path)
	}
	return list, nil
}

// plan explores the formats: errors cost nothing, cells a run of yosys each.
func (q question) plan(progress io.Writer) explore.Plan {
	sweep := explore.Sweep{Name: "format"}
	byName := map[string]float.Format{}
	for _, f := range q.formats {
		sweep.Values = append(sweep.Values, f.String())
		byName[f.String()] = f
	}
	p := explore.Plan{
		Design: "float", Sweeps: []explore.Sweep{sweep}, Fixed: map[string]string{"expr": q.program.Text, "samples": q.digest()},
		Build: func(v map[string]string) (*ir.Design, error) {
			u := q.units
			u.Format = byName[v["format"]]
			return built(dataflow.Circuit{Text: q.program.Text, Units: u})
		},
		Axes: []explore.Axis{{Name: "bits"}, {Name: "snr_db", Largest: true}},
		Measures: []explore.Measure{{
			Name: "errors", Tool: "etch float model, " + q.digest(), ByValues: true, Results: []string{"bits", "snr_db", "max_ulp", "overflows", "invalid", "tiny", "cancelled"},
			Run: func(_ context.Context, c explore.Candidate) (map[string]float64, error) {
				r := q.program.Compare(byName[c.Values["format"]], q.rounding, q.samples)
				if r.Samples == 0 {
					return nil, errors.New("float64 has a number for none of the samples")
				}
				return map[string]float64{
					"bits": float64(byName[c.Values["format"]].Width()), "snr_db": r.Result.SNR, "max_ulp": min(r.Result.MaxUlp, math.MaxFloat64), "overflows": float64(r.Overflows), "invalid": float64(r.Invalid),
					"tiny": float64(r.Result.Tiny), "cancelled": float64(r.Result.Cancelled),
				}, nil
			},
		}},
	}
	if !q.area {
		return p
	}
	if _, err := tools.Find("yosys"); err != nil {
		fmt.Fprintf(progress, "no cells: %v\n", err)
		return p
	}
	p.Axes[0].Name = "lut"
	p.Measures = append(p.Measures, explore.Measure{
		Name: "yosys", Tool: cli.SynthesisOfParts, Cost: 1, ByValues: true, Results: []string{"lut", "dsp", "depth"},
		Run: func(_ context.Context, c explore.Candidate) (map[string]float64, error) {
			part, err := cli.YosysPart(c.Net)
			if err != nil {
				return nil, err
			}
			return map[string]float64{"lut": float64(part.Cells.LUT), "dsp": float64(part.Cells.DSP), "depth": float64(part.Depth)}, nil
		},
	})
	return p
}

// digest tells samples and rounding apart in the journal.
func (q question) digest() string {
	h := fnv.New64a()
	fmt.Fprint(h, q.rounding, q.program.Text, q.samples)
	return fmt.Sprintf("%016x", h.Sum64())
}

// write makes the files of a result.
func (q question) write(o *explore.Outcome, progress io.Writer) error {
	csv, err := o.CSV()
	if err != nil {
		return err
	}
	var doc strings.Builder
	if err := cli.JSON(&doc, o); err != nil {
		return err
	}
	files := []cli.File{{Name: "explore.csv", Data: csv}, {Name: "explore.json", Data: []byte(doc.String())}}
	if svg := o.SVG(); svg != nil {
		files = append(files, cli.File{Name: "pareto.svg", Data: svg})
	}
	if err := cli.WriteFiles(q.dir, files...); err != nil {
		return err
	}
	for _, f := range files {
		fmt.Fprintf(progress, "wrote %s/%s\n", q.dir, f.Name)
	}
	return nil
}

// print makes the table; formats on the front of cells, or of bits without them, and
// SNR have a star.
func (q question) print(w io.Writer, o *explore.Outcome) error {
	fmt.Fprintf(w, "%s\n%s; errors against float64\n", strings.TrimSpace(q.program.Text), q.said)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "format\tSNR, dB\tmax ulp\toverflows\tinvalid\ttiny\tcancelled\tLUT\tDSP\tdepth\t")
	for _, r := range o.Rows {
		fmt.Fprintf(t, "%s\t", r.Values["format"])
		for _, name := range []string{"snr_db", "max_ulp", "overflows", "invalid", "tiny", "cancelled", "lut", "dsp", "depth"} {
			x, ok := r.Results[name]
			switch {
			case !ok:
				fmt.Fprint(t, "-\t")
			case name == "snr_db" && x == 999:
				fmt.Fprint(t, "exact\t")
			case name == "snr_db" && x == -999, name == "max_ulp" && x == math.MaxFloat64:
				fmt.Fprint(t, "none\t")
			case name == "snr_db" || name == "max_ulp" && x < 1000:
				fmt.Fprintf(t, "%.1f\t", x)
			default:
				fmt.Fprintf(t, "%.4g\t", x)
			}
		}
		switch {
		case r.Front:
			fmt.Fprint(t, "*")
		case r.Note != "":
			fmt.Fprint(t, r.Note)
		}
		fmt.Fprintln(t)
	}
	if !q.values {
		return t.Flush()
	}

	fmt.Fprintln(t, "\nformat\tvalue\tSNR, dB\tmax ulp\toverflows\ttiny\tcancelled\t")
	for _, f := range q.formats {
		for _, e := range q.program.Compare(f, q.rounding, q.samples).Values {
			fmt.Fprintf(t, "%v\t%s\t%.1f\t%.4g\t%d\t%d\t%d\t\n", f, e.Name, e.SNR, e.MaxUlp, e.Overflows, e.Tiny, e.Cancelled)
		}
	}
	return t.Flush()
}
