package lowprectool

import (
	"context"
	"fmt"

	"etch/designs/cli"
	"etch/designs/lowprec/sac"
	"etch/testbench/cosim"
)

// verilog is the tool that runs the emitted Verilog, and sampled the records of each kind that
// it takes: a cycle costs a thousand times one in lanes.
const (
	verilog = "iverilog"
	sampled = 300
)

// replay trains with all six methods, recording, and puts the records through the circuits.
func replay(ctx context.Context, seed uint64, steps, every int, out cli.Output) error {
	if steps == 0 {
		steps = 2000
	}

	// Only steps after the warm-up learn, and only every other one moves the targets.
	c := sac.Default(sac.AllSix(), seed)
	if c.Steps = steps; steps <= c.Warm || every < 2 || every%2 != 0 {
		return cli.Usagef("-steps %d, -every %d: want more than %d, and an even number, for targets move every other step", steps, every, c.Warm)
	}

	// Train, recording; then the records through the circuits.
	rec := &sac.Recorder{Every: every}
	if _, err := sac.Train(ctx, c, rec, nil); err != nil {
		return err
	}
	fmt.Fprintf(out.Err, "%d steps of training, one of %d recorded: %d records\n", steps, every, rec.Count())
	r, err := sac.Replay(c, rec)
	if err != nil {
		return err
	}
	fmt.Fprint(out.Out, r)
	if n := r.Differ(); n > 0 {
		return fmt.Errorf("%d records differ", n)
	}

	if err := judge(ctx, c, rec, out); err != nil {
		return err
	}

	// A comparison that cannot fail is worth nothing: one bit of one result is changed.
	rec.Spoil()
	if r, err = sac.Replay(c, rec); err != nil {
		return err
	}
	if r.Differ() != 4 {
		return fmt.Errorf("4 spoilt records, %d found", r.Differ())
	}
	fmt.Fprintln(out.Out, "4 records with a bit changed, one of each kind: all found")
	return nil
}

// judge puts a sample of the records through the emitted Verilog, if the tool is there.
func judge(ctx context.Context, c sac.Config, rec *sac.Recorder, out cli.Output) error {
	if err := cosim.Find(verilog); err != nil {
		fmt.Fprintf(out.Err, "nothing goes through the emitted Verilog: %v\n", err)
		return nil
	}

	r, err := sac.Judge(ctx, c, rec, sampled, verilog)
	if err != nil {
		return err
	}

	fmt.Fprintf(out.Out, "emitted Verilog:\n%v", r)
	if n := r.Differ(); n > 0 {
		return fmt.Errorf("%d records differ in Verilog", n)
	}
	return nil
}
