package floattool

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/explore"
	"etch/designs/float"
	"etch/designs/float/dataflow"
	"etch/ir"
	"etch/testbench/tools"
)

// plan explores the formats: errors cost nothing, cells a run of yosys each.
func (q question) plan(progress io.Writer) explore.Plan {
	// The one dimension is the format; expression and samples are the same for all, and part of
	// a point's key in the journal.
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
			if err := q.program.Supports(u.Format, u.Rounding); err != nil {
				return nil, err
			}
			return built(dataflow.Circuit{Text: q.program.Text, Ulp: q.program.Ulp, Units: u})
		},

		// Without yosys the front is of bits against error.
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

	// Cells take seconds a format, and the tool may be missing: then errors alone are told.
	if !q.area {
		return p
	}
	if _, err := tools.Find("yosys"); err != nil {
		fmt.Fprintf(progress, "no cells: %v\n", err)
		return p
	}

	// With cells the front is of tables against error.
	p.Axes[0].Name = "lut"
	p.Measures = append(p.Measures, explore.Measure{
		Name: "yosys", Tool: cli.SynthesisOfParts + "; block RAM", Cost: 1, ByValues: true, Results: []string{"lut", "dsp", "bram", "depth"},
		Run: func(_ context.Context, c explore.Candidate) (map[string]float64, error) {
			part, err := cli.YosysPart(c.Net)
			if err != nil {
				return nil, err
			}
			return map[string]float64{"lut": float64(part.Cells.LUT), "dsp": float64(part.Cells.DSP), "bram": float64(part.Cells.BRAM), "depth": float64(part.Depth)}, nil
		},
	})
	return p
}

// digest tells samples and rounding apart in the journal.
func (q question) digest() string {
	h := fnv.New64a()
	fmt.Fprint(h, q.rounding, q.program.Text, q.samples)
	if len(q.program.Elementary()) > 0 {
		fmt.Fprint(h, q.program.Ulp)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// write makes the files of a result.
func (q question) write(o *explore.Outcome, progress io.Writer) error {
	// All files are made before the first is written.
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
	fmt.Fprintln(t, "format\tSNR, dB\tmax ulp\toverflows\tinvalid\ttiny\tcancelled\tLUT\tDSP\tBRAM\tdepth\t")

	// A row a format.
	for _, r := range o.Rows {
		fmt.Fprintf(t, "%s\t", r.Values["format"])
		for _, name := range []string{"snr_db", "max_ulp", "overflows", "invalid", "tiny", "cancelled", "lut", "dsp", "bram", "depth"} {
			x, ok := r.Results[name]
			fmt.Fprint(t, cell(name, x, ok), "\t")
		}

		// A star for the front, or the reason why a format was not measured.
		switch {
		case r.Front:
			fmt.Fprint(t, "*")
		case r.Note != "":
			fmt.Fprint(t, r.Note)
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if slices.ContainsFunc(o.Rows, func(r explore.Row) bool { return r.Front }) {
		size := map[string]string{"lut": "as few LUT", "bits": "as few bits"}[o.Axes[0].Name]
		fmt.Fprintf(w, "* on the Pareto front: no other format has %s and as high an SNR\n", size)
	}
	if !q.values {
		return nil
	}
	return q.printValues(w)
}

// printValues tells where in the computation the error comes from, name by name.
func (q question) printValues(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	rows := 0
	fmt.Fprintln(t, "\nformat\tvalue\tSNR, dB\tmax ulp\toverflows\ttiny\tcancelled\t")
	for _, f := range q.formats {
		if q.program.Supports(f, q.rounding) != nil {
			continue
		}
		for _, e := range q.program.Compare(f, q.rounding, q.samples).Values {
			rows++
			fmt.Fprintf(t, "%v\t%s\t%s\t%s\t%d\t%d\t%d\t\n", f, e.Name, cell("snr_db", e.SNR, true), cell("max_ulp", min(e.MaxUlp, math.MaxFloat64), true), e.Overflows, e.Tiny, e.Cancelled)
		}
	}

	// Without a name there would be a header alone.
	if rows == 0 {
		_, err := fmt.Fprintln(w, "no value has a name for -values: give some, as m = a*b; m + 1")
		return err
	}
	return t.Flush()
}

// cell is a number of the tables. Marks stand for results that are no numbers: nothing measured,
// no error at all, and no finite result; 999 dB and -999 dB are the SNR of a value without error,
// and of one that is all error.
func cell(name string, x float64, ok bool) string {
	switch {
	case !ok:
		return "-"
	case name == "snr_db" && x == 999:
		return "exact"
	case name == "snr_db" && x == -999, name == "max_ulp" && x == math.MaxFloat64:
		return "none"
	case name == "snr_db" || name == "max_ulp" && x < 1000:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.4g", x)
}
