// Package passes rewrites netlists. A pass is a plain function over a module (or,
// for [Flatten], a design) in a file of its own: it changes the module in place,
// keeps its behaviour, and returns a [Count] of what it changed, all zero when
// there was nothing to do. Run a second time, it finds nothing.
//
//	var c passes.Count
//	small := passes.Optimize(design, passes.Options{Count: &c})
//	fmt.Println(c) // folded 12, LUT pins 31, dead nodes 40
//
// [Table] lists the passes in the order in which [Optimize] runs them, with what
// each needs of the ones before and why; this is checked when a test or Optimize
// first looks at it. The needs are about effect: every pass is right on every
// verified module.
//
// What all passes keep:
//
//   - Behaviour: outputs, statements and black boxes see the same values in every
//     cycle, from the first on. A register or memory without an initial value may
//     start as anything, so nothing is concluded from what it starts as.
//   - Ports, their order, types and names, and the order of tables.
//   - Names: a named value that is still computed keeps its name, on a Wire where
//     another node has become the value. With Options.KeepNames named values stay
//     even when nothing reads them.
//   - Positions: a new node is where the node that it replaces was.
//   - Order: equal input gives equal output, byte by byte.
//
// Modules with [ir.Extern] are left alone.
//
// The package imports ir, its text printer and the standard library; it knows
// nothing of hw, sim or the back ends.
package passes
