package benchtool

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"etch/designs/cli"
	"etch/ir"
	"etch/sim"
	"etch/sim/lanes"
)

// Engine is a way to run a design in etch.
type Engine struct {
	Name    string
	Options []sim.Option
	Lanes   int // instances; 0: a simulator of one
}

// Engines are those that are measured.
var Engines = []Engine{
	{"interp", []sim.Option{sim.WithEngine(sim.Interpreter)}, 0},
	{"native", []sim.Option{sim.WithEngine(sim.Native)}, 0},
	{"lanes", nil, 256},
}

// singles are the engines that run one instance.
func singles(engines []Engine) []Engine {
	return slices.DeleteFunc(slices.Clone(engines), func(e Engine) bool { return e.Lanes > 0 })
}

// runner is a simulator of a design of package bench.
type runner interface {
	Step(n int)
	Close() error
	sum() uint64 // the checksum; of lanes that of the first
	report() fmt.Stringer
}

// start makes a simulator of d and its first cycle. Lanes that are timed begin
// with states that differ, others like a simulator of one.
func (e Engine) start(d *ir.Design, timed bool) (runner, error) {
	r, err := e.make(d, timed)
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", e.Name, err)
	}
	return r, nil
}

func (e Engine) make(d *ir.Design, timed bool) (runner, error) {
	if e.Lanes == 0 {
		s, err := e.single(d)
		if err != nil {
			return nil, err
		}
		s.Reset()
		return single{s}, nil
	}

	// Equal lanes would take the same way through every branch, which flatters them.
	opts := e.options()
	if timed {
		opts = append(opts, sim.WithSeed(1))
	}
	l, err := lanes.New(d, e.Lanes, opts...)
	if err != nil {
		return nil, err
	}
	l.Reset()
	return several{l}, nil
}

// single makes a simulator of one.
func (e Engine) single(d *ir.Design) (*sim.Sim, error) { return sim.New(d, e.options()...) }

// options is a copy of the engine's options, with which designs print nothing.
func (e Engine) options() []sim.Option {
	return append(slices.Clone(e.Options), sim.WithOutput(io.Discard))
}

type single struct{ *sim.Sim }

func (s single) sum() uint64 { return s.Get(sumOf(s.Top())) }

func (s single) report() fmt.Stringer { return s.Report() }

type several struct{ *lanes.Lanes }

func (l several) sum() uint64 { return l.Get(sumOf(l.Top()), 0) }

func (l several) report() fmt.Stringer { return l.Report() }

// sumOf is the output with the checksum.
func sumOf(top []sim.Signal) sim.Signal {
	for _, p := range top {
		if p.Base() == "sum" {
			return p
		}
	}
	panic("bench: a design without sum")
}

// chosen returns the elements of all whose names are listed in text, separated
// by commas, each once; all of them for "".
func chosen[T any](what, text string, all []T, name func(T) string) ([]T, error) {
	if text == "" {
		return all, nil
	}
	var some []T

	var known []string
	for _, x := range all {
		known = append(known, name(x))
	}

	// The order of the list on the command line is kept.
	taken := make([]bool, len(all))
	for _, want := range strings.Split(text, ",") {
		want = strings.TrimSpace(want)
		i := slices.Index(known, want)
		switch {
		case i < 0:
			return nil, cli.Usagef("-%s: no %s %q; there are %s", what, what, want, strings.Join(known, ", "))
		case taken[i]:
			return nil, cli.Usagef("-%s: %s is listed twice", what, want)
		}
		taken[i] = true
		some = append(some, all[i])
	}
	return some, nil
}
