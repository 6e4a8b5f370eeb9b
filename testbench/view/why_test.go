package view

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/examples/uart"
)

// TestWhy: the page lists the causes of a value with the lines of the design, and the run stands at
// the asked cycle afterwards.
func TestWhy(t *testing.T) {
	p := livePage(t, uart.Tx{ClocksPerBit: 4})
	ask[span](p, "POST", "set", "name", "bytes_valid", "value", "1", "cycle", "1")
	ask[span](p, "POST", "set", "name", "bytes_data", "value", "0x55", "cycle", "1")
	ask[span](p, "POST", "run", "to", "60")

	rows := ask[[]reason](p, "GET", "why", "name", "line", "cycle", "15")
	require.LessOrEqual(t, len(rows), mostReasons)
	require.Equal(t, "line = 1 (shift = 21)", rows[0].Text)
	require.Equal(t, "p.Line.Set(shift.Bit(0))", rows[0].Source)
	require.Equal(t, uint64(15), p.v.run.Cycle())
	found := false
	for _, r := range rows {
		found = found || r.Text == "shift = 85 (bytes_data = 85)" && r.Cycle == 2 && r.Signal == "shift"
	}
	require.True(t, found, "%v", rows)

	// A set in the past changes the reasons too.
	ask[span](p, "POST", "set", "name", "bytes_data", "value", "0", "cycle", "1")
	ask[span](p, "POST", "run", "to", "60")
	require.Equal(t, "line = 0 (shift = 0)", ask[[]reason](p, "GET", "why", "name", "line", "cycle", "15")[0].Text)
}
