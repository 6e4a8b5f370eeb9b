package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim"
	"etch/sim/internal/simtest"
)

// TestTwinOfClosed: a twin goes on with the machine code when its owner is closed, and the last
// user frees it.
func TestTwinOfClosed(t *testing.T) {
	owner := start(t, simtest.Alone(simtest.Counter(32, false)), sim.WithEngine(sim.Native))
	set(t, owner, "en", 1)
	owner.Step(1000)
	twin, err := sim.Twin(owner)
	require.NoError(t, err)
	set(t, twin, "en", 1)
	twin.Step(10)
	require.NotZero(t, twin.CodeBytes())

	require.NoError(t, owner.Close())
	require.Zero(t, owner.CodeBytes())
	owner.Step(5) // interpreted
	require.Equal(t, uint64(1005), get(t, owner, "count"))

	require.NotZero(t, twin.CodeBytes(), "the owner took the code away")
	twin.Step(1000)
	require.Equal(t, uint64(1010), get(t, twin, "count"))
	require.NoError(t, twin.Close())
	require.Zero(t, twin.CodeBytes())
}
