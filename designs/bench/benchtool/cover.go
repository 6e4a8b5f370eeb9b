package benchtool

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"etch/designs/bench"
	"etch/designs/cli"
	"etch/ir"
	"etch/sim"
	"etch/sim/cover"
)

// CoverRow is the cost of counting one design's coverage: the processor time of replays of a run, each
// with its simulator and its compilation, over that of a plain replay.
type CoverRow struct {
	Design   string  `json:"design"`
	Cycles   uint64  `json:"cycles"` // of the run
	PlainMS  float64 `json:"plain_ms"`
	Branches float64 `json:"branches"` // times the plain replay
	Toggles  float64 `json:"toggles"`  // the same, with branches and toggles
}

// runCover measures the cost of coverage.
func runCover(ctx context.Context, args []string, out cli.Output) error {
	f := newFlags("bench cover", out)
	names := f.String("design", "", "`designs`, comma-separated; all without it")
	if _, err := f.Positional(args); err != nil {
		return err
	}
	designs, err := chosen("design", *names, bench.Designs(), func(d bench.Design) string { return d.Name })
	if err != nil {
		return err
	}

	// One design after the other: the time that is measured is the whole process's.
	rows := []CoverRow{}
	working := cli.NewProgress(out.Err, "")
	defer working.End()
	for i, d := range designs {
		working.Now("measures " + d.Name)
		working.Count(uint64(i), uint64(len(designs)), "designs")
		row, err := coverCost(ctx, d, *f.cycles, *f.short)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	working.End()
	if *f.json {
		return cli.JSON(out.Out, map[string]any{"rows": rows})
	}
	return printCover(out.Out, rows)
}

// Seconds that a plain run takes, and replays of each kind.
const (
	coverSeconds, shortCoverSeconds = 2, 0.05
	coverRuns                       = 3
)

// coverCost measures a design. The run's cycles are as many as take two seconds, if not given.
func coverCost(ctx context.Context, d bench.Design, cycles uint64, short bool) (row CoverRow, err error) {
	net, err := d.Make()
	if err != nil {
		return row, err
	}

	// As many cycles as the native engine does in this time.
	if cycles == 0 {
		r := racer{engine: Engines[1], design: net}
		length := float64(coverSeconds)
		if short {
			length = shortCoverSeconds
		}
		if err := r.calibrate(ctx, length); err != nil {
			return row, err
		}
		cycles = r.cycles
	}
	recording, err := recorded(net, cycles)
	if err != nil {
		return row, err
	}

	// The three kinds in turn, so that a slow spell of the machine meets all.
	kinds := []cover.Kinds{{}, {Branches: true}, cover.All}
	times := make([][]float64, len(kinds))
	for range coverRuns {
		for i, k := range kinds {
			if err := ctx.Err(); err != nil {
				return row, err
			}
			began := processor()
			if _, err := cover.Count(recording, net, k); err != nil {
				return row, fmt.Errorf("%s: %w", d.Name, err)
			}
			times[i] = append(times[i], (processor() - began).Seconds())
		}
	}

	median := func(i int) float64 { slices.Sort(times[i]); return times[i][coverRuns/2] }
	plain := median(0)
	return CoverRow{Design: d.Name, Cycles: cycles, PlainMS: 1000 * plain, Branches: median(1) / plain, Toggles: median(2) / plain}, nil
}

// recorded is a run of a design with nothing set but the reset.
func recorded(d *ir.Design, cycles uint64) (*sim.Recording, error) {
	s, err := sim.New(d, sim.WithOutput(io.Discard))
	if err != nil {
		return nil, err
	}
	defer s.Close()
	s.Record(1 << 20)
	s.Reset()
	s.Step(int(cycles))
	return s.Recorded(), nil
}

func printCover(w io.Writer, rows []CoverRow) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "design\tcycles\treplay\twith branches\twith toggles too")
	logs := [2]float64{}
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%d\t%s\t× %.2f\t× %.2f\n", r.Design, r.Cycles, seconds(r.PlainMS), r.Branches, r.Toggles)
		logs[0] += math.Log(r.Branches) / float64(len(rows))
		logs[1] += math.Log(r.Toggles) / float64(len(rows))
	}

	// Ratios have a geometric mean.
	if len(rows) > 1 {
		fmt.Fprintf(t, "geometric mean\t\t\t× %.2f\t× %.2f\n", math.Exp(logs[0]), math.Exp(logs[1]))
	}
	return t.Flush()
}
