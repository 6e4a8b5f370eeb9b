package lanes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim"
	"etch/sim/internal/simtest"
	"etch/sim/lanes"
)

// Handles that are none, or of another design, end in a panic that says so, with every engine.
func TestForeignHandles(t *testing.T) {
	d := simtest.Alone(simtest.Counter(8, false))
	other, err := sim.New(d)
	require.NoError(t, err)
	for _, engine := range []sim.Engine{sim.Auto, sim.Interpreter} {
		l, err := lanes.New(d, 3, sim.WithEngine(engine))
		require.NoError(t, err)
		for text, sig := range map[string]sim.Signal{
			"sim: the zero Signal is no signal":              {},
			"sim: signal count belongs to another simulator": simtest.Sig(t, other, "count"),
		} {
			require.PanicsWithValue(t, text, func() { l.Get(sig, 1) }, engine)
			require.PanicsWithValue(t, text, func() { l.GetBits(sig, 1) }, engine)
			require.PanicsWithValue(t, text, func() { _ = l.GetSlice(sig, make([]uint64, 3)) }, engine)
		}
		require.NoError(t, l.Close())
	}
	require.PanicsWithValue(t, "sim: the zero Mem is no memory", func() { lanes.Mem{}.Read(0, 0) })
}
