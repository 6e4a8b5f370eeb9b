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
// # Gain
//
// Exports are not optimised unless -O asks for it: the text should be the designer's, and
// synthesis does most of this itself. Cells by yosys 0.23, synth_xilinx -family xc7, as
// exported, with -O, and with -O -flatten ("etch report DESIGN -O"). Of 22 listed designs 14
// have equal counts in all three; the others are:
//
//	design                LUT                  FF
//	crossing              27    27    26       32   32   32
//	i2c                  191   188   185       83   84   84
//	divider_pipelined    810   808   808      708  708  708
//	matmul              2896  2928  2931      994  994  994
//	protocol             418   415   441      268  268  268
//	rv32i               1275  1206  1231       69   69   69
//	float                213   212   212       82   83   83
//	dwc                  387   391   397      139  139  139
//
// So -O is worth a trial where decoding is large (rv32i), and not a default.
//
// The package imports ir, ir/disjoint, its text printer and the standard library; it knows
// nothing of hw, sim or the back ends.
package passes
