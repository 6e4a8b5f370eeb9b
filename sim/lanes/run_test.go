package lanes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/lanes"
	"etch/testbench/randcircuit"
)

// TestLaneStepsTakeNoMemory has a host that makes cycles one by one.
func TestLaneStepsTakeNoMemory(t *testing.T) {
	for seed := range uint64(4) {
		l, err := lanes.New(randcircuit.Control(seed), 100)
		require.NoError(t, err)
		l.Step(8)
		require.Empty(t, l.Failures(), "this seed's statements speak")
		require.Zero(t, testing.AllocsPerRun(100, func() { l.Step(1) }))
		require.NoError(t, l.Close())
	}
}
