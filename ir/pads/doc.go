// Package pads turns a design with tri-state nets into one without, for consumers with
// two-state values and single drivers only: simulators, provers, AIGER.
//
//	flat := pads.Lower(design) // design itself, if it has no net
//
// # Inside of a design
//
// A pad of an instance becomes ports of three kinds. The pad itself becomes an input, which
// takes the value of the net from above. Each driver of the module, and of the instances in
// it that share the net, adds two outputs: its value and its enable. The net is resolved
// once, in the module where it ends: a module with a net that is no pad, or the top. Its
// value is the bitwise or of all enabled drivers; without one, all ones with a pull-up,
// else 0.
//
// # At the top
//
// The outside is one more driver. The pad becomes an output, the value of the net. For pad
// sda there are also the inputs sda$value and sda$enable, driven by the outside ([Value],
// [Enable]), and the output sda$driven ([Driven]), high while the design drives.
//
// # Conflicts
//
// For each two drivers of a net there is an assertion that they do not drive different
// values at once. Its message names the lines of both, and the instances they are in. Two
// drivers of equal values do not conflict: an open-drain bus relies on that. The assertion
// is evaluated like any other: before the edges of the clocks that the resolving module
// uses, while its resets are low. A module without a clock has no such assertion.
//
// A net with more than [MostPairs] pairs has one assertion per driver, against all drivers
// before it.
//
// # Identity
//
// Modules keep their names, ports their indices and nodes their IDs: everything new is
// appended. Modules that the top does not use are dropped.
//
// A black box without a model body gets one driver for each pad: two outputs, which a Model
// of package sim sets.
//
// Languages that connect nets but cannot drive or read them use the cells of [CellKind].
//
// The package imports ir and the standard library only.
package pads
