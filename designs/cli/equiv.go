package cli

import (
	"fmt"
	"slices"

	"etch/ir"
	"etch/testbench/equiv"
)

// EquivCommand compares two designs.
var EquivCommand = Command{
	Name: "equiv", Usage: "A B [-p name=value]… [-top NAME[,NAME]] [-set PORT=VALUE]… [-reset CYCLES] [-time DURATION] [-o FILE.vcd] [-json]",
	Doc:      "proves that two designs, by name or from files (.etch, .fir, .v, or x.v,y.v), are equal, or shows a run in which they differ",
	Examples: []string{"equiv fifo out/fifo.fir", "equiv old.v new.v -top core -time 5m -o differs.vcd"},
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
		working, told := proof.working(out, "compares "+names[0]+" and "+names[1])
		opts = append(opts, told)
		r, err := equiv.Compare(designs[0], designs[1], opts...)
		working.End()
		if err != nil {
			return err
		}
		return proof.verdict(r, "equal", out)
	},
}

// ProveCommand proves the assertions of a design.
var ProveCommand = Command{
	Name: "prove", Usage: "DESIGN [-assertion TEXT] [-cycles N] [-p name=value]… [-top NAME] [-set PORT=VALUE]… [-reset CYCLES] [-time DURATION] [-o FILE.vcd] [-json]",
	Doc:      "proves the assertions of a design, by name or from a file, for all runs or for their first cycles",
	Examples: []string{"prove protocol", "prove core.v -top core -assertion grant -set test_mode=0"},
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

		// All are tried at once first, then one by one.
		about := fmt.Sprintf("the %d assertions", assertions(d.Top))
		if *which != "" {
			about = fmt.Sprintf("assertions with %q", *which)
		}
		working, told := proof.working(out, "proves "+about+" of "+names[0])
		opts = append(opts, told)
		defer working.End()
		if *cycles > 0 {
			r, err := equiv.VerifyBounded(d, *cycles, opts...)
			working.End()
			if err != nil {
				return err
			}
			return proof.verdict(r, "proved", out)
		}
		all, err := equiv.VerifyEach(d, *which, opts...)
		working.End()
		if err != nil {
			return err
		}
		return proof.verdicts(all, out)
	},
}

// assertions counts the assertions below a module, those of an instance each time.
func assertions(m *ir.Module) (n int) {
	for _, s := range m.Stmts {
		if s.Kind == ir.Assert {
			n++
		}
	}
	for _, inst := range m.Insts {
		n += assertions(inst.Mod)
	}
	return n
}

// verdicts prints the results about assertions: one line where one proof holds for
// all of them, else a line for each.
func (p *proofFlags) verdicts(all []equiv.Verdict, out Output) error {
	if first := all[0].Result; !slices.ContainsFunc(all, func(v equiv.Verdict) bool { return v.Result != first }) && !*p.json {
		return p.verdict(first, "proved", out)
	}

	// Else a line for each assertion.
	open, wrong := 0, 0
	list := []answer{}
	for _, v := range all {
		list = append(list, answerOf(v.Result, v.Assertion))
		text := fmt.Sprintf("not decided: %s: %s", v.Assertion, v.Why)
		switch v.Outcome {
		case equiv.Equal:
			text = fmt.Sprintf("proved: %s: by %s", v.Assertion, v.By)
		case equiv.Different:
			wrong++
			text = v.Result.String()
		default:
			open++
		}
		if !*p.json {
			fmt.Fprintln(out.Out, text)
		}
	}
	if *p.json {
		if err := JSON(out.Out, list); err != nil {
			return err
		}
	}
	switch {
	// A failure counts more than an open question.
	case wrong > 0:
		return fmt.Errorf("not proved: %d of %d assertions fail", wrong, len(all))
	case open > 0:
		return fmt.Errorf("not decided: %d of %d assertions; -time gives more than the time there was", open, len(all))
	}
	return nil
}

// verdict prints one result; anything but a proof is an error.
func (p *proofFlags) verdict(r *equiv.Result, good string, out Output) error {
	if *p.json {
		if err := JSON(out.Out, answerOf(r, "")); err != nil {
			return err
		}
	}

	// A document has said it all: only the exit code is left.
	switch {
	case r.Outcome == equiv.Equal:
		if !*p.json {
			fmt.Fprintf(out.Out, "%s: %v\n", good, r)
		}
		return nil
	case r.Outcome == equiv.Different:
		if !*p.json {
			fmt.Fprintln(out.Out, r)
		}
		return fmt.Errorf("not %s", good)
	}
	return fmt.Errorf("%v", r)
}

// answer is a result for -json.
type answer struct {
	Assertion string `json:"assertion,omitempty"`
	Outcome   string `json:"outcome"` // "equal" (or proved), "different", "unknown"
	By        string `json:"by,omitempty"`
	Why       string `json:"why,omitempty"`
	Gates     int    `json:"gates"`
	State     int    `json:"state_bits"`
	Depth     int    `json:"depth"`

	// Of a counterexample:
	Cycle   *int   `json:"cycle,omitempty"`
	Port    string `json:"port,omitempty"`
	A       string `json:"a,omitempty"`
	B       string `json:"b,omitempty"`
	Message string `json:"message,omitempty"`
}

// answerOf converts a result into the record that -json prints, for one assertion or, with "", for
// the designs.
func answerOf(r *equiv.Result, assertion string) answer {
	a := answer{Assertion: assertion, Outcome: r.Outcome.String(), By: r.By, Why: r.Why, Gates: r.Gates, State: r.Latches, Depth: r.Depth}
	if c := r.Counterexample; c != nil {
		a.Cycle, a.Port, a.Message = &c.Cycle, c.Port, c.Message
		if c.Port != "" {
			a.A, a.B = c.A.String(), c.B.String()
		}
	}
	return a
}
