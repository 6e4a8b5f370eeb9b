// Package randcircuit makes random netlists for tests. They are valid by [ir.Verify] and cover
// all operations, with odd widths, typed and oddly named nodes, registers with and without
// resets and initial values, memories of every kind of port, hierarchy, black boxes with models,
// statements, attributes, and nets with several drivers, of which one drives at a time, also
// through pads of instances. Many nodes are baits: shapes that an optimiser rewrites
// (identities, extended operands, thermometers under look-up tables, chains of multiplexers,
// copies).
//
//	d := randcircuit.Design(seed, randcircuit.Config{Nodes: 60, Modules: 2})
//
// The same seed and configuration give the same design. Clocks and asynchronous resets come from
// ports of those types only and reach the modules below through ports and wires, so that a
// simple evaluator can follow them. Names of registers, memories, instances and statements
// differ within a module, so that a test can find them after a pass.
//
// The package imports ir, ir/bits and the standard library. Tests, package fuzz and the command etch
// fuzz import it.
package randcircuit
