package lowprectool

import (
	"context"
	"fmt"
	"time"

	"etch/designs/cli"
	"etch/designs/lowprec"
	"etch/designs/lowprec/sac"
	"etch/hw"
)

// Demo shows naive fp16 fail and the six methods learn, with the optimiser as a circuit.
var Demo = cli.Command{
	Name: "lowprecision", Usage: "[-steps 6000] [-seed 1] [-area=false]",
	Doc: "soft actor-critic in fp16: naive, and with the six methods, whose steps go through the circuits; the optimiser's area",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("demo lowprecision", out)
		steps := f.Int("steps", 6000, "of training")
		seed := f.Uint64("seed", 1, "of the runs")
		area := f.Bool("area", true, "synthesise the optimiser with yosys, if it is there")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *steps < 2000 || *steps > 1_000_000 {
			return cli.Usagef("-steps %d: want 2000 to 1000000", *steps)
		}
		ctx, stop := cli.Interruptible()
		defer stop()
		return interrupted(ctx, demo(ctx, *steps, *seed, *area, out), "")
	},
}

// interrupted is the error of a command that a signal has ended, with what is kept; else err.
func interrupted(ctx context.Context, err error, kept string) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return &cli.ExitError{Code: 130, Msg: "interrupted" + kept}
}

func demo(ctx context.Context, steps int, seed uint64, area bool, out cli.Output) error {
	// The optimiser is synthesised while the runs train: each takes a processor.
	sized := make(chan func() error, 1)
	if area {
		go func() { sized <- optimiserArea(ctx, out) }()

		// A signal ends yosys as well: that must have happened before the command ends.
		defer func() {
			if ctx.Err() != nil {
				select {
				case <-sized:
				case <-time.After(2 * time.Second):
				}
			}
		}()
	}

	// Naive first: it crashes in seconds.
	naive := sac.Default(sac.Variants()[1], seed)
	r, err := sac.Train(ctx, naive, nil, nil)
	if err != nil {
		return err
	}
	fmt.Fprintf(out.Out, "%s: %s; the first update is in step %d\n", naive.Name, outcome(r), naive.Warm+1)

	// One of a thousand steps is recorded, weight by weight.
	ours := sac.Default(sac.AllSix(), seed)
	ours.Steps = steps
	rec := &sac.Recorder{Every: 1000}
	r, err = sac.Train(ctx, ours, rec, func(step int, r *sac.Result) {
		fmt.Fprintf(out.Out, "%s: return %.0f after %d steps\n", ours.Name, r.Returns[len(r.Returns)-1], step)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out.Out, "%s: temperature %.3f, scales %.4g, steps skipped %d\n\n", ours.Name, r.Temperature, r.Scale, r.Skipped)

	// The records go through the cycle-accurate circuits.
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := replayed(ours, rec, out); err != nil {
		return err
	}
	if !area {
		return nil
	}
	select {
	case say := <-sized:
		sized <- nil // for the end
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return say()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// replayed puts the records of a run through the circuits; a record that differs is an error.
func replayed(c sac.Config, rec *sac.Recorder, out cli.Output) error {
	r, err := sac.Replay(c, rec)
	if err != nil {
		return err
	}
	fmt.Fprint(out.Out, r)
	if r.Differ() > 0 {
		return fmt.Errorf("%d records differ", r.Differ())
	}
	return nil
}

// optimiserArea synthesises the optimiser; the function that it returns prints the cells.
func optimiserArea(ctx context.Context, out cli.Output) (say func() error) {
	d, _, err := hw.Build(lowprec.Ours())
	if err != nil {
		return func() error { return err }
	}
	if ctx.Err() != nil {
		return func() error { return ctx.Err() }
	}
	part, err := cli.YosysPart(d)
	return func() error {
		if err != nil {
			fmt.Fprintf(out.Err, "no area: %v\n", err)
			return nil
		}
		_, err = fmt.Fprintf(out.Out, "\nthe optimiser, a weight every cycle, latency %d: %v (yosys %s)\n", lowprec.Ours().Latency(), part.Cells, cli.SynthesisOfParts)
		return err
	}
}
