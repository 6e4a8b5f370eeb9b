// Package emit writes machine code: the instructions of scheduled code, and the pieces around
// them that calls, bodies, classes, teams, parts and logs need.
//
// A [Target] is an architecture: amd64 (x86*.go) and arm64 (a64*.go), both available on every
// machine, so that either's code can be examined on the other. Its [Writer] writes one piece of
// code; [Cycles] walks through a schedule. It writes the branches and stores itself, over eight
// primitives of the Writer, and leaves the operations to it. The vectors of packs (pack_code.go,
// pack_ops.go) are pieces of package vector; a [PackWriter] writes what is around them.
//
//	words.go       scratch words below the state that code and caller agree on
//	writer.go      the interfaces between architectures and the rest, with the primitives
//	place.go       addresses that mean the same to all architectures
//	cycles.go      branches and stores of a schedule; gate.go: arms behind all other code
//	bodies.go      branches and stores between bodies
//	cond.go, mux.go, lut.go
//	               decisions about an operation that both architectures follow
//	instances.go, parts.go, log.go
//	               the data that code for classes, partitions and logs is written from
//
// A piece stays with the architectures where more differs than its instructions: the number of
// operands, a count or a flag in a register or in memory, temporaries.
//
// A Label is declared, jumped to, and defined once. The package imports sim/choose, schedule, pack,
// rows, sim/net, native/vector, the assemblers and native/cpu; it makes no decision and reads no
// clock.
package emit
