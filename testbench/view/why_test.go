package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/examples/rv32i"
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
	isTree(t, rows)
	require.Equal(t, "line = 1 (shift = 21)", rows[0].Text)
	require.Equal(t, "p.Line.Set(shift.Bit(0))", rows[0].Source)
	require.Equal(t, uint64(15), p.v.run.Cycle())
	for _, r := range rows {
		t.Logf("%3d %s%s %v", r.Cycle, strings.Repeat("  ", r.Depth), r.Text, r.Again)
	}
	found := false
	for _, r := range rows {
		found = found || r.Text == "shift = 85 (bytes_data = 85)" && r.Cycle == 2 && r.Signal == "shift"
	}
	require.True(t, found, "%v", rows)

	// The way to the byte leads through the rows that shifted it.
	at := slices.IndexFunc(rows, func(r reason) bool { return r.Text == "shift = 85 (bytes_data = 85)" })
	require.Greater(t, rows[at].Depth, 1)
	for i, depth := at-1, rows[at].Depth; depth > 0; i-- {
		if rows[i].Depth < depth {
			depth = rows[i].Depth
			require.GreaterOrEqual(t, rows[i].Cycle, uint64(2), "%v", rows[i])
		}
	}

	// A set in the past changes the reasons too.
	ask[span](p, "POST", "set", "name", "bytes_data", "value", "0", "cycle", "1")
	ask[span](p, "POST", "run", "to", "60")
	require.Equal(t, "line = 0 (shift = 0)", ask[[]reason](p, "GET", "why", "name", "line", "cycle", "15")[0].Text)
}

// isTree requires rows that begin with a root and go at most one deeper from row to row. A row that
// stands elsewhere too has no causes here.
func isTree(t *testing.T, rows []reason) {
	t.Helper()
	require.Zero(t, rows[0].Depth)
	own := 0
	for i, r := range rows {
		if !r.Again {
			own++
		}
		if i == 0 {
			continue
		}
		require.Positive(t, r.Depth)
		require.LessOrEqual(t, r.Depth, rows[i-1].Depth+1)
		if rows[i-1].Again {
			require.LessOrEqual(t, r.Depth, rows[i-1].Depth)
		}
	}
	require.LessOrEqual(t, own, mostReasons)
}

// A value of the processor has many causes: they are a tree too, and none but the folded stand at
// the root without being its own.
func TestWhyProcessor(t *testing.T) {
	p := livePage(t, rv32i.Core{Words: 64, Program: []uint32{0x00100093, 0x00108093, 0xffdff06f}})
	ask[span](p, "POST", "run", "to", "60")
	rows := ask[[]reason](p, "GET", "why", "name", "pc", "cycle", "57")
	isTree(t, rows)
	for _, r := range rows {
		t.Logf("%3d %s%s %v", r.Cycle, strings.Repeat("  ", r.Depth), r.Text, r.Again)
	}
	require.Greater(t, slices.MaxFunc(rows, func(a, b reason) int { return a.Depth - b.Depth }).Depth, 2)
}
