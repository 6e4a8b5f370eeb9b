package view

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"etch/designs/examples/counter"
	"etch/hw"

	"github.com/stretchr/testify/require"
)

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }

// A design that does not build has its error for an answer until it does. A new one in its place keeps
// inputs and length of the run, and pages are told.
func TestWatched(t *testing.T) {
	v, err := Watched(nil, errors.New("counter.go:3: E1: no"))
	require.NoError(t, err)
	p := page{t, v}
	p.fails("GET", "design", nil, "counter.go:3: E1: no")

	// A page listens.
	server := httptest.NewServer(v)
	defer server.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/"+v.token+"/api/events", nil)
	require.NoError(t, err)
	reply, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer reply.Body.Close()
	lines := bufio.NewScanner(reply.Body)
	next := func() string {
		for lines.Scan() {
			if text := lines.Text(); text != "" {
				return text
			}
		}
		return ""
	}
	require.Equal(t, ": listening", next())

	build := func(width int) {
		d, _, err := hw.Build(counter.Counter{Width: width})
		require.NoError(t, err)
		require.NoError(t, v.Replace(d))
	}
	build(8)
	require.Equal(t, `data: {"kind":"design","text":""}`, next())
	ask[span](p, "POST", "set", "name", "en", "value", "1", "cycle", "1")
	ask[span](p, "POST", "run", "to", "40")
	ask[span](p, "POST", "set", "name", "count", "value", "200", "cycle", "40")
	ask[span](p, "POST", "run", "to", "50")

	// Four bits: the counter's register does not hold 200, the input is as before.
	build(4)
	require.Equal(t, `data: {"kind":"design","text":""}`, next())
	require.Equal(t, span{0, 50, 50}, ask[struct{ Span span }](p, "GET", "design").Span)
	require.Equal(t, "1", ask[map[string]string](p, "GET", "values", "cycle", "50")["count"])
	require.Equal(t, "15", ask[map[string]string](p, "GET", "values", "cycle", "16")["count"])

	v.Fail(errors.New("no more"))
	require.Equal(t, `data: {"kind":"error","text":"no more"}`, next())
	require.Equal(t, "1", ask[map[string]string](p, "GET", "values", "cycle", "50")["count"])
}

// The numbers begin with the registers; those that only assertions need count as well.
func TestStatistics(t *testing.T) {
	p := livePage(t, counter.Counter{Width: 8})
	list := ask[[]count](p, "GET", "statistics")
	require.Equal(t, "registers", list[0].Name)
	require.GreaterOrEqual(t, list[0].Bits, 8)
}

// Edges of a live run: the next one, and the one before.
func TestEdge(t *testing.T) {
	p := livePage(t, counter.Counter{Width: 8})
	for _, set := range [][2]string{{"1", "1"}, {"5", "0"}, {"9", "1"}} {
		ask[span](p, "POST", "run", "to", set[0])
		ask[span](p, "POST", "set", "name", "en", "value", set[1], "cycle", set[0])
	}
	ask[span](p, "POST", "run", "to", "20")
	for _, x := range []struct{ from, to, back string }{{"1", "5", ""}, {"5", "9", ""}, {"9", "9", ""}, {"20", "9", "1"}, {"9", "5", "1"}, {"7", "5", "1"}, {"5", "1", "1"}} {
		require.Equal(t, x.to, itoa(ask[span](p, "GET", "edge", "name", "en", "cycle", x.from, "back", x.back).Cycle), "%+v", x)
	}
}
