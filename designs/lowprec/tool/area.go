package tool

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/float"
	"etch/designs/lowprec"
	"etch/hw"
	"etch/ir"
)

// Area measures the units of lowprec.
var Area = cli.Command{
	Name: "lowprecision-area", Usage: "[-format fp16] [-units optimizer,policy,…] [-json]",
	Doc: "cells, longest paths and latencies of the units of low-precision learning after yosys " + cli.SynthesisOfParts,
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment lowprecision-area", out)
		format := float.F16
		f.TextVar(&format, "format", format, "of the numbers: fp16, bf16, eXmY")
		which := f.String("units", "", "only those whose names begin so; all if empty")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		chosen := units(format)
		if *which != "" {
			chosen = slices.DeleteFunc(chosen, func(u unit) bool {
				return !slices.ContainsFunc(strings.Split(*which, ","), func(w string) bool { return strings.HasPrefix(u.name, w) })
			})
		}
		if len(chosen) == 0 {
			return cli.Usagef("-units %s: there are optimizer, Kahan, soft update, softplus-fix, normal-fix, policy, loss scaler, detector", *which)
		}
		var rows []areaRow
		for _, u := range chosen {
			d, err := u.build()
			if err != nil {
				return err
			}
			row := areaRow{Unit: u.name, Format: u.format, Latency: u.latency}
			if row.Part, err = cli.YosysPart(d); err != nil {
				return err
			}
			fmt.Fprintf(out.Err, "%s %v: %v\n", u.name, u.format, row.Cells)
			rows = append(rows, row)
		}
		if *asJSON {
			return cli.JSON(out.Out, map[string]any{"script": cli.SynthesisOfParts, "rows": rows})
		}
		return areaTable(out.Out, rows)
	},
}

// areaRow is a unit with its size.
type areaRow struct {
	Unit    string       `json:"unit"`
	Format  float.Format `json:"format"`
	Latency int          `json:"latency"`
	cli.Part
}

// unit is one that is measured.
type unit struct {
	name    string
	format  float.Format
	latency int
	build   func() (*ir.Design, error)
}

func unitOf[P any](name string, format float.Format, c hw.Component[P]) unit {
	u := unit{name: name, format: format, build: func() (*ir.Design, error) {
		d, _, err := hw.Build(c)
		return d, err
	}}
	if timed, ok := c.(hw.Timed); ok {
		u.latency = timed.Latency()
	}
	return u
}

// units are all of them, in a format.
func units(f float.Format) []unit {
	n := lowprec.Half()
	n.Format = f
	ours := lowprec.Ours()
	ours.Numbers = n
	folded, plain, adam := ours, ours, ours
	folded.Correction, plain.Kahan = lowprec.Folded, false
	adam.Method = lowprec.Adam
	head := lowprec.Head{Numbers: n, Low: -5, High: 2}
	scaling := lowprec.Scaling(3, 1024)
	scaling.Format = f
	return []unit{
		unitOf("optimizer: hAdam, Kahan", f, ours),
		unitOf("optimizer: hAdam, Kahan, folded", f, folded),
		unitOf("optimizer: hAdam", f, plain),
		unitOf("optimizer: Adam, Kahan", f, adam),
		unitOf("optimizer with 1024 states", f, lowprec.OptimizerMemory{Optimizer: ours, Weights: 1024}),
		unitOf("Kahan sum", f, lowprec.Kahan{Numbers: n}),
		unitOf("soft update: Kahan-momentum", f, lowprec.SoftUpdate{Numbers: n, Tau: .005, Scale: 8192, Kahan: true}),
		unitOf("soft update: plain", f, lowprec.SoftUpdate{Numbers: n, Tau: .005, Scale: 8192}),
		unitOf("softplus-fix", f, lowprec.Jacobian{Numbers: n, Fixed: true}),
		unitOf("normal-fix", f, lowprec.Normal{Numbers: n, Fixed: true}),
		unitOf("policy head", f, lowprec.PolicyHead{Head: head}),
		unitOf("policy gradient", f, lowprec.PolicyGradient{Head: head}),
		unitOf("loss scaler, 3 groups", f, scaling),
		unitOf("detector, 16 lanes", f, lowprec.Detector{Format: f, Lanes: 16}),
	}
}

func areaTable(w io.Writer, rows []areaRow) error {
	n := lowprec.Half()
	fmt.Fprintf(w, "yosys %s; latencies: sums %d, products %d, quotients %d, hypot %d\n", cli.SynthesisOfParts, n.Add, n.Mul, n.Div, n.Hypot)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "unit\tformat\tlatency\tLUT\tFF\tDSP\tblock RAM\tdepth")
	for _, r := range rows {
		c := r.Cells
		fmt.Fprintf(t, "%s\t%v\t%d\t%d\t%d\t%d\t%d\t%d\n", r.Unit, r.Format, r.Latency, c.LUT, c.FF, c.DSP, c.BRAM, r.Depth)
	}
	return t.Flush()
}
