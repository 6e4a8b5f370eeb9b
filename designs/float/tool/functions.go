package tool

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/float"
	"etch/designs/float/function"
)

// Functions measures the units of elementary functions.
var Functions = cli.Command{
	Name: "float-functions", Usage: "[-format fp16] [-ulp 0.5] [-functions exp,log,…] [-json]",
	Doc: "error over all operands, memory and cells of the units of elementary functions after yosys " + cli.SynthesisOfParts,
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment float-functions", out)
		format := float.F16
		f.TextVar(&format, "format", float.F16, "of operand and result, up to 16 bits")
		ulp := f.Float64("ulp", 0.5, "greatest error; 0.5 is correct rounding")
		only := f.String("functions", "", "only these, by `name`; all if empty")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		list := function.Functions
		if *only != "" {
			list = nil
			for _, name := range strings.Split(*only, ",") {
				list = append(list, function.Function(name))
			}
		}
		if !(*ulp >= 0.5 && *ulp <= 1) {
			return cli.Usagef("-ulp %v, want 0.5 to 1", *ulp)
		}
		var rows []functionRow
		for _, fn := range list {
			r, err := functionOf(function.Unit{Function: fn, Format: format, Ulp: *ulp})
			if err != nil {
				return cli.Usagef("%v", err)
			}
			rows = append(rows, r)
			fmt.Fprintf(out.Err, "%s: %v\n", fn, r.Cells)
		}
		if *asJSON {
			return cli.JSON(out.Out, map[string]any{"script": cli.SynthesisOfParts, "format": format, "rows": rows})
		}

		fmt.Fprintf(out.Out, "%v, all %d operands; yosys %s\n", format, 1<<format.Width(), cli.SynthesisOfParts)
		t := tabwriter.NewWriter(out.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "function\tmaximum ulp\tnot correctly rounded\tlatency\tmemory bits\tblock RAM\tDSP\tLUT\tFF\t")
		for _, r := range rows {
			fmt.Fprintf(t, "%s\t%.4f\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", r.Function, r.MaxUlp, r.Differ, r.Latency, r.Bits, r.Cells.BRAM, r.Cells.DSP, r.Cells.LUT, r.Cells.FF)
		}
		return t.Flush()
	},
}

// functionRow is a unit with its errors.
type functionRow struct {
	Function function.Function `json:"function"`
	MaxUlp   float64           `json:"max_ulp"`
	Differ   int               `json:"not_correctly_rounded"`
	Latency  int               `json:"latency"`
	Bits     int               `json:"memory_bits"`
	cli.Part
}

func functionOf(u function.Unit) (r functionRow, err error) {
	t, err := function.TableOf(u)
	if err != nil {
		return r, err
	}
	r = functionRow{Function: u.Function, Latency: u.Latency(), Bits: t.Bits()}
	r.MaxUlp, r.Differ = function.MaxUlp(u.Function, t)
	d, err := built(u)
	if err != nil {
		return r, err
	}
	r.Part, err = cli.YosysPart(d)
	return r, err
}
