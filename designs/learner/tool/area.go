package tool

import (
	"fmt"
	"io"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/learner"
	"etch/hw"
)

// Area is the size and speed of CartPole's learner with different numbers of
// multipliers.
var Area = cli.Command{
	Name: "learner-area", Usage: "[-family xc7] [-json]",
	Doc: "cells of the learner of 4-64-2 after yosys synth_xilinx, and cycles a step, for beats of 64 to 8 cycles",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment learner-area", out)
		family := f.String("family", "xc7", "that synth_xilinx knows")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		table, err := areas(*family, out.Err)
		if err != nil {
			return err
		}
		if *asJSON {
			return cli.JSON(out.Out, map[string]any{"family": *family, "rows": table})
		}
		return printAreas(out.Out, *family, table)
	},
}

// AreaRow is a learner with its size.
type AreaRow struct {
	Beat        int       `json:"beat"`
	Cycles      int       `json:"cycles"` // of a step of 32 samples
	Multipliers int       `json:"multipliers"`
	Cells       cli.Cells `json:"cells"`
}

func areas(family string, progress io.Writer) (table []AreaRow, err error) {
	for beat := 64; beat >= 8; beat /= 2 {
		c := learner.CartPole(beat)
		d, _, err := hw.Build(c)
		if err != nil {
			return nil, err
		}
		cells, err := cli.YosysFor(family, d, true)
		if err != nil {
			return nil, err
		}
		r := AreaRow{beat, c.Schedule().Cycles, c.Multipliers(), cells[d.Top.Name]}
		table = append(table, r)
		fmt.Fprintf(progress, "beat of %d: %v\n", beat, r.Cells)
	}
	return table, nil
}

func printAreas(w io.Writer, family string, table []AreaRow) error {
	fmt.Fprintf(w, "yosys synth_xilinx -family %s; DQN 4-64-2, batch 32, numbers of 18 bits\n", family)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "beat\tcycles a step\tmultipliers\tLUT\tFF\tDSP\tblock RAM\tLUT RAM\t")
	for _, r := range table {
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", r.Beat, r.Cycles, r.Multipliers, r.Cells.LUT, r.Cells.FF, r.Cells.DSP, r.Cells.BRAM, r.Cells.LUTRAM)
	}
	return t.Flush()
}
