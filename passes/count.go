package passes

import (
	"fmt"
	"strings"

	"etch/ir"
)

// Kind is a kind of change.
type Kind uint8

// The kinds of change, for generators that report the gain of an optimisation from a
// [Count].
const (
	Wires          Kind = iota // a wire is gone, or no longer stands between a value and its use
	Folded                     // an operation on constants became a constant
	Identities                 // an operation became one of its arguments or a simpler one
	ConstRegs                  // a register that never changes became a constant
	Muxed                      // a multiplexer became one of its arms or logic, or took a simpler form
	Cases                      // a chain of multiplexers became a Case, or a Case a simpler one
	Narrowed                   // an operation is computed at fewer bits
	NarrowedBits               // bits saved by those, in total
	LutPins                    // inputs of look-up tables dropped
	LutPinsImplied             // of LutPins, those that only unreachable addresses allowed
	LutInverters               // inverters taken into look-up tables
	LutEntries                 // unreachable table entries that were cleared
	LutsRemoved                // look-up tables that became a constant, a wire or an inverter
	LutsMerged                 // look-up tables taken into the one that reads them
	Shared                     // nodes that became one with an equal one
	SharedRegs                 // registers that became one with an equal one
	SharedLuts                 // those of Shared that are look-up tables
	DeadNodes                  // operations that nothing reads
	DeadLuts                   // those of DeadNodes that are look-up tables
	DeadRegs                   // registers that nothing reads
	DeadMems                   // memories and read ports that nothing reads
	DeadInsts                  // instances that nothing reads
	Flattened                  // instances replaced by their contents
	NumKinds                   // number of kinds, not a kind
)

var kindNames = [NumKinds]string{
	"wires", "folded", "identities", "constant registers", "multiplexers", "cases", "narrowed", "narrowed bits",
	"LUT pins", "LUT pins implied", "LUT inverters", "LUT entries", "LUTs removed", "LUTs merged",
	"shared", "shared registers", "shared LUTs", "dead nodes", "dead LUTs", "dead registers", "dead memories",
	"dead instances", "flattened",
}

// String is the kind as a report names it.
func (k Kind) String() string { return kindNames[k] }

// Count is the number of changes by kind. The number of look-up tables decreases by exactly
// LutsRemoved + LutsMerged + SharedLuts + DeadLuts.
type Count [NumKinds]int

// Total is the sum over all kinds: 0 if and only if nothing changed.
func (c Count) Total() int {
	sum := 0
	for _, n := range c {
		sum += n
	}
	return sum
}

// Add adds the changes of d.
func (c *Count) Add(d Count) {
	for k, n := range d {
		c[k] += n
	}
}

// dead counts an operation that nothing reads.
func (c *Count) dead(op ir.Op) {
	switch op {
	case ir.Reg, ir.InstOut, ir.NetOut: // registers and instances are counted as such; nets cost nothing
	case ir.Wire:
		c[Wires]++
	case ir.Lut:
		c[DeadLuts]++
		c[DeadNodes]++
	default:
		c[DeadNodes]++
	}
}

// String lists the kinds that occurred, "folded 3, shared 1".
func (c Count) String() string {
	var parts []string
	for k, n := range c {
		if n != 0 {
			parts = append(parts, fmt.Sprintf("%s %d", Kind(k), n))
		}
	}
	return strings.Join(parts, ", ")
}
