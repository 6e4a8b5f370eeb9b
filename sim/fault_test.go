package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim"
	"etch/sim/internal/simtest"
)

// TestCompilerPanics: a fault of the compiler does not end the run of a simulator that chose its
// engine by itself; it is told in the Report.
func TestCompilerPanics(t *testing.T) {
	t.Setenv("ETCH_STRICT", "")
	t.Setenv("ETCH_ENGINE", "")
	defer simtest.BeforeCompile(func() { panic("planted") })()

	s := start(t, simtest.Alone(simtest.Counter(32, false)))
	set(t, s, "en", 1)
	s.Step(5000)
	require.EqualValues(t, 5000, get(t, s, "count"))
	require.Equal(t, sim.Interpreter, s.Engine())
	require.Contains(t, s.Report().Why, "planted")
	require.NoError(t, s.Close())

	// Whoever asks for machine code, or is strict, sees the panic.
	asked := start(t, simtest.Alone(simtest.Counter(32, false)), sim.WithEngine(sim.Native))
	require.PanicsWithValue(t, "planted", func() { asked.Step(5) })
	t.Setenv("ETCH_STRICT", "1")
	strict := start(t, simtest.Alone(simtest.Counter(32, false)))
	require.PanicsWithValue(t, "planted", func() { strict.Step(5000) })
}
