// Package emit writes machine code: the instructions of scheduled code, and the pieces around
// them that calls, bodies, classes, teams, parts and logs need.
//
// A [Target] is an architecture: amd64 (x86*.go) and arm64 (a64*.go), both available on every
// machine, so that either's code can be examined on the other. Its [Writer] writes one piece of
// code; [Cycles] walks through a schedule, writes the branches itself and leaves the rest to the
// Writer. The vectors of packs (pack_code.go, pack_ops.go) are pieces of package vector; a
// [PackWriter] writes what is around them.
//
//	words.go       scratch words below the state that code and caller agree on
//	writer.go      the interfaces between architectures and the rest
//	cycles.go      branches of a schedule; gate.go: arms behind all other code
//	instances.go, parts.go, log.go
//	               the data that code for classes, partitions and logs is written from
//
// A Label is declared, jumped to, and defined once. The package imports sim/choose, schedule, pack,
// rows, sim/net, native/vector, the assemblers and native/cpu; it makes no decision and reads no
// clock.
package emit
