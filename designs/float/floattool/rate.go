package floattool

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/float"
	"etch/testbench/tools"
)

// rated lists the pipelined units that are placed and routed.
var rated = []struct {
	op     string
	format float.Format
	stages []int
}{
	{"add", float.F16, []int{3, 6}}, {"mul", float.F16, []int{2, 4}}, {"fma", float.F16, []int{3, 5}}, {"fma", float.F32, []int{5}},
}

// rateRow is a placed unit.
type rateRow struct {
	Op     string       `json:"op"`
	Format float.Format `json:"format"`
	Stages int          `json:"stages"`
	cli.Timing
}

// placeUnits places and routes the units, those of units alone if it names any of them.
// Without the tools there are no rows, and a line says so.
func placeUnits(units []string, old *cli.Results, progress io.Writer) (rows []rateRow, err error) {
	// Without the tools the table of cells is still worth printing.
	for _, tool := range []string{"yosys", "nextpnr-ecp5"} {
		if _, err := tools.Find(tool); errors.Is(err, tools.ErrNotFound) {
			fmt.Fprintf(progress, "no clock rates: %v\n", err)
			return nil, nil
		}
	}

	// An interrupt ends the tools; rows that are done are in the file of results.
	ctx, stop := cli.Interruptible()
	defer stop()
	for _, r := range rated {
		if units[0] != "" && !slices.Contains(units, r.op) {
			continue
		}
		for _, stages := range r.stages {
			// A unit as etch run float builds it, so that its figures are those of a user.
			u := defaults()
			u.Op, u.Format, u.Stages = r.op, r.format, stages
			d, err := u.Build()
			if err != nil {
				return nil, err
			}

			// One seed: rates differ by some percent between seeds, and the table says which.
			p := cli.DefaultPlacement()
			p.Seeds = 1
			var t cli.Timing
			if err := old.Measure("rate", d, &t, func() (err error) {
				t, err = cli.PlaceAndRoute(ctx, d, p)
				return err
			}); err != nil {
				return nil, fmt.Errorf("%s of %v in %d stages: %w", r.op, r.format, stages, err)
			}
			rows = append(rows, rateRow{r.op, r.format, stages, t})
			fmt.Fprintf(progress, "%s %v, %d stages: %.1f MHz\n", r.op, r.format, stages, t.Median())
		}
	}
	return rows, nil
}

func rateTable(w io.Writer, rows []rateRow) error {
	fmt.Fprintln(w, "ECP5-85 -6 by yosys synth_ecp5 and nextpnr-ecp5, seed 1, each port behind a register; with all flags")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "unit\tformat\tstages\tMHz\tLUT4\tFF\tDSP\tlogic, ns, on the longest path")

	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%v\t%d\t%.1f\t%d\t%d\t%d\t%.1f\n", r.Op, r.Format, r.Stages, r.Median(), r.LUT, r.FF, r.DSP, r.LogicNS())
	}
	return t.Flush()
}
