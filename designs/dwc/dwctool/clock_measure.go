package dwctool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"etch/designs/cli"
	"etch/testbench/tools"
)

// clockLadder is the pipelines that dwc-clock measures, about in the order of their
// latency: each puts a register where the critical path of the one before lies, in the
// controller that comes with etch and in classifiers with and without lut6.
var clockLadder = []string{
	"none", "output", "encoder+output", "encoder+votes+output", "encoder+votes+sums+output",
	"encoder+votes+counts=1+output", "encoder+votes+counts=1+sums+output", "encoder+votes+counts=2+output",
	"encoder+votes+counts=2+sums+output", "encoder+layers+votes+counts=2+sums+output",
	"encoder+layers+votes+counts=3+sums+output", "encoder+layers+votes+counts=4+sums+output",
}

// Clock is the experiment that makes the table which the parameter clock chooses from.
var Clock = cli.Command{
	Name: "dwc-clock", Usage: "[-p name=value]… [-reach 100MHz] [-seeds 3] [-o clocks.csv]",
	Doc: "clock rates of a controller's pipelines on a Lattice ECP5-85 -6, as a table for the parameters clock and clocks; minutes",
	Run: func(_ *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment dwc-clock", out)
		given := f.Values()
		reach := f.String("reach", "", "end with the first pipeline that reaches this `rate`, as in 100MHz")
		seeds := f.Int("seeds", 3, "placements of each pipeline")
		path := f.String("o", "", "`file` to write; without it the table is printed")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		m, err := newClockMeasure(given, *reach, *seeds)
		if err != nil {
			return err
		}

		// As with fmax, missing tools are no failure.
		for _, tool := range []string{"yosys", "nextpnr-ecp5"} {
			if _, err := tools.Find(tool); errors.Is(err, tools.ErrNotFound) {
				fmt.Fprintf(out.Err, "skipped: %v\n", err)
				return nil
			}
		}
		ctx, stop := cli.Interruptible()
		defer stop()
		text, err := m.table(ctx, out.Err)
		if err != nil {
			return cli.Interrupted(ctx, err)
		}
		if *path == "" {
			_, err = io.WriteString(out.Out, text)
			return err
		}
		return os.WriteFile(*path, []byte(text), 0o666)
	},
}

// clockMeasure is a run of the experiment.
type clockMeasure struct {
	circuit  *circuit
	identity string
	mhz      float64 // end where this is reached; 0 measures all
	place    cli.Placement
}

func newClockMeasure(given cli.Values, reach string, seeds int) (m *clockMeasure, err error) {
	// The ladder sets the registers, and -reach the rate.
	for name := range given {
		if name == "clock" || name == "clocks" || strings.HasPrefix(name, "pipeline.") {
			return nil, cli.Usagef("-p %s: the pipelines are those that are measured", name)
		}
	}
	if seeds < 1 || seeds > 1000 {
		return nil, cli.Usagef("-seeds: %d is not in 1 to 1000", seeds)
	}

	m = &clockMeasure{place: cli.DefaultPlacement()}
	m.place.Seeds = seeds
	if reach != "" {
		if m.mhz, err = readClockRate(reach); err != nil {
			return nil, cli.Usagef("-reach: %q is no rate as in 100MHz", reach)
		}
	}

	if m.circuit, err = load(given); err != nil {
		return nil, err
	}
	m.identity, err = m.circuit.identity()
	return m, err
}

// table measures the ladder. A pipeline with the same registers as one before is left
// out: registers between layers do not exist in a network of one layer.
func (m *clockMeasure) table(ctx context.Context, progress io.Writer) (string, error) {
	// The first line says how to make the table again; readClocks passes over it.
	var b strings.Builder
	fmt.Fprintf(&b, "# ECP5-85 -6, yosys synth_ecp5 and nextpnr-ecp5, seeds 1 to %d: etch experiment dwc-clock %s\n%s\n",
		m.place.Seeds, strings.TrimSpace(measureFlags(m.circuit.given)), clockHeading)

	for _, registers := range clockLadder {
		if len(m.circuit.model.Layers) == 1 && strings.Contains(registers, "layers") {
			continue
		}
		row, err := m.measure(ctx, registers)
		if err != nil {
			return "", fmt.Errorf("%s: %w", registers, err)
		}
		fmt.Fprintln(&b, row)
		fmt.Fprintf(progress, "%s: %.1f MHz, latency %d\n", registers, row.worst, m.circuit.stages(row))
		// The ladder is about in the order of latency, so the first to reach the rate is enough.
		if m.mhz > 0 && row.worst >= m.mhz {
			break
		}
	}
	return b.String(), nil
}

// measure places and routes one pipeline.
func (m *clockMeasure) measure(ctx context.Context, registers string) (row clockRow, err error) {
	row = clockRow{circuit: m.identity, registers: registers}
	if row.pipeline, err = readPipeline(registers); err != nil {
		return row, err
	}

	// A copy, since the circuit keeps the registers of its parameters.
	with := *m.circuit
	with.pipeline = row.pipeline
	d, err := with.build()
	if err != nil {
		return row, err
	}

	t, err := cli.PlaceAndRoute(ctx, d, m.place)
	if err != nil {
		return row, err
	}
	row.worst, row.median, row.lut, row.ff = t.MHz[0], t.Median(), t.LUT, t.FF
	return row, nil
}
