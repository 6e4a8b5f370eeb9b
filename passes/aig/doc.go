// Package aig turns netlists into and-inverter graphs, the form in which gates
// are compared, proved and handed to other tools.
//
// A [Graph] is combinational: leaves and two-input ands, with inverters on the
// edges. A [Lit] names a node or its inverse. Nodes are hashed as they are made,
// so equal structure is one node, and simplified by looking at two levels:
//
//	g := aig.New()
//	a, b := g.Leaf(), g.Leaf()
//	g.And(a, b) == g.And(b, a)       // true
//	g.And(a, g.And(a, b).Not())      // a and not b
//
// [Blast] converts a whole [ir.Design], bit by bit and exactly as ir and the simulator
// define the ops: every op is total, memories read 0 past their end, an asynchronous reset
// holds while it is high. The result is a [Circuit]: states, inputs, outputs and statements
// as literals of the graph.
//
// # One step
//
// In a step, inputs change, logic settles, outputs and statements are evaluated, then
// clocks rise. With one clock, every step has its edge. With several, each clock has an
// input that decides whether it rises ([Circuit].Events), so that a proof holds for every
// order of edges; on request, all rise together. If state moves with falling edges, a step
// is one event, in which clocks rise or clocks fall. A single clock does so in turn;
// several do as their inputs say and their levels ([Circuit].Levels) allow. Inputs may
// change at each event.
//
// # Expansion, cuts and limits
//
//   - The hierarchy is flattened.
//   - Memories become registers with decoders, up to [Options].MaxMemory bits;
//     a larger one is an error that names it, unless [Options].Memory has another
//     [Model] for it.
//   - The outputs of black boxes, with or without a model, are leaves, their
//     inputs are results: a proof holds for every behaviour of the boxes.
//   - State without initial value starts as anything: its Init is a leaf.
//   - More than [Options].MaxNodes nodes are an error.
//
// # Invariants
//
// Arguments of a node have smaller numbers. Equal designs give equal graphs, node
// by node.
//
// The package imports ir, ir/bits, ir/pads, passes (for Flatten) and the standard library.
package aig
