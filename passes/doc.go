// Package passes rewrites netlists. A pass is a plain function over a module (or, for
// [Flatten], a design) in a file of its own. It changes the module in place, keeps its
// behaviour, and returns a [Count] of its changes, all zero if there were none. A second
// run changes nothing.
//
//	var c passes.Count
//	small := passes.Optimize(design, passes.Options{Count: &c})
//	fmt.Println(c) // folded 12, LUT pins 31, dead nodes 40
//
// [Table] lists the passes in the order in which [Optimize] runs them, with the facts that
// each needs from earlier ones and why. The list is checked when a test or Optimize first
// uses it. The needs concern effect only: every pass is correct on every verified module.
//
// All passes keep:
//
//   - Behaviour: outputs, statements and black boxes see the same values in every
//     cycle, from the first on. A register or memory without an initial value may
//     start with any value, so no conclusion is drawn from its start.
//   - Ports, their order, types and names, and the order of tables.
//   - Names: a named value that is still computed keeps its name, on a Wire if
//     another node has become the value. With Options.KeepNames named values stay
//     even if nothing reads them.
//   - Positions: a new node has the position of the node that it replaces.
//   - Order: equal input gives equal output, byte by byte.
//
// Modules with [ir.Extern] are left alone.
//
// The package imports ir, its text printer and the standard library; it knows
// nothing of hw, sim or the back ends.
package passes
