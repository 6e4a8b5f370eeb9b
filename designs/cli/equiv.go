package cli

import (
	"fmt"
	"slices"

	"etch/ir"
	"etch/testbench/equiv"
)

// EquivCommand compares two designs.
var EquivCommand = Command{
	Name: "equiv", Usage: "A B [-p name=value]… [-top NAME[,NAME]] [-set PORT=VALUE]… [-reset CYCLES] [-time DURATION] [-o FILE.vcd]",
	Doc: "proves that two designs, by name or from files (.etch, .fir, .v, or x.v,y.v), are equal, or shows a run in which they differ",
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("equiv", out)
		given, proof := f.Values(), f.proof()
		names, err := proof.positional(f, args, "A", "B")
		if err != nil {
			return err
		}
		var designs [2]*ir.Design
		for i, name := range names {
			if designs[i], err = proof.design(app, name, i, given, out); err != nil {
				return err
			}
		}
		opts, err := proof.options(out, designs[:]...)
		if err != nil {
			return err
		}
		r, err := equiv.Compare(designs[0], designs[1], opts...)
		return verdict(r, err, "equal", out)
	},
}

// ProveCommand proves the assertions of a design.
var ProveCommand = Command{
	Name: "prove", Usage: "DESIGN [-assertion TEXT] [-cycles N] [-p name=value]… [-top NAME] [-set PORT=VALUE]… [-reset CYCLES] [-time DURATION] [-o FILE.vcd]",
	Doc: "proves the assertions of a design, by name or from a file, for all runs or for their first cycles",
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("prove", out)
		given, proof := f.Values(), f.proof()
		which := f.String("assertion", "", "only assertions whose name, `text` or position contains this")
		cycles := f.Int("cycles", 0, "only the first `cycles`; 0: all")
		names, err := proof.positional(f, args, "DESIGN")
		if err != nil {
			return err
		}
		if *cycles < 0 || *cycles > 0 && *which != "" {
			return usagef("-cycles is not negative, and is about all assertions")
		}
		d, err := proof.design(app, names[0], 0, given, out)
		if err != nil {
			return err
		}
		opts, err := proof.options(out, d)
		if err != nil {
			return err
		}
		if *cycles > 0 {
			r, err := equiv.VerifyBounded(d, *cycles, opts...)
			return verdict(r, err, "proved", out)
		}
		all, err := equiv.VerifyEach(d, *which, opts...)
		if err != nil {
			return err
		}
		return verdicts(all, out)
	},
}

// verdicts prints the results about assertions: one line where one proof holds for
// all of them, else a line for each.
func verdicts(all []equiv.Verdict, out Output) error {
	if first := all[0].Result; !slices.ContainsFunc(all, func(v equiv.Verdict) bool { return v.Result != first }) {
		return verdict(first, nil, "proved", out)
	}
	open, wrong := 0, 0
	for _, v := range all {
		switch v.Outcome {
		case equiv.Equal:
			fmt.Fprintf(out.Out, "proved: %s: by %s\n", v.Assertion, v.By)
		case equiv.Different:
			wrong++
			fmt.Fprintln(out.Out, v.Result)
		default:
			open++
			fmt.Fprintf(out.Out, "not decided: %s: %s\n", v.Assertion, v.Why)
		}
	}
	switch {
	case wrong > 0:
		return fmt.Errorf("not proved: %d of %d assertions fail", wrong, len(all))
	case open > 0:
		return fmt.Errorf("not decided: %d of %d assertions; -time gives more than the time there was", open, len(all))
	}
	return nil
}

// verdict prints what was found; anything but a proof is an error.
func verdict(r *equiv.Result, err error, good string, out Output) error {
	switch {
	case err != nil:
		return err
	case r.Outcome == equiv.Equal:
		fmt.Fprintf(out.Out, "%s: %v\n", good, r)
		return nil
	case r.Outcome == equiv.Different:
		fmt.Fprintln(out.Out, r)
		return fmt.Errorf("not %s", good)
	}
	return fmt.Errorf("%v", r)
}
