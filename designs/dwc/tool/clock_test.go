package tool

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/designs/dwc"
)

// TestClock: the wanted clock chooses the shortest measured pipeline that reaches it.
func TestClock(t *testing.T) {
	rows, err := clockRows()
	require.NoError(t, err)
	for _, c := range []struct {
		clock string
		want  dwc.Pipeline
	}{
		{"20MHz", dwc.Pipeline{}},
		{"35MHz", dwc.Pipeline{Output: true}},
		{"60MHz", dwc.Pipeline{Encoder: true, Votes: true, Output: true}},
		{"100MHz", dwc.Pipeline{Encoder: true, Votes: true, Counts: 1, Output: true}},
		{"130MHz", dwc.Pipeline{Encoder: true, Votes: true, Counts: 1, Sums: true, Output: true}},
	} {
		got, err := load(cli.Values{"clock": c.clock})
		require.NoError(t, err, c.clock)
		require.Equal(t, c.want, got.pipeline, c.clock)
	}
	for _, r := range rows {
		c, err := load(cli.Values{"form": string(r.form)})
		require.NoError(t, err)
		c.pipeline = r.pipeline
		require.Equal(t, c.latency(), r.latency(), "%+v", r)
		require.LessOrEqual(t, r.worst, r.median)
	}
}

// TestClockMistakes: a clock that was not measured or not reached is an error.
func TestClockMistakes(t *testing.T) {
	for _, c := range []struct {
		given cli.Values
		want  string
	}{
		{cli.Values{"clock": "300MHz"}, "no measured pipeline of form=plain reaches that on an ECP5-85 -6; the fastest has 143.3 MHz at latency 8"},
		{cli.Values{"clock": "100"}, "want a rate in MHz, as in 100MHz"},
		{cli.Values{"clock": "-1MHz"}, "want a rate in MHz, as in 100MHz"},
		{cli.Values{"clock": "NaNMHz"}, "want a rate in MHz, as in 100MHz"},
		{cli.Values{"clock": "90MHz", "pipeline.sums": "true"}, "clock chooses the pipeline: leave out pipeline.sums"},
		{cli.Values{"clock": "90MHz", "whole": "true"}, "clock=90MHz with whole=true: only the controller that comes with etch was measured"},
		{cli.Values{"clock": "90MHz", "head": "counts"}, "clock=90MHz with head=counts: only the controller that comes with etch was measured"},
		{cli.Values{"clock": "90MHz", "model": "other.json"}, "clock=90MHz with model=other.json: only the controller that comes with etch was measured"},
		{cli.Values{"clock": "90MHz", "rom": "block"}, "clock=90MHz with rom=block: only the controller that comes with etch was measured"},
		{cli.Values{"clock": "90MHz", "form": "lut6"}, "clock=90MHz: nothing of form=lut6 was measured"},
	} {
		_, err := load(c.given)
		require.ErrorContains(t, err, c.want)
	}
}

// TestClockReached places and routes what clock=100MHz chooses.
func TestClockReached(t *testing.T) {
	if os.Getenv("ETCH_SLOW") == "" {
		t.Skip("ETCH_SLOW=1 for a minute of place and route")
	}
	d, err := Design().Build(cli.Values{"clock": "100MHz"})
	require.NoError(t, err)
	timing, err := cli.PlaceAndRoute(t.Context(), d, cli.DefaultPlacement())
	require.NoError(t, err)
	require.GreaterOrEqual(t, timing.MHz[0], 100.0)
}
