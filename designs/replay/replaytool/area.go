package replaytool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/explore"
	"etch/designs/replay"
	"etch/hw"
	"etch/ir"
	"etch/testbench/tools"
)

// Area counts the cells of trees of every form and K after yosys, and places them.
var Area = cli.Command{
	Name: "replay-area", Usage: "[-p name=value]… [-k 2,4,…] [-forms pipelined,…] [-family xc7] [-pnr] [-device lfe5u-25f] [-seeds 3] [-json]",
	Doc: "cells of trees by form and K after yosys synth_xilinx; with -pnr cells and clock rate on a device",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment replay-area", out)
		given := f.Values()
		ks := f.String("k", "2,4,8,16,64", "children of a node, a `list`")
		forms := f.String("forms", "pipelined,serial,scan", "a `list`")
		family := f.String("family", "xc7", "that synth_xilinx knows")
		place := f.Bool("pnr", false, "place and route")
		device := f.String("device", "lfe5u-25f", "for -pnr; etch explore -list-devices lists them")
		p := cli.DefaultPlacement()
		f.IntVar(&p.Seeds, "seeds", p.Seeds, "runs of place and route, of which the median counts")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}

		// All trees are made before the first is measured, so that a mistake shows at once.
		c, err := cli.WithValues(small, given)
		if err != nil {
			return err
		}
		trees, err := areaTrees(c.(replay.Tree), *ks, *forms)
		if err != nil {
			return err
		}
		if p.Seeds < 1 || p.Seeds > 100 {
			return cli.Usagef("-seeds %d, want 1 to 100", p.Seeds)
		}

		// By yosys alone, or placed on a device.
		measure, on := synthesised(*family), "yosys synth_xilinx -family "+*family
		if *place {
			known, err := explore.BuiltIn()
			if err != nil {
				return err
			}
			d, ok := known.Find(*device)
			if !ok {
				return cli.Usagef("no device %q; there are %s", *device, strings.Join(known.Names(), ", "))
			}
			if p, err = p.On(d); err != nil {
				return err
			}
			measure = placed(p)
			on = fmt.Sprintf("%s, yosys and %s, %d seeds, each port behind a register", d.Name, strings.Join(d.PNR, " "), p.Seeds)
		}
		ctx, stop := cli.Interruptible()
		defer stop()

		// Measured one after the other; a missing tool is no error.
		rows, err := areas(ctx, trees, measure, out.Err)
		if errors.Is(err, tools.ErrNotFound) {
			fmt.Fprintf(out.Err, "skipped: %v\n", err)
			return nil
		}
		if err != nil {
			return err
		}
		base := trees[0]
		if *asJSON {
			return cli.JSON(out.Out, map[string]any{"on": on, "capacity": base.Capacity, "read": base.Read, "rows": rows})
		}
		fmt.Fprintf(out.Out, "%d leaves of %d bits, memory reads of %d cycles, up to %d strata; %s\n", base.Capacity, base.Leaf, base.Read, base.Strata, on)
		return areaTable(out.Out, rows)
	},
}

// areaTrees are the trees of all forms and K of two lists.
func areaTrees(base replay.Tree, ks, forms string) (trees []replay.Tree, err error) {
	for form := range strings.SplitSeq(forms, ",") {
		for k := range strings.SplitSeq(ks, ",") {
			c, err := cli.WithValues(base, cli.Values{"form": strings.TrimSpace(form), "k": strings.TrimSpace(k)})
			if err != nil {
				return nil, err
			}
			t := c.(replay.Tree)
			if err := t.Validate(); err != nil {
				return nil, cli.Usagef("%v", err)
			}
			trees = append(trees, t)
		}
	}
	return trees, nil
}

// AreaRow is the size of one tree.
type AreaRow struct {
	K       int       `json:"k"`
	Form    string    `json:"form"`
	Latency int       `json:"latency,omitempty"` // cycles; 0 where it varies
	Cells   cli.Cells `json:"cells"`
	MHz     []float64 `json:"mhz,omitempty"`  // of each seed, ascending
	Path    string    `json:"path,omitempty"` // both ends of the critical path
	Note    string    `json:"note,omitempty"` // why numbers are missing
}

// name is the form, and of a scan whether it ends early.
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

// areas measures trees one after the other. One that a tool fails on stays without
// numbers, for K = 64 is more than some take.
func areas(ctx context.Context, trees []replay.Tree, measure func(context.Context, *ir.Design, *AreaRow) error, progress io.Writer) (rows []AreaRow, err error) {
	for _, t := range trees {
		d, _, err := hw.Build(t)
		if err != nil {
			return nil, err
		}

		// The latency is by formula, the cells are the tool's.
		row := AreaRow{K: t.K, Form: name(t), Latency: latency(t)}
		switch err := measure(ctx, d, &row); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, tools.ErrNotFound):
			return nil, err
		case err != nil:
			row.Note, _, _ = strings.Cut(err.Error(), "\n")
		}

		rows = append(rows, row)
		fmt.Fprintf(progress, "%s, K = %d: %+v %s\n", row.Form, row.K, row.Cells, row.Note)
	}
	return rows, nil
}

// synthesised counts cells.
func synthesised(family string) func(context.Context, *ir.Design, *AreaRow) error {
	return func(_ context.Context, d *ir.Design, row *AreaRow) error {
		cells, err := cli.YosysFor(family, d, true)
		row.Cells = cells[d.Top.Name]
		return err
	}
}

// placed has cells and clock rate on a device.
func placed(p cli.Placement) func(context.Context, *ir.Design, *AreaRow) error {
	return func(ctx context.Context, d *ir.Design, row *AreaRow) error {
		t, err := cli.PlaceAndRoute(ctx, d, p)
		if err != nil {
			return err
		}
		row.Cells = cli.Cells{LUT: t.LUT, FF: t.FF, DSP: t.DSP, BRAM: t.BRAM}

		// A tree that does not fit the device has no rates, which is no error of the tools.
		if row.MHz = t.MHz; len(t.MHz) == 0 {
			row.Note = "does not fit"
			return nil
		}
		row.Path = t.Ends()
		return nil
	}
}

// areaTable prints the sizes.
func areaTable(w io.Writer, rows []AreaRow) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "form\tK\tLUT\tFF\tDSP\tblock RAM\tLUT RAM\tlatency\tMHz\t")
	for _, r := range rows {
		c, l := r.Cells, "varies"
		if r.Latency > 0 {
			l = fmt.Sprint(r.Latency)
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t", r.Form, r.K, c.LUT, c.FF, c.DSP, c.BRAM, c.LUTRAM, l, r.rates())
		if r.Path != "" || r.Note != "" {
			fmt.Fprint(t, "  "+r.Note+r.Path)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// rates are the clock rates of the seeds: the median, and the least and greatest.
func (r AreaRow) rates() string {
	switch n := len(r.MHz); n {
	case 0:
		return "-"
	case 1:
		return fmt.Sprintf("%.1f", r.MHz[0])
	default:
		return fmt.Sprintf("%.1f (%.1f to %.1f)", r.MHz[n/2], r.MHz[0], r.MHz[n-1])
	}
}
