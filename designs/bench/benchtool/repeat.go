package benchtool

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"etch/designs/bench"
	"etch/designs/cli"
	"etch/sim"
)

// RepeatRow is one design in several equal runs of the native engine. Rates are cycles per second
// of processor time.
type RepeatRow struct {
	Design  string    `json:"design"`
	Cycles  uint64    `json:"cycles"`   // before the code is looked at and the settled rate is measured
	Hashes  []string  `json:"hashes"`   // by run: of all machine code
	Bytes   []int     `json:"bytes"`    // by run: of machine code
	Settled []float64 `json:"settled"`  // by run: the rate after these cycles
	Beside  []float64 `json:"beside"`   // by run: its rate over the first run's, side by side after that
	At20ms  []float64 `json:"at_20ms"`  // by run: the mean rate of the first 20 ms, making the simulator included
	At100ms []float64 `json:"at_100ms"` // the same of the first 100 ms
}

// same is the number of runs with the most frequent hash.
func (r *RepeatRow) same() (most int) {
	times := map[string]int{}
	for _, h := range r.Hashes {
		times[h]++
		most = max(most, times[h])
	}
	return most
}

// runRepeat measures how far equal runs of a design differ.
func runRepeat(ctx context.Context, args []string, out cli.Output) error {
	f := newFlags("bench repeat", out)
	names := f.String("design", "", "`designs`, comma-separated; all without it")
	runs := f.Int("runs", 10, "`runs` of each design")
	verbose := f.Bool("v", false, "print a report of the code of the last run")

	if _, err := f.Positional(args); err != nil {
		return err
	}
	if *runs < 1 || *runs > 1000 {
		return cli.Usagef("-runs: 1 to 1000")
	}
	designs, err := chosen("design", *names, bench.Designs(), func(d bench.Design) string { return d.Name })
	if err != nil {
		return err
	}

	// Each run has a simulator of its own: nothing is kept between them but the machine's state.
	rows := []RepeatRow{}
	working := cli.NewProgress(out.Err, "")
	defer working.End()
	for i, d := range designs {
		working.Now("repeats " + d.Name)
		working.Count(uint64(i), uint64(len(designs)), "designs")
		row, report, err := repeat(ctx, d, *runs, *f.cycles)
		if err != nil {
			return err
		}
		rows = append(rows, row)
		if *verbose {
			fmt.Fprintf(working.Through(out.Err), "%s: %v\n", d.Name, report)
		}
	}
	working.End()
	if *f.json {
		return cli.JSON(out.Out, map[string]any{"rows": rows})
	}
	return printRepeat(out.Out, rows)
}

// repeat makes the runs of one design, of cycles cycles or, for 0, as many as take half a second.
func repeat(ctx context.Context, d bench.Design, runs int, cycles uint64) (row RepeatRow, last sim.Report, err error) {
	net, err := d.Make()
	if err != nil {
		return row, last, err
	}
	r := racer{engine: Engines[1], design: net, cycles: cycles}

	// Calibrate once, so that all runs have the same number of cycles.
	if cycles == 0 {
		if err := r.calibrate(ctx, 0.5); err != nil {
			return row, last, err
		}
	}

	row = RepeatRow{Design: d.Name, Cycles: r.cycles}

	// The first run's simulator stays, for the others to be measured beside it.
	first, err := r.engine.start(r.design, false)
	if err != nil {
		return row, last, err
	}
	defer first.Close()
	last = row.settle(&r, first)
	row.Beside = append(row.Beside, 1)
	for i := range runs {
		if err := ctx.Err(); err != nil {
			return row, last, err
		}
		if i > 0 {
			if last, err = row.another(&r, first); err != nil {
				return row, last, err
			}
		}
		if err := row.begin(&r); err != nil {
			return row, last, err
		}
	}
	return row, last, nil
}

// another makes a further run and measures it beside the first one's simulator.
func (row *RepeatRow) another(r *racer, first runner) (sim.Report, error) {
	s, err := r.engine.start(r.design, false)
	if err != nil {
		return sim.Report{}, err
	}
	defer s.Close()
	report := row.settle(r, s)
	row.Beside = append(row.Beside, beside(first, s, int(row.Settled[len(row.Settled)-1]*pieceSeconds)))
	return report, nil
}

// Two settled simulators run in turn, so often and each for so long: a change of the machine's speed
// concerns both.
const (
	pairs        = 41
	pieceSeconds = 0.005
)

// beside is the rate of b over that of a: the median of pairs of pieces of so many cycles.
func beside(a, b runner, cycles int) float64 {
	step := func(s runner) float64 {
		before := processor()
		s.Step(max(1, cycles))
		return max((processor() - before).Seconds(), 1e-9)
	}

	// Either is first in every second pair.
	var ratios []float64
	for i := range pairs {
		var ta, tb float64
		if i%2 == 0 {
			ta, tb = step(a), step(b)
		} else {
			tb, ta = step(b), step(a)
		}
		ratios = append(ratios, ta/tb)
	}
	return median(ratios)
}

// settle makes a run, looks at its code, and measures a second run behind it.
func (row *RepeatRow) settle(r *racer, s runner) sim.Report {
	s.Step(int(r.cycles))

	// One hash of all codes, in the order of the report.
	report := s.(single).Report()
	h := fnv.New64a()
	for _, c := range report.Codes {
		binary.Write(h, binary.LittleEndian, c.Hash)
	}
	row.Hashes, row.Bytes = append(row.Hashes, fmt.Sprintf("%016x", h.Sum64())), append(row.Bytes, report.Bytes)

	// Half as many cycles again, in the code of the end of the run.
	more := max(1, r.cycles/2)
	before := processor()
	s.Step(int(more))
	row.Settled = append(row.Settled, float64(more)/max((processor()-before).Seconds(), 1e-9))
	return report
}

// begin measures the first 20 and 100 ms of a run, in calls of about half a millisecond of settled
// code.
func (row *RepeatRow) begin(r *racer) error {
	// The settled rate of this run gives the size of a call.
	piece := max(1, int(row.Settled[len(row.Settled)-1]/2000))

	// Making the simulator is part of the time, as it is for its user.
	before, done := processor(), 0
	s, err := r.engine.start(r.design, false)
	if err != nil {
		return err
	}
	defer s.Close()

	for _, x := range []struct {
		after time.Duration
		rates *[]float64
	}{{20 * time.Millisecond, &row.At20ms}, {100 * time.Millisecond, &row.At100ms}} {
		// A call may go past the mark, so the rate is over the time that has really passed.
		took := processor() - before
		for ; took < x.after; took = processor() - before {
			s.Step(piece)
			done += piece
		}
		*x.rates = append(*x.rates, float64(done)/took.Seconds())
	}
	return nil
}

// printRepeat prints rows for people.
func printRepeat(w io.Writer, rows []RepeatRow) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "design\tcycles\tsame code\tcode bytes\tsettled\tfastest/slowest\tside by side\tfirst 20 ms\tfirst 100 ms")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%d\t%d of %d\t%d to %d\t%s\t%.2f\t%.2f\t%s\t%s\n", r.Design, r.Cycles, r.same(), len(r.Hashes), slices.Min(r.Bytes), slices.Max(r.Bytes),
			rate(median(r.Settled)), slices.Max(r.Settled)/slices.Min(r.Settled), slices.Max(r.Beside)/slices.Min(r.Beside), rate(median(r.At20ms)), rate(median(r.At100ms)))
	}
	return t.Flush()
}
