// Package schedule orders the nodes of a net into structured code, and places their values.
//
//	schedule.go, structure.go  the order: muxes become branches where that pays, and nodes that
//	                           one arm needs sink into it
//	order.go, resources.go     readers of a register before its write, within few registers
//	arm.go                     the same for the registers that one arm of a branch writes
//	journal.go                 the writes of prints
//	hazard.go                  registers that are read after their write on some path
//	fold.go                    nodes that an instruction of the target does along with another
//	allocate.go, bank.go       machine registers by linear scan, and scratch words
//	code.go                    the instructions that come out
//	args.go, members.go        operands of nodes, and sets of small numbers
//
// A [Scheduler] makes a [Code]: a list of [Ins] with a [Where] for each value. The back ends of
// package native write its instructions. Equal nets give equal code. The package imports sim/choose
// and sim/net.
package schedule
