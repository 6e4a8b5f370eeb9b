package fuzz

import "etch/ir"

// verilatorMend stands before what Verilator 5.48.0 wrote. Without expansion, which
// is off as it costs time, {32{a == b}} becomes the negation of a C++ bool: an int,
// whose sign goes on into the upper bits of 36 and into comparisons. So does what
// is made of {31'd0, a == b} by ~ or -.
var verilatorMend = `#include "verilated.h"
#undef VL_REPLICATE_IOI
#define VL_REPLICATE_IOI(lbits, ld, rep) (-static_cast<IData>(ld))
#undef VL_EXTEND_II
#define VL_EXTEND_II(obits, lbits, lhs) (static_cast<IData>(lhs))
`

// takesVerilator is the reason why Verilator is not asked about a circuit: version
// 5.48 numbers the writes to a memory in every instance of a module by itself, after
// leaving out those that constants at its ports keep from happening, and yet has one
// variable for all that have the same number, as wide as the first of them.
func takesVerilator(c *Case) string {
	if reason := portableVerilog(c); reason != "" {
		return reason
	}
	n := instances(c.Design)
	for _, m := range c.Design.Modules {
		if n[m] > 1 && writesUnequally(m) {
			return "Verilator 5.48 mixes up writes of several widths to a memory of several instances"
		}
	}
	return ""
}

// instances counts how often each module is there, in the top.
func instances(d *ir.Design) map[*ir.Module]int {
	n := map[*ir.Module]int{d.Top: 1}
	for i := len(d.Modules) - 1; i >= 0; i-- { // above what they have instances of
		for _, inst := range d.Modules[i].Insts {
			n[inst.Mod] += n[d.Modules[i]]
		}
	}
	return n
}

// writesUnequally reports whether a memory is written by parts of several widths.
func writesUnequally(m *ir.Module) bool {
	for i := range m.Mems {
		mem := &m.Mems[i]
		for j, w := range mem.Writes {
			if j > 0 && partWidth(m, mem, &w) != partWidth(m, mem, &mem.Writes[0]) {
				return true
			}
		}
	}
	return false
}

// partWidth is the number of bits that a port writes in one go.
func partWidth(m *ir.Module, mem *ir.Memory, w *ir.WritePort) int {
	if w.Mask == ir.None {
		return mem.Width
	}
	return mem.Width / m.Width(w.Mask)
}
