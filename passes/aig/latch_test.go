package aig_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/passes/aig"
	"etch/testbench/randcircuit"
)

// TestLatches: random designs with latches do in gates what they do in the simulator.
func TestLatches(t *testing.T) {
	n, tried := uint64(40), 0
	if testing.Short() {
		n = 10
	}
	for seed := range n {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 25, Modules: int(seed % 3), State: true, Latches: true, Widths: randcircuit.Narrow})
		gates, err := aig.Blast(d, aig.Options{})
		if err != nil {
			require.Contains(t, err.Error(), "by way of an asynchronous reset", "seed %d", seed)
			continue
		}
		tried++
		alongside(t, d, gates, seed)
	}
	require.Greater(t, tried, int(n)/2)
}
