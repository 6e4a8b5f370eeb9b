package learnertool

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/learner"
	"etch/hw"
	"etch/ir"
)

// Area is the size of the learners of CartPole and of the pendulum with different numbers
// of multipliers.
var Area = cli.Command{
	Name: "learner-area", Usage: "[-algorithm dqn|ddpg] [-beats 64,32,16,8] [-family xc7] [-json]",
	Doc: "cells of the learner of CartPole or of the pendulum after yosys synth_xilinx, and cycles a step, by cycles of a beat",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment learner-area", out)
		family := f.String("family", "xc7", "that synth_xilinx knows")
		algorithm := f.String("algorithm", "dqn", "dqn: 4-64-2, batch 32; ddpg: 3-64-1 and 4-64-1, batch 64")
		beats := f.String("beats", "64,32,16,8", "cycles of a beat, powers of two from 8 to 64")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}

		// Learners of each beat, synthesised one after the other.
		learners, err := candidates(*algorithm, *beats)
		if err != nil {
			return err
		}
		for i := range learners {
			if err := learners[i].measure(*family); err != nil {
				return err
			}
			fmt.Fprintf(out.Err, "beat of %d: %v\n", learners[i].Beat, learners[i].Cells)
		}
		if *asJSON {
			return cli.JSON(out.Out, map[string]any{"family": *family, "algorithm": *algorithm, "rows": learners})
		}
		return printAreas(out.Out, *family, *algorithm, learners)
	},
}

// AreaRow is a learner with its size.
type AreaRow struct {
	Beat        int       `json:"beat"`
	Cycles      int       `json:"cycles"` // of a step
	Multipliers int       `json:"multipliers"`
	Cells       cli.Cells `json:"cells"`

	build func() (*ir.Design, error)
}

// candidates are the learners with these beats.
func candidates(algorithm, beats string) (rows []AreaRow, err error) {
	for _, text := range strings.Split(beats, ",") {
		// The learner of a beat has exact cycles; it is built when it is measured.
		beat, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || beat < 8 || beat > 64 || beat&(beat-1) != 0 {
			return nil, fmt.Errorf("-beats: %q is no power of two from 8 to 64", text)
		}

		switch algorithm {
		case "dqn":
			c := learner.CartPole(beat)
			rows = append(rows, AreaRow{Beat: beat, Cycles: c.Schedule().Cycles, Multipliers: c.Multipliers(), build: func() (*ir.Design, error) {
				d, _, err := hw.Build(c)
				return d, err
			}})
		case "ddpg":
			c := learner.Pendulum(beat)
			rows = append(rows, AreaRow{Beat: beat, Cycles: c.Schedule().Cycles, Multipliers: c.Multipliers(), build: func() (*ir.Design, error) {
				d, _, err := hw.Build(c)
				return d, err
			}})
		default:
			return nil, fmt.Errorf("-algorithm %q; dqn or ddpg", algorithm)
		}
	}
	return rows, nil
}

// measure synthesises a learner.
func (r *AreaRow) measure(family string) error {
	d, err := r.build()
	if err != nil {
		return err
	}
	cells, err := cli.YosysFor(family, d, true)
	if err != nil {
		return err
	}
	r.Cells = cells[d.Top.Name]
	return nil
}

func printAreas(w io.Writer, family, algorithm string, table []AreaRow) error {
	fmt.Fprintf(w, "yosys synth_xilinx -family %s; %s, numbers of 18 bits\n", family, algorithm)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "beat\tcycles a step\tmultipliers\tLUT\tFF\tDSP\tblock RAM\tLUT RAM\t")
	for _, r := range table {
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", r.Beat, r.Cycles, r.Multipliers, r.Cells.LUT, r.Cells.FF, r.Cells.DSP, r.Cells.BRAM, r.Cells.LUTRAM)
	}
	return t.Flush()
}
