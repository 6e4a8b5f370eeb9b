package fuzz

import (
	"slices"

	"etch/ir"
)

// edit is one way to make a circuit smaller. Any set of edits of one circuit can be made
// together.
type edit struct {
	kind editKind
	mod  int   // index of the module
	node ir.ID // of edits of nodes
	i, j int   // of the other edits: places in a table; of toArg: j is the argument
}

// editKind is the kind of an edit, with the object it changes.
type editKind uint8

const (
	toInput     editKind = iota // a node becomes an input with the values that it had
	toZero                      // a node becomes the constant 0
	toOnes                      // a node becomes a constant of ones
	toArg                       // a node becomes one of its arguments, cut or extended
	dropOutput                  // port i of the top
	dropStmt                    // statement i
	dropArgs                    // format and arguments of statement i
	dropEnable                  // enable of statement i
	dropWrite                   // write port j of memory i
	dropMask                    // mask of write port j of memory i
	dropWriteEn                 // enable of write port j of memory i
	dropReadEn                  // enable of read port j of memory i
	readOld                     // read port j of memory i gives the old word under a write
	dropInit                    // contents of memory i
	dropStyle                   // style of memory i
	halveDepth                  // of memory i
	lessDepth                   // memory i loses its last word
	noReset                     // of register i
	noAsync                     // register i, not a latch, gets a synchronous reset
	noInit                      // of register i
)

// nodeEdits lists the edits of nodes, from the outputs back: an early edit removes many nodes.
func nodeEdits(d *ir.Design) (list []edit) {
	for k := len(d.Modules) - 1; k >= 0; k-- {
		m := d.Modules[k]

		// A circle of bits has no order; such a module keeps its nodes.
		order, err := m.Order(ir.Paths{})
		if err != nil {
			continue
		}
		for i := len(order) - 1; i >= 0; i-- {
			id := order[i]
			n := m.Node(id)
			if n.Op == ir.Input || m.TypeOf(n.Type).Kind == ir.Clock {
				continue
			}

			// A constant has nothing below it: only its bits can go.
			if n.Op == ir.Const {
				if !m.ConstOf(id).IsZero() {
					list = append(list, edit{kind: toZero, mod: k, node: id})
				}
				continue
			}

			// The strongest edits first: an input or a constant cuts off all the node's logic,
			// an argument only the node.
			if m == d.Top {
				list = append(list, edit{kind: toInput, mod: k, node: id})
			}
			list = append(list, edit{kind: toZero, mod: k, node: id})
			for j := range m.Args(id) {
				list = append(list, edit{kind: toArg, mod: k, node: id, j: j})
			}
			list = append(list, edit{kind: toOnes, mod: k, node: id})
		}
	}
	return list
}

// tableEdits lists the edits of ports, statements, registers and memories.
func tableEdits(d *ir.Design) (list []edit) {
	for k, m := range d.Modules {
		add := func(kind editKind, i, j int, when bool) {
			if when {
				list = append(list, edit{kind: kind, mod: k, i: i, j: j})
			}
		}

		// One edit per object that has the property to lose.
		for i := range m.Ports {
			add(dropOutput, i, 0, m == d.Top && m.Ports[i].Dir == ir.Out)
		}
		for i := range m.Stmts {
			s := &m.Stmts[i]
			add(dropStmt, i, 0, true)
			add(dropArgs, i, 0, s.Format != "" && s.Kind.HasCond())
			add(dropEnable, i, 0, s.En != ir.None)
		}
		for i := range m.Regs {
			r := &m.Regs[i]
			add(noReset, i, 0, r.Rst != ir.None)
			add(noAsync, i, 0, r.Async && r.Kind != ir.Latch)
			add(noInit, i, 0, r.Init != ir.None)
		}
		for i := range m.Mems {
			mem := &m.Mems[i]
			for j := range mem.Writes {
				add(dropWrite, i, j, true)
				add(dropMask, i, j, mem.Writes[j].Mask != ir.None)
				add(dropWriteEn, i, j, mem.Writes[j].En != ir.None)
			}
			for j := range mem.Reads {
				add(dropReadEn, i, j, mem.Reads[j].En != ir.None)
				add(readOld, i, j, mem.Reads[j].Under != ir.Old)
			}
			add(dropInit, i, 0, mem.Init != nil)
			add(dropStyle, i, 0, mem.Style != "")
			add(halveDepth, i, 0, mem.Depth > 1)
			add(lessDepth, i, 0, mem.Depth > 2)
		}
	}
	return list
}

// widths lists the widths above 1 in a design, the largest first.
func widths(d *ir.Design) (list []int) {
	seen := map[int]bool{}
	for _, m := range d.Modules {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if w := m.Width(id); w > 1 && !seen[w] {
				seen[w] = true
				list = append(list, w)
			}
		}
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}
