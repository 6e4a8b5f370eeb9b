package fuzz

import (
	"etch/ir"
	"etch/passes"
	"etch/sim"
)

// interpret checks the reference itself: the design is valid, the interpreter
// takes it, and says the same twice, the second time with memories packed or not.
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

// start is the state that judges inside the process start from.
func (c *Case) start() int { return int(c.Stim.Seed % 2) }

// runNative compares machine code with the interpreter: outputs and statements of
// the case; for every second one, and over a longer run, all state in lock step.
func runNative(c *Case) Verdict {
	want := c.Reference(c.start())
	opts := append(c.options(c.start(), sim.Native), c.packing()...)
	if c.Stim.Seed/2%2 == 1 {
		opts = append(opts, sim.WithoutSpecialisation())
	}
	if text := Answer(engineTakes(c.Design), c.Stim, opts...).Diff(want, c.Design.Top, true); text != "" {
		return Verdict{Kind: Differs, Text: text}
	}
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

// engineTakes is what machine code is made of; tests plant mistakes in it.
var engineTakes = func(d *ir.Design) *ir.Design { return d }

// runPasses compares the design after every pass of the table, each on top of
// those before it, and after all of Optimize.
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
	o := passes.Options{KeepNames: c.Stim.Seed/2%2 == 1, Flatten: c.Stim.Seed/4%2 == 1}
	d := passes.Clone(c.Design)
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

// passTable is the passes to look at; tests plant mistakes in it.
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
