package tool

import (
	"fmt"
	"slices"
	"strings"

	"etch/designs/cli"
	"etch/ir"
	"etch/sim"
)

// Engine is a way to run a design in etch.
type Engine struct {
	Name    string
	Options []sim.Option
}

// Engines are those that are measured.
var Engines = []Engine{
	{"interp", []sim.Option{sim.WithEngine(sim.Interpreter)}},
	{"native", []sim.Option{sim.WithEngine(sim.Native)}},
}

// start makes a simulator of d and its first cycle.
func (e Engine) start(d *ir.Design) (*sim.Sim, error) {
	s, err := sim.New(d, e.Options...)
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", e.Name, err)
	}
	s.Reset()
	return s, nil
}

// sum reads the checksum of a design of package bench.
func sum(s *sim.Sim) uint64 {
	for _, p := range s.Top() {
		if p.Base() == "sum" {
			return s.Get(p)
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
