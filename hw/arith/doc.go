// Package arith makes circuits that divide integers and take their square roots, with the
// remainder, and has their models on Go integers.
//
// A [Division] gives the widths of numerator, divisor and quotient, in T = hw.UInt or hw.SInt; a
// [SquareRoot] those of the radicand. Of each there are two circuits and one
// model:
//
//	mean := arith.Division[hw.SInt]{Numerator: 64, Divisor: 33, Fraction: 17}
//
//	d := hw.Inst(m, "mean", mean.Iterative(2), arith.DividerPorts[hw.SInt]{In: sums})
//	d.Out.Data.Quotient                             // hw.SInt, 17 of its bits a fraction
//	d.Out.Data.Num(17).Fit(q, fixed.HalfEven, …)    // rounded as the exact quotient
//
//	mean.Divide(sum, n)                             // the model, in big integers
//	mean.Divide64(sum, n)                           // the model, in machine words
//
// [Divider] and [Root] make some bits of the result in a cycle and take the next
// operands when the result is taken, by the ready/valid handshake of hw/stream.
// [PipelinedDivider] and [PipelinedRoot] take operands in every cycle, and can be
// stopped by a clock enable. With n = ⌈bits of the result / bits at a time⌉,
//
//	                   latency          initiation interval
//	Divider            n + 2            n + 2      one more with signs
//	Root               n + 2            n + 2
//	PipelinedDivider   n + 1            1          two more with signs
//	PipelinedRoot      n + 1            1
//	Multiplier         bits of B + 1    the same   for products wanted now and then
//
// which the method Latency gives. The bits of the result are those of the root, or
// of the quotient without its sign: a Division whose Quotient says how many are
// wanted takes no steps for the others.
//
// # Rounding
//
// Quotients are towards zero and roots downwards; the remainder is given, so
// nothing is lost. [HalfUp] and [RootResult.HalfUp] round to the nearest by it. For
// every other way, ask for a fraction bit more than is wanted: [Result.Num] puts a
// sticky bit below, and fixed.Num's Fit does the rest. Result.Inexact is that bit,
// as a floating-point unit wants it.
//
// # Area
//
// As yosys 0.23 counts with synth_xilinx -family xcup -flatten (go test -run Area -v
// ./hw/arith):
//
//	                                              latency   LUT     FF
//	64 / 32                          Iterative(1)      66   225    137
//	96 / 64                          Iterative(1)      98   388    233
//	96 / 64                          Iterative(2)      50   449    232
//	96 / 64                          Iterative(4)      26   577    231
//	64 / 33 signed, fraction 16      Iterative(2)      43   585    157
//	128 / 64, quotient of 64         Iterative(2)      34   463    201
//	24 / 24, fraction 25, of 26      Iterative(2)      15   187     81
//	24 / 24, fraction 25, of 26      Pipelined(1)      27   824   1356
//	24 / 24, fraction 25, of 26      Pipelined(2)      14   810    708
//	root of 64                       Iterative(1)      34   212    136
//	root of 100                      Iterative(2)      27   717    207
//	root of 64                       Pipelined(2)      17   692    670
//
// A step is one row of LUTs on a carry chain, since remainders are not restored.
//
// The package imports hw, hw/stream, hw/pipe, hw/fixed and ir/bits.
package arith
