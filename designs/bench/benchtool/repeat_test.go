package benchtool

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRepeat checks the figures of equal runs that do not depend on the machine's speed.
func TestRepeat(t *testing.T) {
	code, out, messages := etch("bench", "repeat", "-json", "-design", "protocol", "-runs", "3", "-cycles", "3000")
	require.Zero(t, code, messages)
	row := rowsOf(t, out)[0]
	require.Equal(t, "protocol", row["design"])
	require.Equal(t, 3000.0, row["cycles"])
	for _, key := range []string{"hashes", "bytes", "settled", "beside", "at_20ms", "at_100ms"} {
		require.Len(t, row[key], 3, key)
	}
	require.Equal(t, row["hashes"].([]any)[0], row["hashes"].([]any)[2])

	// The first run is the measure of the others.
	require.Equal(t, 1.0, row["beside"].([]any)[0])
	require.Positive(t, row["beside"].([]any)[1])

	code, out, messages = etch("bench", "repeat", "-design", "protocol", "-runs", "1", "-cycles", "3000")
	require.Zero(t, code, messages)
	require.Regexp(t, `side by side .*\nprotocol +3000 +1 of 1 .* 1\.00 +1\.00 `, out)
}

// stub is a simulator that counts its pieces.
type stub struct {
	runner
	steps []int
}

func (s *stub) Step(n int) { s.steps = append(s.steps, n) }

// TestBesideTakesTurns checks the pieces of two simulators, and that a piece has a cycle at least.
func TestBesideTakesTurns(t *testing.T) {
	a, b := &stub{}, &stub{}
	require.Positive(t, beside(a, b, 0))
	require.Len(t, a.steps, pairs)
	require.Len(t, b.steps, pairs)
	require.Equal(t, 1, a.steps[0])
}
