package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"etch/ir"
	"etch/testbench/equiv"
)

// EquivCommand compares two designs.
var EquivCommand = Command{
	Name: "equiv", Usage: "A B [-p name=value]… [-reset CYCLES] [-time DURATION] [-o FILE.vcd]",
	Doc: "proves that two designs, by name or from files (.etch, .fir, .v), are equal, or shows a run in which they differ",
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("equiv", out)
		given, proof := f.Values(), f.proof()
		names, err := proof.positional(f, args, "A", "B")
		if err != nil {
			return err
		}
		var designs [2]*ir.Design
		for i, name := range names {
			if designs[i], err = app.designOrFile(name, given, out); err != nil {
				return err
			}
		}
		r, err := equiv.Compare(designs[0], designs[1], proof.options()...)
		return verdict(r, err, "equal", out)
	},
}

// ProveCommand proves the assertions of a design.
var ProveCommand = Command{
	Name: "prove", Usage: "DESIGN [-assertion TEXT] [-cycles N] [-p name=value]… [-reset CYCLES] [-time DURATION] [-o FILE.vcd]",
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
		d, err := app.designOrFile(names[0], given, out)
		if err != nil {
			return err
		}
		var r *equiv.Result
		if *cycles > 0 {
			r, err = equiv.VerifyBounded(d, *cycles, proof.options()...)
		} else {
			r, err = equiv.Verify(d, *which, proof.options()...)
		}
		return verdict(r, err, "proved", out)
	},
}

// proofFlags are what both commands understand.
type proofFlags struct {
	reset *int
	time  *time.Duration
	dump  *string
}

func (f *Flags) proof() proofFlags {
	return proofFlags{
		reset: f.Int("reset", -1, "`cycles` of reset at the start; -1: one if there is a reset"),
		time:  f.Duration("time", time.Minute, "`time` that is spent at most"),
		dump:  f.String("o", "", "`file`.vcd or .fst for the run that shows a difference"),
	}
}

// positional parses args and tells early what is wrong with the flags.
func (p proofFlags) positional(f *Flags, args []string, names ...string) ([]string, error) {
	found, err := f.Positional(args, names...)
	switch ext := filepath.Ext(*p.dump); {
	case err != nil:
		return nil, err
	case *p.reset < -1 || *p.time <= 0:
		return nil, usagef("-reset %d, -time %v: want -1 and more, and some time", *p.reset, *p.time)
	case *p.dump == "":
		return found, nil
	case ext != ".vcd" && ext != ".fst":
		return nil, usagef("-o %s: want a name that ends in .vcd or .fst", *p.dump)
	}
	return found, Writable(*p.dump)
}

func (p proofFlags) options() []equiv.Option {
	list := []equiv.Option{equiv.Limit(*p.time)}
	if *p.reset >= 0 {
		list = append(list, equiv.Reset(*p.reset))
	}
	if *p.dump != "" {
		list = append(list, equiv.Dump(*p.dump))
	}
	return list
}

// designOrFile finds a design by its name, or reads it from a file, whose name has
// an extension.
func (a *App) designOrFile(name string, given Values, out Output) (*ir.Design, error) {
	if filepath.Ext(name) != "" || strings.ContainsRune(name, filepath.Separator) {
		d, notes, err := readDesign([]string{name}, readOptions{})
		printNotes(out, notes)
		return d, err
	}
	d, err := a.Design(name)
	if err != nil {
		return nil, err
	}
	mine := Values{}
	for _, p := range d.Params {
		if v, ok := given[p.Name]; ok {
			mine[p.Name] = v
		}
	}
	return d.Build(mine)
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
