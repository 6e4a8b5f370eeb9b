// Package pads makes a design without tri-state nets of one with them, for all
// that knows values of two states and one driver only: simulators, proofs, AIGER.
//
//	flat := pads.Lower(design) // design itself, if it has no net
//
// # Inside of a design
//
// A pad of an instance is three kinds of port in the result: the pad itself is an
// input, which takes the value of the net from above; each driver of the module
// and of the instances in it that share the net gives two outputs, its value and
// its enable. The net is resolved once, in the module where it ends: a module
// with a net that is no pad, or the top. Its value is the bitwise or of all that
// is enabled; where nothing is, all ones with a pull-up, else 0.
//
// # At the top
//
// Who stands outside is one more driver. The pad is an output, the value of the
// net. For pad sda there are also the inputs sda$value and sda$enable, what the
// outside drives ([Value], [Enable]), and the output sda$driven ([Driven]), high
// while the design drives.
//
// # Conflicts
//
// For each two drivers of a net there is an assertion that they do not drive
// different values at once; its message names the lines of both, and the instances
// where they are. Two that drive equal values agree, which is no conflict: an
// open-drain bus works by that. The assertion is looked at like any other: before
// the edges of the clocks that the resolving module uses, while its resets are low.
// A module without any clock has none.
//
// A net of more than [MostPairs] pairs has an assertion for each driver, against
// all before it.
//
// # What is kept
//
// Modules keep their names, ports their indices, and nodes their IDs: all that is
// new comes behind. Modules that the top does not use are left out.
//
// A black box that has no model body gets one driver for each pad, two outputs for
// a Model of package sim to set.
//
// Languages that connect nets but neither drive nor read them write cells for that,
// see [CellKind].
//
// The package imports ir and the standard library only.
package pads
