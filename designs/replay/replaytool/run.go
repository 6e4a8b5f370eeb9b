package replaytool

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"etch/designs/cli"
	"etch/designs/replay"
	"etch/designs/replay/host"
	"etch/designs/replay/model"
)

// Run is the verb that puts operations through the circuit.
var Run = cli.Command{
	Name: "replay", Usage: "[-p name=value]… [-codes] [-error] [-alpha .6] [-beta .4] [-epsilon .01] [-waves replay.fst] -in ops.csv -out results.csv",
	Doc:      "puts operations (" + strings.Join(columns, ",") + ") through the tree, cycle by cycle",
	Examples: []string{"run replay -in ops.csv -out results.csv"},
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("run replay", out)
		given := f.Values()
		s := script{}
		f.BoolVar(&s.codes, "codes", false, "priorities, targets and sums are integers of LSBs")
		f.BoolVar(&s.errors, "error", false, "values of insert and update are |δ|; priorities (|δ|+ε)^α")
		alpha := f.Float64("alpha", 0.6, "α, 0 to 1, with -error")
		beta := f.Float64("beta", 0.4, "β of weights, 0 to 1")
		epsilon := f.Float64("epsilon", 0.01, "ε, 0 to 1, with -error")
		waves := f.Waves()
		in, to := f.String("in", "", "CSV `file` of operations in order"), f.String("out", "", "CSV `file` of results")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *in == "" || *to == "" {
			return cli.Usagef("-in and -out are needed")
		}
		for name, x := range map[string]float64{"alpha": *alpha, "beta": *beta, "epsilon": *epsilon} {
			if !(x >= 0 && x <= 1) {
				return cli.Usagef("-%s %v: want 0 to 1", name, x)
			}
		}

		// The tree with its parameters, and the model beside it.
		s.exponents = model.Exponents{Alpha: model.Fixed(*alpha), Beta: model.Fixed(*beta), Epsilon: model.Fixed(*epsilon)}
		c, err := cli.WithValues(small, given)
		if err != nil {
			return err
		}
		s.Tree = c.(replay.Tree)
		if err := s.Validate(); err != nil {
			return cli.Usagef("%v", err)
		}
		if s.model, err = model.New(s.Params, s.Seed); err != nil {
			return cli.Usagef("%v", err)
		}

		// Files: the output must not be the input, and must be writable.
		if err := f.Apart([]string{"in"}, "out", "waves"); err != nil {
			return err
		}
		if err := cli.Writable(*to); err != nil {
			return err
		}
		if err := s.read(*in); err != nil {
			return err
		}

		// The circuit is built last: a mistake in the file is told at once.
		tree, err := host.Simulate(s.Tree)
		if err != nil {
			return cli.Parameters(err, given)
		}
		defer tree.Close()

		// A signal counts from the moment at which there are waves.
		ctx, free := cli.Interruptible()
		defer free()
		if err := waves.Trace(tree.Sim); err != nil {
			return err
		}

		// Results are written only if all responses are the model's.
		got, cycles, err := s.through(ctx, tree)
		if err := waves.Close(cli.Interrupted(ctx, err)); err != nil {
			return err
		}
		if err := cli.WriteFiles(filepath.Dir(*to), cli.File{Name: filepath.Base(*to), Data: []byte(s.results(got))}); err != nil {
			return err
		}
		fmt.Fprintf(out.Err, "%d operations in %d cycles, %v, K = %d: all responses equal the model's; %d slots filled, sum %v\n",
			len(got), cycles, s.Form, s.K, s.model.Count(), float64(s.model.Sum())/float64(uint64(1)<<s.Fraction))
		return nil
	},
}

// through has the circuit do the operations, and compares its responses with the
// sequential object's.
func (s *script) through(ctx context.Context, tree *host.Tree) (got []model.Response, cycles uint64, err error) {
	cycles, err = tree.Run(s.ops, func(i int, r model.Response) error {
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted at line %d: no results are written, waves are of the cycles until then", s.line[i])
		}
		if r != s.want[i] {
			return fmt.Errorf("line %d: the circuit answers %+v, the model %+v", s.line[i], r, s.want[i])
		}
		got = append(got, r)
		return nil
	})
	return got, cycles, err
}
