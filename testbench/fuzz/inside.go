package fuzz

import (
	"etch/ir"
	"etch/passes"
	"etch/sim"
)

// interpret checks the reference itself: the design is valid, the interpreter takes it, and a
// second run gives the same answer. The second run may have packed memories.
func interpret(c *Case) Verdict {
	if err := ir.Verify(c.Design); err != nil {
		return Verdict{Kind: Broken, Text: "invalid: " + err.Error()}
	}
	again := Answer(c.Design, c.Stim, append(c.options(fromZero, sim.Interpreter), c.packing()...)...)
	if text := again.Diff(c.Reference(fromZero), c.Design.Top, true); text != "" {
		return Verdict{Kind: Differs, Text: text}
	}
	return Verdict{}
}

// start returns the kind of start for judges inside this process.
func (c *Case) start() int { return int(c.Stim.Seed % 2) }

// runNative compares machine code with the interpreter: outputs and statements of the case; for
// every second case, and for long runs, all state in lock step. Bits of the seed choose the
// engine's options.
func runNative(c *Case) Verdict {
	want := c.Reference(c.start())
	opts := append(c.options(c.start(), sim.Native), c.packing()...)

	// Half of the seeds judge the general code, without specialisation.
	if c.Stim.Seed/2%2 == 1 {
		opts = append(opts, sim.WithoutSpecialisation())
	}
	if text := Answer(engineTakes(c.Design), c.Stim, opts...).Diff(want, c.Design.Top, true); text != "" {
		return Verdict{Kind: Differs, Text: text}
	}

	// Lock step: the simulator itself compares both engines after every edge.
	if c.Stim.Long == 0 && c.Stim.Seed/4%2 == 1 {
		return Verdict{}
	}
	opts = append(c.options(c.start(), sim.Lockstep), c.packing()...)
	if t := Answer(c.Design, c.Stim, opts...); t.Err != nil {
		return Verdict{Kind: Differs, Stage: "lock step", Text: t.Err.Error()}
	}
	if c.Stim.Long == 0 {
		return Verdict{}
	}

	// A long run gives the engine time to specialise; a reset in between makes the specialised
	// code fail its guards.
	s, err := sim.New(c.Design, append(opts, sim.WithOutput(&speaker{}))...)
	if err != nil {
		return Verdict{Kind: Broken, Text: err.Error()}
	}
	defer s.Close()
	s.Reset()
	for range 3 {
		s.Step(c.Stim.Long / 3)
		s.Reset()
	}
	if err := s.Err(); err != nil {
		return Verdict{Kind: Differs, Stage: "long run", Text: err.Error()}
	}
	return Verdict{}
}

// engineTakes returns the design for the machine code, a variable for tests to plant mistakes
// in.
var engineTakes = func(d *ir.Design) *ir.Design { return d }

// runPasses compares the design after every pass of the table, each on top of the passes before
// it, and after all of Optimize. So a mismatch names its pass.
func runPasses(c *Case) Verdict {
	want := c.Reference(c.start())

	check := func(stage string, d *ir.Design) Verdict {
		if err := ir.Verify(d); err != nil {
			return Verdict{Kind: Broken, Stage: stage, Text: "invalid after " + stage + ": " + err.Error()}
		}
		if text := Answer(d, c.Stim, c.options(c.start(), sim.Interpreter)...).Diff(want, c.Design.Top, false); text != "" {
			return Verdict{Kind: Differs, Stage: stage, Text: "after " + stage + ": " + text}
		}
		return Verdict{}
	}

	// The options follow from the seed, so that a repeat has the same.
	o := passes.Options{KeepNames: c.Stim.Seed/2%2 == 1, Flatten: c.Stim.Seed/4%2 == 1}
	d := c.Design.Clone()
	for _, p := range passTable() {
		if applyPass(p, d, &o) == 0 {
			continue
		}
		if v := check(p.Name, d); v.Kind != None {
			return v
		}
	}
	return check("optimize", passes.Optimize(c.Design, o))
}

// passTable returns the passes to judge, a variable for tests to plant mistakes in.
var passTable = func() []passes.Pass { return passes.Table }

// applyPass runs one pass over a design and returns the number of changes.
func applyPass(p passes.Pass, d *ir.Design, o *passes.Options) int {
	if p.Design != nil {
		n := p.Design(d, o)
		return n.Total()
	}
	total := 0
	for _, m := range d.Modules {
		n := p.Module(m, o)
		total += n.Total()
	}
	return total
}
