package gaetool

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/gae"
	"etch/designs/gae/model"
	"etch/hw"
	"etch/ir"
)

// Area is the measurement of the paper's Table IV and figure 11: the cells that yosys makes
// of an element for k = 1 to 8, of a row, and of the whole.
var Area = cli.Command{
	Name: "gae-area", Usage: "[-family xcup] [-rows 64] [-json]",
	Doc: "cells of processing elements, a row and the whole accelerator after yosys synth_xilinx, beside the paper's",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment gae-area", out)
		family := f.String("family", "xcup", "that synth_xilinx knows")
		rows := f.Int("rows", 64, "of the whole")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}

		table, err := areas(*family, *rows, out.Err)
		if err != nil {
			return err
		}
		if *asJSON {
			return cli.JSON(out.Out, map[string]any{"family": *family, "rows": table})
		}
		return areaTable(out.Out, *family, table)
	},
}

// AreaRow is the size of one circuit.
type AreaRow struct {
	Name    string    `json:"name"`
	Latency int       `json:"latency,omitempty"` // of an element, cycles
	Cells   cli.Cells `json:"cells"`
}

// areas counts the elements of every form and k, and the parts of the whole.
func areas(family string, rows int, progress io.Writer) (table []AreaRow, err error) {
	paper := model.Paper()
	paper.Rows = rows
	if err := paper.Validate(); err != nil {
		return nil, cli.Usagef("%v", err)
	}

	add := func(r AreaRow) {
		table = append(table, r)
		fmt.Fprintf(progress, "%s: %v\n", r.Name, r.Cells)
	}

	// Elements in every form and depth of lookahead that is valid,
	for k := 1; k <= model.MaxLookahead; k++ {
		for form := model.Direct; form <= model.CSlow; form++ {
			e := gae.Element{Element: paper.Element}
			// Not every form has every k, and k = 1 is measured in one form.
			if e.Form, e.K = form, k; e.Validate() != nil || k == 1 && form != model.Direct {
				continue
			}
			cells, err := area(family, e)
			if err != nil {
				return nil, err
			}
			add(AreaRow{fmt.Sprintf("element, %v, k = %d", form, k), e.Latency(), cells})
		}
	}

	// a row with wide and with narrow results, and the whole.
	for _, narrow := range []bool{false, true} {
		s := paper
		s.Narrow = narrow
		cells, err := area(family, gae.Row{System: s})
		if err != nil {
			return nil, err
		}
		add(AreaRow{Name: fmt.Sprintf("row, results of %d bits", s.ResultBits()), Cells: cells})
	}

	whole, err := wholeArea(family, paper)
	return append(table, whole...), err
}

// area synthesises a component, flattened.
func area[P any](family string, c hw.Component[P]) (cli.Cells, error) {
	d, _, err := hw.Build(c)
	if err != nil {
		return cli.Cells{}, err
	}
	cells, err := cli.YosysFor(family, d, true)
	return cells[d.Top.Name], err
}

// wholeArea synthesises the accelerator module by module, which are shared, and
// adds the cells of all instances.
func wholeArea(family string, s model.System) ([]AreaRow, error) {
	d, _, err := hw.Build(gae.Accelerator{System: s})
	if err != nil {
		return nil, err
	}

	own, err := cli.YosysFor(family, d, false)
	if err != nil {
		return nil, err
	}

	// yosys counts each module once, so its instances are added up.
	var total func(m *ir.Module) cli.Cells
	var statistics cli.Cells
	total = func(m *ir.Module) cli.Cells {
		sum := own[m.Name]
		for _, i := range m.Insts {
			sum.Add(total(i.Mod))
		}
		// The statistics are a row of their own, and part of the whole.
		if strings.HasPrefix(m.Name, "statistics") {
			statistics = sum
		}
		return sum
	}

	all := total(d.Top)
	return []AreaRow{
		{Name: "statistics, with divider and root", Cells: statistics},
		{Name: fmt.Sprintf("whole, %d rows of %d steps", s.Rows, s.Depth), Cells: all},
	}, nil
}

// areaTable prints the sizes beside the paper's figures, which are those of its
// element without loaders, memory and restoring of values.
func areaTable(w io.Writer, family string, table []AreaRow) error {
	fmt.Fprintf(w, "yosys synth_xilinx -family %s\n", family)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "circuit\tlatency\tLUT\tFF\tDSP\tblock RAM\tcarry\tLUT RAM\t")

	row := func(name, latency string, c cli.Cells) {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name, latency, c.LUT, c.FF, c.DSP, c.BRAM, c.Carry, c.LUTRAM)
	}
	for _, r := range table {
		latency := ""
		if r.Latency > 0 {
			latency = fmt.Sprint(r.Latency)
		}
		row(r.Name, latency, r.Cells)
	}

	row("paper's element, Table IV, k = 2", "", cli.Cells{LUT: 201, FF: 849, DSP: 12})
	row("64 of the paper's elements", "", cli.Cells{LUT: 64 * 201, FF: 64 * 849, DSP: 64 * 12})
	return t.Flush()
}
