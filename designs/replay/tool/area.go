package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/replay"
	"etch/hw"
	"etch/testbench/tools"
)

// Area counts what yosys makes of trees of every form and K, and places one.
var Area = cli.Command{
	Name: "replay-area", Usage: "[-p name=value]… [-family xc7] [-pnr] [-seeds 1] [-json]",
	Doc: "cells of trees after yosys synth_xilinx by K and form; with -pnr cells and clock rate on a Lattice ECP5 with 16,384 leaves",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment replay-area", out)
		given := f.Values()
		family := f.String("family", "xc7", "that synth_xilinx knows")
		place := f.Bool("pnr", false, "place and route the pipelined trees of K = 2 and 4")
		p := cli.DefaultPlacement()
		p.Seeds = 1
		f.IntVar(&p.Seeds, "seeds", p.Seeds, "runs of place and route, of which the median counts")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		c, err := cli.WithValues(small, given)
		if err != nil {
			return err
		}
		base := c.(replay.Tree)
		if p.Seeds < 1 || p.Seeds > 100 {
			return cli.Usagef("-seeds %d, want 1 to 100", p.Seeds)
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		var rows []AreaRow
		if *place {
			rows, err = placed(ctx, base, p, out.Err)
		} else {
			rows, err = areas(ctx, *family, base, out.Err)
		}
		if errors.Is(err, tools.ErrNotFound) {
			fmt.Fprintf(out.Err, "skipped: %v\n", err)
			return nil
		}
		if err != nil {
			return err
		}
		if *asJSON {
			return cli.JSON(out.Out, map[string]any{"family": *family, "capacity": base.Capacity, "rows": rows})
		}
		if *place {
			return placedTable(out.Out, base, p, rows)
		}
		return areaTable(out.Out, *family, base, rows)
	},
}

// AreaRow is the size of one tree.
type AreaRow struct {
	K       int        `json:"k"`
	Form    string     `json:"form"`
	Latency int        `json:"latency,omitempty"` // cycles; 0 where it varies
	Cells   cli.Cells  `json:"cells"`
	Timing  cli.Timing `json:"timing,omitzero"`
}

// name is the form, with what the scan does.
func name(t replay.Tree) string {
	if t.Form == replay.ByScan && t.Early {
		return "scan, early exit"
	}
	return t.Form.String()
}

func latency(t replay.Tree) int {
	switch t.Form {
	case replay.InPipeline:
		return replay.Pipelined{Config: t.Config}.Latency()
	case replay.InSeries:
		return replay.Serial{Config: t.Config}.Latency()
	}
	return 0
}

// areas synthesises all forms of all K.
func areas(ctx context.Context, family string, base replay.Tree, progress io.Writer) (rows []AreaRow, err error) {
	for _, form := range []replay.Form{replay.InPipeline, replay.InSeries, replay.ByScan} {
		for _, k := range []int{2, 4, 8, 16, 64} {
			t := base
			t.Form, t.K = form, k
			d, _, err := hw.Build(t)
			if err != nil {
				return nil, err
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			cells, err := cli.YosysFor(family, d, true)
			if err != nil {
				return nil, err
			}
			rows = append(rows, AreaRow{K: k, Form: name(t), Latency: latency(t), Cells: cells[d.Top.Name]})
			fmt.Fprintf(progress, "%v, K = %d: %v\n", form, k, cells[d.Top.Name])
		}
	}
	return rows, nil
}

// areaTable prints the sizes. The figures of the trial are those of a tree without
// generator, strata, generations and counts.
func areaTable(w io.Writer, family string, base replay.Tree, rows []AreaRow) error {
	fmt.Fprintf(w, "%d leaves of %d bits, memory reads of %d cycles, up to %d strata; yosys synth_xilinx -family %s\n", base.Capacity, base.Leaf, base.Read, base.Strata, family)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "form\tK\tLUT\tFF\tDSP\tblock RAM\tcarry\tLUT RAM\tlatency\t")
	for _, r := range rows {
		c := r.Cells
		l := "varies"
		if r.Latency > 0 {
			l = fmt.Sprint(r.Latency)
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t\n", r.Form, r.K, c.LUT, c.FF, c.DSP, c.BRAM, c.Carry, c.LUTRAM, l)
	}
	return t.Flush()
}

// placed places and routes pipelined trees with registered memories.
func placed(ctx context.Context, base replay.Tree, p cli.Placement, progress io.Writer) (rows []AreaRow, err error) {
	for _, k := range []int{4, 2} {
		t := base
		t.K, t.Read, t.Capacity = k, 2, 16384
		d, _, err := hw.Build(t)
		if err != nil {
			return nil, err
		}
		timing, err := cli.PlaceAndRoute(ctx, d, p)
		if err != nil {
			return nil, err
		}
		rows = append(rows, AreaRow{K: k, Form: name(t), Latency: latency(t), Timing: timing})
		fmt.Fprintf(progress, "K = %d: %.1f MHz\n", k, timing.Median())
	}
	return rows, nil
}

func placedTable(w io.Writer, base replay.Tree, p cli.Placement, rows []AreaRow) error {
	fmt.Fprintf(w, "16384 leaves of %d bits, memory reads of 2 cycles; ECP5-85 -%d, yosys synth_ecp5 and nextpnr-ecp5, %d seeds, each port behind a register\n", base.Leaf, p.Speed, p.Seeds)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "form\tK\tMHz, median\tLUT4\tFF\tmultipliers\tblock RAM\tlatency\tcritical path\t")
	for _, r := range rows {
		x := r.Timing
		fmt.Fprintf(t, "%s\t%d\t%.1f\t%d\t%d\t%d\t%d\t%d\t%s\t\n", r.Form, r.K, x.Median(), x.LUT, x.FF, x.DSP, x.BRAM, r.Latency, x.Ends())
	}
	return t.Flush()
}
