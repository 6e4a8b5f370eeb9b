// Package replay makes prioritized replay memories: a sum tree that draws slots in
// proportion to their priorities, and is exact for ever.
//
// A [Tree] takes a stream of operations (insert, insert at the largest priority,
// update by slot and generation, sample, stratified sample, find, clear) and answers
// each, in order, with what the sequential object of package model gives: priorities
// and sums are integers, so nothing drifts.
//
//	tree := hw.Inst(m, "tree", replay.Tree{
//		Config: replay.Config{Params: model.Params{Capacity: 4096, Leaf: 16, Fraction: 12}, K: 4, Read: 1, Strata: 128},
//		Seed:   1,
//	}, replay.TreePorts{Op: operations})
//	tree.Result // in the order of operations; it cannot wait
//
// # Rows of running sums
//
// A node has K children and its row K−1 running sums: word j is the sum of children 0
// to j. A draw compares its target x with all words at once; the first word above x
// names the child, and the distances from the words on both sides are what the child
// needs: x in its own terms, and x less the child's total. No total is stored: at a
// leaf the two distances are apart by its priority. A write adds the difference between new
// and old leaf to the words from its child's on. The old leaf comes from a copy of
// the leaves that only writes read.
//
// The first operation that touches a row since a clear is the insert of its first
// leaf, since slots are filled in order: it takes the row as zeros. So nothing has to
// be swept at power-up or by a clear, which takes one cycle.
//
// [Pipelined] takes an operation every cycle. Rows are forwarded to the operations
// behind that read them too early, see bank. [Serial] uses one level's logic for all
// levels in turn. [Scan] is after the paper (section 3.1): one word a child, children
// looked at one by one, draws and writes in passes.
//
// # Buffer
//
// A [Buffer] keeps transitions of any form beside the tree. Priorities come as they
// are or as errors |δ|, of which the exponents make (|δ|+ε)^α; batches have weights
// (least/p)^β. [Accelerator] is a buffer of words whose settings and counters are
// registers of an AXI4-Lite port; package host drives them.
//
// Sizes are those of [Config]; memory, all rows and the copy of the leaves:
// [Config.MemoryBits].
//
// The package imports hw, hw/stream, hw/pipe, hw/axi, designs/arith and
// designs/replay/model.
package replay
