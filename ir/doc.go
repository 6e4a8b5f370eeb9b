// Package ir is the netlist of etch: what hw records, passes rewrite, sim runs
// and the back ends print.
//
// A [Design] is a list of modules, children first. A [Module] is a list of
// ports, a dense table of nodes, and tables of registers, memories, instances
// and statements that refer to nodes by [ID]:
//
//	module counter_4
//	  %1 = input clk          Ports[0].Node
//	  %2 = input rst          Ports[1].Node
//	  %3 = input en           Ports[2].Node
//	  %4 = reg count          Regs[0].Node; its next value is Regs[0].Next = %7
//	  %5 = const 4'h1
//	  %6 = add %4 %5
//	  %7 = mux %3 %6 %4
//	  output count = %4       Ports[3].Node
//
// Invariants (checked by [Verify]):
//   - A node's arguments are nodes of the same module. Node 0 is no node.
//   - Every op is pure and total: each has one documented result for every
//     input (see [Op] and the table in optable.go). Signedness belongs to the op.
//   - State and the outside world enter through leaves: [Input], [Reg],
//     [MemOut], [InstOut], [NetOut], [Const].
//   - The graph of arguments, of asynchronous memory reads, of latches and of
//     combinational paths through instances has no cycle. It need not be in order of ID:
//     a [Wire] may refer forward. [Module.Order] gives an order.
//   - Widths are at least 1.
//   - Attributes ([Attr]) stand on modules, ports, memories, instances, registers
//     and values with a name. Every pass keeps them, with that name and width. The
//     exception is flattening, which drops the attributes of instances and modules.
//   - A port of direction [InOut] is one end of a [Net]; an instance's is connected
//     to a NetOut node. Simulators and provers need a design without nets, which
//     package ir/pads makes.
//
// Display types ([Type]: signed, enumeration, fixed point, clock, reset) guide
// printers and waves, and mark clocks and resets; they never change a result.
//
// The package imports the standard library and ir/bits only. The text form with
// its parser is ir/text.
package ir
