// Package float makes circuits of floating-point arithmetic for the formats of
// hw/float: correctly rounded, with all flags of IEEE 754, subnormal numbers included,
// and equal bit for bit to the model there.
//
// A unit is a list of steps, over which its Stages registers are spread evenly; 0 makes it
// combinational. It takes operands in every cycle, but for [Dividing] and [Rooting]:
//
//   - [Adder], [Multiplier], [Product] (into another format), [FMA];
//
//   - [Divider], [Root] and [Hypot]; [Dividing] and [Rooting], one at a time, a digit in a cycle;
//
//   - [MinMax], [Comparer], [Next], [Scaler], [RoundToInt];
//
//   - [Converter] between formats, [FromFixed], [ToFixed].
//
//     add := hw.Inst(m, "add", float.Adder{float.Op{Format: float.F16, Stages: 3}},
//     float.AdderPorts{Control: float.Control{En: p.En}, A: a, B: b, Sub: hw.Low})
//     add.Y                                     // three cycles after a and b
//
// Most designs are written as a dataflow, in which no latency is counted: see [Units].
//
// # Sums of products
//
// One product in every cycle:
//
//   - [Accumulator] is exact (Kulisch) and rounds once, whatever the order;
//   - [Windowed] is that cut to a range of exponents, with a sticky overflow;
//   - [Running] rounds every product and sum to a wider format, in ascending order.
//
// N products in every cycle:
//
//   - [Dot] is exact and rounds once;
//   - [BlockDot] is that for the OCP Microscaling formats, with a scale for each block;
//   - [Tree] rounds every product and every sum of a balanced tree of adders.
//
// # One unit for several operations and formats
//
// [Shared] is the datapath of a fused multiply-add that also adds, multiplies and
// converts, in any of several formats; [Packed] is that for words of several numbers, as
// one fp32, two fp16 or four FP8.
//
// # How the units are small
//
//   - Nothing is recoded. A sum needs no normalised operands, only an exponent of 1 for
//     one of 0.
//   - A sum is moved up by its leading zeros or its exponent, whichever is less: results
//     that are subnormal fall out of that.
//   - Exponent, fraction and the increment of rounding are one addition, and its carry
//     goes where it should.
//   - Products and fused multiply-adds have a window whose top never lies below the least
//     exponent: significands are multiplied as they are, subnormal ones too, and nothing
//     is moved down afterwards.
//   - A summand is moved into the window by the short ways first, while it has few bits; a
//     sum moves up by the long ways first, after which most of its bits are done with.
//   - The difference of a fused multiply-add is made with a complement and without the
//     one that belongs to it, so that none has to be negated. Where the one is missing,
//     ones come in from below, and rounding knows that a row of them is a one.
//
// The package imports hw, hw/arith, hw/fixed, hw/float, hw/number, hw/pipe, hw/stream, ir/bits and the
// standard library.
package float
