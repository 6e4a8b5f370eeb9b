// Package sac trains a pendulum's controller with soft actor-critic (Haarnoja et al., 2018)
// in emulated low precision: every value is rounded as hardware would round it, in fp16, in
// a format (5, M), or in float32. The methods of package lowprec can be switched on one by
// one, so that the use of each is seen; [Variants] lists the experiment's.
//
// Operands of a sum of products are in the format. The sum is computed in float32, in
// ascending order, and rounded to the format once. Every other operation is rounded to the
// nearest even by itself. The code shares nothing with the models of lowprec, which agree
// with it bit for bit: a [Recorder] keeps steps of weights, of targets and of the policy's
// head with their results, and [Replay] puts them through the circuits.
//
// Runs with equal configurations are equal: in formats of up to 11 bits of precision on
// every processor, in float32 as far as Go's math functions are.
//
// The package imports designs/float, designs/float/function, designs/lowprec, designs/pendulum, hw,
// hw/float, ir, sim, testbench/cosim and the standard library.
package sac
