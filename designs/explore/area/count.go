package area

import (
	"math"
	"slices"

	"etch/ir"
	"etch/passes"
)

// Counts are the terms from which cells are estimated.
type Counts struct {
	Add      float64 // bits of sums, differences and comparisons by size
	Logic    float64 // bits of logic with two inputs, comparisons with == among them
	Select   float64 // bits of choices between two values; of a table of constants those of the cells that hold it
	Register float64 // bits, those behind synchronous reads of memories among them
	Small    float64 // bits of memories in tables, times the cells of RAM for all words, for each read port
	Product  float64 // multipliers of 18 by 18 bits
	Block    float64 // block RAMs of 18 kbit: of memories of more words, for each read port
}

// shallow is the greatest number of words of a memory that yosys makes of tables, by
// family, unless its style says otherwise; found by trying yosys 0.23.
var shallow = map[string]int{"xc7": 64, "ecp5": 32}

// words is the number of words of a cell of RAM in tables: RAM32M, TRELLIS_DPR16X4.
var words = map[string]int{"xc7": 32, "ecp5": 16}

// entries is the number of constants of a bit that a table of a family holds.
var entries = map[string]float64{"xc7": 64, "ecp5": 16}

// Of counts a design for a family, flattened and with the passes that etch has run.
func Of(d *ir.Design, family string) Counts {
	// Nodes that yosys would remove must not count: constants folded, equal nodes merged, dead ones
	// gone.
	m := passes.Optimize(d, passes.Options{Flatten: true}).Top

	// Nodes that only assertions and other statements read are no hardware.
	var c Counts
	only := ir.ForStatements(m, m.Stmts)
	used := map[int]float64{} // read ports of a memory without a clock
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if only[id] {
			continue
		}
		c.add(m, id, family)
		if n := m.Node(id); n.Op == ir.MemRead {
			used[int(n.Aux)]++
		}
	}

	// Registers of assertions are no hardware.
	for _, r := range m.Regs {
		if !only[r.Node] {
			c.Register += float64(m.Width(r.Node))
		}
	}
	for i, mem := range m.Mems {
		c.memory(m, &mem, used[i], shallow[family], words[family])
	}

	return c
}

// add counts a node.
func (c *Counts) add(m *ir.Module, id ir.ID, family string) {
	args, width := m.Args(id), float64(m.Width(id))
	switch m.Op(id) {
	case ir.Add, ir.Sub:
		c.Add += width
	case ir.Lt, ir.LtS:
		c.Add += float64(m.Width(args[0]))
	case ir.And, ir.Or, ir.Xor:
		c.Logic += width * float64(len(args)-1)
	case ir.Eq:
		c.Logic += float64(m.Width(args[0]))
	case ir.RedAnd, ir.RedOr, ir.RedXor, ir.PopCount:
		c.Logic += float64(m.Width(args[0])) / 2
	case ir.Mux:
		c.Select += width
	case ir.Case:
		if slices.ContainsFunc(args[1:], func(a ir.ID) bool { return m.Op(a) != ir.Const }) {
			c.Select += width * float64(len(args)-2)
			return
		}
		c.Select += width * math.Ceil(float64(len(args)-1)/entries[family]) // a table of constants
	case ir.Shl, ir.Shr, ir.ShrS:
		if m.Op(args[1]) != ir.Const {
			c.Select += width * float64(m.Width(args[1]))
		}
	case ir.Mul, ir.MulS:
		c.Product += blocks(bare(m, args[0])) * blocks(bare(m, args[1]))
	}
}

// bare is the width of an operand without extension.
func bare(m *ir.Module, id ir.ID) int {
	for m.Op(id) == ir.SExt || m.Op(id) == ir.ZExt {
		id = m.Args(id)[0]
	}
	return m.Width(id)
}

// blocks is the number of multipliers side by side for an operand.
func blocks(width int) float64 { return float64((width + 17) / 18) }

// memory counts a memory; a block RAM is 36 bits wide at 512 words, and each read port
// has a copy.
func (c *Counts) memory(m *ir.Module, mem *ir.Memory, reads float64, shallow, words int) {
	// The register behind a synchronous read.
	for _, r := range mem.Reads {
		c.Register += float64(m.Width(r.Node))
	}
	ports := reads + float64(len(mem.Reads))

	// Memories that are read without a clock cannot be block RAMs, whatever their size.
	if mem.Style == "logic" || mem.Depth <= shallow && mem.Style == "" || reads > 0 {
		c.Small += ports * float64(mem.Width*((mem.Depth+words-1)/words))
		return
	}
	c.Block += ports * float64(((mem.Width+35)/36)*((mem.Depth+511)/512))
}
