package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"etch/testbench/tools"
)

// Placed is a design with parameters that [FmaxCommand] places by default.
type Placed struct {
	Design string
	Given  Values
}

// String is the design with its parameters as flags.
func (p Placed) String() string { return strings.TrimSpace(p.Design + " " + p.Given.String()) }

// FmaxCommand measures clock rates by place and route: of the designs that are
// named, or of these.
func FmaxCommand(defaults ...Placed) Command {
	return Command{
		Name: "fmax", Usage: "[-p name=value]… [-speed 6] [-seeds 3] [-mhz 250] [-path] [-json] [DESIGN…]",
		Doc: "clock rates on a Lattice ECP5-85 by yosys and nextpnr-ecp5, with the critical path; minutes",
		Run: func(app *App, args []string, out Output) error {
			f := NewFlags("experiment fmax", out)
			given := f.Values()
			p := DefaultPlacement()
			f.IntVar(&p.Speed, "speed", p.Speed, "grade, 6 to 8")
			f.IntVar(&p.Seeds, "seeds", p.Seeds, "runs of each, of which the median counts")
			f.Float64Var(&p.MHz, "mhz", p.MHz, "the clock to strive for")
			path := f.Bool("path", false, "print the critical path of the median run, hop by hop")
			asJSON := f.Bool("json", false, "print one JSON document")
			names, err := f.rest(args)
			switch {
			case err != nil:
				return err
			case p.Speed < 6 || p.Speed > 8 || p.Seeds < 1 || p.Seeds > 1000 || !(p.MHz >= 1 && p.MHz <= 1000):
				return usagef("-speed %d, -seeds %d, -mhz %v: want 6 to 8, 1 to 1000, 1 to 1000", p.Speed, p.Seeds, p.MHz)
			case len(names) == 0 && len(given) > 0:
				return usagef("-p is for designs that are named")
			}

			// Designs that are named replace the usual ones.
			todo := defaults
			if len(names) > 0 {
				todo = nil
			}
			for _, n := range names {
				todo = append(todo, Placed{n, given})
			}

			// Without the tools there is nothing to measure, and that is no failure: they
			// are no part of a usual installation.
			for _, tool := range []string{"yosys", "nextpnr-ecp5"} {
				if _, err := tools.Find(tool); errors.Is(err, tools.ErrNotFound) {
					fmt.Fprintf(out.Err, "skipped: %v\n", err)
					return nil
				}
			}
			ctx, stop := Interruptible()
			defer stop()
			rows, err := app.fmax(ctx, todo, p, out.Err)
			if err != nil {
				return err
			}
			if *asJSON {
				return JSON(out.Out, map[string]any{"device": fmt.Sprintf("ECP5-85 -%d", p.Speed), "rows": rows})
			}
			return fmaxTable(out.Out, p, rows, *path)
		},
	}
}

// FmaxRow is the timing of one design.
type FmaxRow struct {
	Name string `json:"name"`
	Timing
	Median float64 `json:"median"` // of the seeds' clock rates, in MHz
}

// fmax builds, places and routes each design.
func (a *App) fmax(ctx context.Context, todo []Placed, p Placement, progress io.Writer) (rows []FmaxRow, err error) {
	for _, x := range todo {
		d, err := a.Design(x.Design)
		if err != nil {
			return nil, err
		}
		net, err := d.Build(x.Given)
		if err != nil {
			return nil, err
		}

		// One design at a time, since nextpnr takes a processor and memory of its own.
		t, err := PlaceAndRoute(ctx, net, p)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", x, err)
		}
		rows = append(rows, FmaxRow{Name: x.String(), Timing: t, Median: t.Median()})
		fmt.Fprintf(progress, "%v: %.1f MHz\n", x, t.Median())
	}
	return rows, nil
}

func fmaxTable(w io.Writer, p Placement, rows []FmaxRow, path bool) error {
	fmt.Fprintf(w, "ECP5-85 -%d, yosys synth_ecp5 and nextpnr-ecp5, seeds 1 to %d, each port behind a register\n", p.Speed, p.Seeds)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "design\tMHz, median\tworst to best\tLUT\tFF\tDSP\tblock RAM\tlogic, ns\trouting, ns\tcritical path")

	// The whole path is cells and wires.
	for _, r := range rows {
		whole := 0.0
		for _, h := range r.Path {
			whole += h.NS
		}
		fmt.Fprintf(t, "%s\t%.1f\t%.1f–%.1f\t%d\t%d\t%d\t%d\t%.1f\t%.1f\t%s\n", r.Name, r.Median, r.MHz[0], r.MHz[len(r.MHz)-1],
			r.LUT, r.FF, r.DSP, r.BRAM, r.LogicNS(), whole-r.LogicNS(), r.Ends())
	}

	// The hops of each critical path, with the time at which the signal arrives.
	if err := t.Flush(); err != nil || !path {
		return err
	}
	for _, r := range rows {
		fmt.Fprintf(w, "\n%s\n", r.Name)
		at := 0.0
		for _, h := range r.Path {
			at += h.NS
			fmt.Fprintf(w, "  %6.2f ns  +%5.2f  %-8s %s\n", at, h.NS, h.Kind, cmp.Or(h.Net, h.Cell))
		}
	}
	return nil
}
