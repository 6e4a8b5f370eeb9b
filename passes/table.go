package passes

import (
	"fmt"
	"sync"

	"etch/ir"
)

// Pass is a row of [Table]. Module or Design is set.
type Pass struct {
	Name     string
	Doc      string
	Needs    []Need
	Provides []Fact
	Module   func(m *ir.Module, o *Options) Count
	Design   func(d *ir.Design, o *Options) Count
}

// Fact is a property that a pass establishes and later ones build on.
type Fact string

// The facts.
const (
	OneModule    Fact = "one module"    // the hierarchy is gone, if requested
	NoWires      Fact = "no wires"      // operations read the driver of a wire, not the wire
	Constants    Fact = "constants"     // every constant value is a Const node
	PlainMuxes   Fact = "plain muxes"   // no multiplexer has a constant condition or equal arms
	TightWidths  Fact = "tight widths"  // comparisons and operations are as wide as their values
	ClearTables  Fact = "clear tables"  // impossible table entries are zero
	EqualsJoined Fact = "equals joined" // equal values are one node
	NothingDead  Fact = "nothing dead"  // every node has a use
)

// Need is a fact that an earlier pass must establish, and the reason.
type Need struct {
	Fact Fact
	Why  string
}

// Table is the passes in order. Optimize repeats them until nothing changes.
var Table = []Pass{
	{
		Name: "flatten", Doc: "make one module of the hierarchy, if Options.Flatten",
		Provides: []Fact{OneModule},
		Design: func(d *ir.Design, o *Options) Count {
			if !o.Flatten {
				return Count{}
			}
			c, _ := Flatten(d) // too large: it stays as it is
			return c
		},
	},
	{
		Name: "fold", Doc: "evaluate operations on constants, apply identities, see through wires",
		Needs:    []Need{{OneModule, "constants reach into a module only once its ports are wires"}},
		Provides: []Fact{NoWires, Constants},
		Module:   func(m *ir.Module, _ *Options) Count { return Fold(m) },
	},
	{
		Name: "mux", Doc: "simplify multiplexers and cases, make cases of chains",
		Needs: []Need{
			{Constants, "a condition is decided only when it is a Const node"},
			{NoWires, "a chain of multiplexers is one only where no wire stands between them"},
		},
		Provides: []Fact{PlainMuxes},
		Module:   func(m *ir.Module, _ *Options) Count { return Muxes(m) },
	},
	{
		Name: "narrow", Doc: "compute operations at the width that matters",
		Needs: []Need{
			{Constants, "the width of a value is known where its operands are"},
			{PlainMuxes, "an arm that is never taken would widen the result"},
		},
		Provides: []Fact{TightWidths},
		Module:   func(m *ir.Module, o *Options) Count { return Narrow(m, o.KeepNames) },
	},
	{
		Name: "lut", Doc: "drop inputs of look-up tables and entries that cannot occur, merge tables",
		Needs: []Need{
			{Constants, "a constant input halves a table"},
			{TightWidths, "comparisons of one value are related only when they compare the same node"},
		},
		Provides: []Fact{ClearTables},
		Module:   func(m *ir.Module, _ *Options) Count { return Luts(m) },
	},
	{
		Name: "cse", Doc: "make equal nodes and equal registers one",
		Needs: []Need{
			{ClearTables, "tables that differ in entries that cannot occur are equal once those are cleared"},
			{NoWires, "arguments are equal when they are the same node"},
		},
		Provides: []Fact{EqualsJoined},
		Module:   func(m *ir.Module, _ *Options) Count { return CSE(m) },
	},
	{
		Name: "dce", Doc: "remove what nothing reads",
		Needs:    []Need{{EqualsJoined, "of two equal values one is dead only when they are joined"}},
		Provides: []Fact{NothingDead},
		Module:   func(m *ir.Module, o *Options) Count { return DCE(m, o.KeepNames) },
	},
}

// CheckTable returns an error for the first need of a pass that no earlier pass provides,
// or for an incomplete row.
func CheckTable(table []Pass) error {
	// have is the facts established by the rows so far.
	have, names := map[Fact]bool{}, map[string]bool{}
	for _, p := range table {
		if p.Name == "" || p.Doc == "" || names[p.Name] || (p.Module == nil) == (p.Design == nil) {
			return fmt.Errorf("passes: the row of %q is not complete or not the only one", p.Name)
		}
		for _, n := range p.Needs {
			if !have[n.Fact] {
				return fmt.Errorf("passes: %s needs %q from a pass before it: %s", p.Name, n.Fact, n.Why)
			}
		}
		for _, f := range p.Provides {
			have[f] = true
		}
		names[p.Name] = true
	}
	return nil
}

var checkTable = sync.OnceValue(func() error { return CheckTable(Table) })
