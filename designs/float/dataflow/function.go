package dataflow

import (
	"fmt"
	"slices"
	"strings"

	"etch/designs/float"
	"etch/designs/float/function"
	"etch/hw"
	kind "etch/hw/float"
	"etch/hw/pipe"
	"etch/ir/input"
)

// arithmetic are the operations that a text calls by name beside the elementary functions;
// others have a sign.
var arithmetic = []string{"sqrt", "abs", "min", "max", "hypot", "fma"}

// elementary reports whether package function has name, so that a table or a unit computes it.
func elementary(name string) bool {
	return slices.Contains(function.Functions, function.Function(name))
}

// callable are the names that a text calls.
func callable() []string {
	names := slices.Clone(arithmetic)
	for _, f := range function.Functions {
		names = append(names, string(f))
	}
	return names
}

// operands is how many values a name is called with, 0 for a name that is not called.
func operands(name string) int {
	switch {
	case elementary(name):
		return 1
	case slices.Contains(arithmetic, name):
		return operations[name].operands
	}
	return 0
}

// unknown is the error of a call of name, with the nearest names or, where none is near, all.
func unknown(name string, column int) error {
	if near := input.Closest(name, callable(), 1+len(name)/3); near != nil {
		return fmt.Errorf("column %d: no function %q; did you mean %s?", column, name, strings.Join(near, " or "))
	}
	return fmt.Errorf("column %d: no function %q; there are %s", column, name, strings.Join(callable(), ", "))
}

// Elementary are the elementary functions of the program, each once.
func (p *Program) Elementary() (list []function.Function) {
	for _, n := range p.nodes {
		if f := function.Function(n.op); elementary(n.op) && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// Supports is an error where the program has an elementary function that has no unit of the
// format, or none that rounds so: their units round to the nearest even.
func (p *Program) Supports(f kind.Format, r kind.Rounding) error {
	for _, fn := range p.Elementary() {
		if r != kind.NearestEven {
			return fmt.Errorf("rounding %v: %s rounds to nearest even alone", r, fn)
		}
		if err := unitOf(fn, f, p.Ulp).Validate(); err != nil {
			return fmt.Errorf("%s: %w", fn, err)
		}
	}
	return nil
}

// unitOf is fn in format f with an error of up to ulp units in the last place.
func unitOf(fn function.Function, f kind.Format, ulp float64) function.Unit {
	return function.Unit{Function: fn, Format: f, Ulp: ulp}
}

// evaluate is a function's result as its unit has it, with the flags of correct rounding.
// Without a unit, which [Program.Supports] tells, the result is correctly rounded.
func evaluate(fn function.Function, f kind.Format, ulp float64, x uint64) (uint64, kind.Flags) {
	flags := fn.Flags(f, x)
	t, err := function.TableOf(unitOf(fn, f, ulp))
	if err != nil {
		return fn.Correct(f, x), flags
	}
	return t.Eval(x), flags
}

// instance is a function's unit in a circuit.
func instance(run *hw.Module, name string, u function.Unit, x float.Value) float.Value {
	return pipe.Through(run, name, u, x.Stage(), function.Ports{En: run.Enable(), A: x.At(x.Stage())},
		func(p function.Ports) float.Num { return p.Y })
}
