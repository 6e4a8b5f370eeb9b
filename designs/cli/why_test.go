package cli

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// The document names each line once, by file and line, and files by their packages.
func TestWhyJSON(t *testing.T) {
	code, out, errs := run(t, "why", "uart", "line@15", "-set", "bytes_valid=1", "-set", "bytes_data=0x55", "-json")
	require.Zero(t, code, errs)
	var rows []map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &rows), out)
	require.NotEmpty(t, rows)
	lines := 0
	for _, r := range rows {
		require.NotContains(t, r, "at")
		if r["file"] != nil {
			require.Equal(t, "etch/designs/examples/uart/uart.go", r["file"])
			require.Positive(t, r["line"])
			lines++
		}
	}
	require.Positive(t, lines)
}
