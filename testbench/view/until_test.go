package view

import (
	"testing"

	"etch/designs/examples/counter"
	"etch/designs/examples/uart"

	"github.com/stretchr/testify/require"
)

// A live run goes to the cycle in which a condition holds, forwards and backwards; one that does not
// hold leaves it where it was.
func TestUntil(t *testing.T) {
	p := livePage(t, counter.Counter{Width: 8})
	ask[span](p, "POST", "set", "name", "en", "value", "1", "cycle", "1")
	require.Equal(t, uint64(43), ask[span](p, "POST", "until", "condition", "count == 42").Cycle)
	require.Equal(t, "42", ask[map[string]string](p, "GET", "values", "cycle", "43")["count"])
	require.Equal(t, uint64(43+256), ask[span](p, "POST", "until", "condition", "count = 0x2a && en").Cycle)
	require.Equal(t, uint64(43), ask[span](p, "POST", "until", "condition", "count == 42", "back", "1", "cycle", "299").Cycle)
	require.Equal(t, uint64(1), ask[span](p, "POST", "until", "condition", "!count", "back", "1", "cycle", "20").Cycle)
	require.Equal(t, uint64(301), ask[span](p, "POST", "until", "condition", "count>=44", "cycle", "299").Cycle)

	ask[span](p, "POST", "set", "name", "en", "value", "0", "cycle", "10")
	p.fails("POST", "until", []string{"condition", "count > 200"}, "count > 200 does not hold between cycles 10 and 200010")
	require.Equal(t, uint64(10), ask[struct{ Span span }](p, "GET", "design").Span.Last)
	for _, bad := range []string{"", "count ==", "count ~ 3", "!count == 3", "count == 999", "coun == 3", "count == 3 &&"} {
		p.fails("POST", "until", []string{"condition", bad})
	}
}

// A register of a live run takes another value, and the run goes on from there.
func TestEdit(t *testing.T) {
	p := livePage(t, counter.Counter{Width: 8})
	ask[span](p, "POST", "set", "name", "en", "value", "1", "cycle", "1")
	ask[span](p, "POST", "run", "to", "20")
	require.Equal(t, span{0, 12, 12}, ask[span](p, "POST", "set", "name", "count", "value", "200", "cycle", "12"))
	ask[span](p, "POST", "run", "to", "30")
	require.Equal(t, "218", ask[map[string]string](p, "GET", "values", "cycle", "30")["count"])
	require.Equal(t, "10", ask[map[string]string](p, "GET", "values", "cycle", "11")["count"])
	require.Equal(t, "200", ask[map[string]string](p, "GET", "values", "cycle", "12")["count"])
}

// Coverage of a live run: the lines of uart's states are red until a byte was sent.
func TestCoverage(t *testing.T) {
	p := livePage(t, uart.Tx{ClocksPerBit: 4})
	ask[span](p, "POST", "run", "to", "60")
	file := ask[struct{ File string }](p, "GET", "source").File
	never := func() (n, all int) {
		for _, l := range ask[struct{ Lines []lineCount }](p, "GET", "coverage", "file", file).Lines {
			if all++; l.Count == 0 {
				n++
			}
		}
		return n, all
	}
	before, all := never()
	require.Greater(t, before, 5)
	require.Greater(t, all, before)

	ask[span](p, "POST", "set", "name", "bytes_valid", "value", "1", "cycle", "1")
	ask[span](p, "POST", "run", "to", "100")
	after, all2 := never()
	require.Equal(t, all, all2)
	require.Zero(t, after)
	p.fails("GET", "coverage", []string{"file", "/etc/passwd"}, "the design has no line in")
}
