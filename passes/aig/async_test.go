package aig_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/text"
	"etch/passes/aig"
)

// lateReset has a register that is reset asynchronously while another register and
// an input are both high: after an edge at which the other becomes high the reset
// holds, although the input may be low when the next step is looked at.
const lateReset = `etch 1
top top

module top {
  input clk: 1 clock = %1
  input go: 1 = %2
  input arm: 1 = %3
  output y: 4 = %6
  %1 clk: 1 clock = input clk
  %2 go: 1 = input go
  %3 arm: 1 = input arm
  %4 armed: 1 = reg
  %5: 1 asyncreset = and %4 %2
  %6 count: 4 = reg
  %7: 4 = const 4'h1
  %8: 4 = add %6 %7
  %9: 4 = const 4'ha
  reg %4 next %3 clk %1
  reg %6 next %8 clk %1 async rst %5 reset %9
}
`

func TestAsyncResetAfterTheEdge(t *testing.T) {
	d, err := text.Parse(strings.NewReader(lateReset), "late")
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	c, err := aig.Blast(d, aig.Options{})
	require.NoError(t, err)
	for seed := range uint64(20) {
		alongside(t, d, c, seed)
	}
}

func TestAsyncResetOfItself(t *testing.T) {
	d, err := text.Parse(strings.NewReader(strings.Replace(lateReset, "%5: 1 asyncreset = and %4 %2", "%5: 1 asyncreset = redor %6", 1)), "late")
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	_, err = aig.Blast(d, aig.Options{})
	require.ErrorContains(t, err, "follows from itself within a step, by way of an asynchronous reset")
}
