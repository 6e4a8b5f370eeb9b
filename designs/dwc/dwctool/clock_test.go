package dwctool

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/designs/dwc"
	"etch/designs/dwc/model"
	"etch/testbench/tools"
)

// TestClock: the wanted clock chooses the shortest measured pipeline that reaches it.
func TestClock(t *testing.T) {
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
}

// TestClockTable: the rows that come with etch are all pipelines of the controller that comes
// with it, and read back as they were written.
func TestClockTable(t *testing.T) {
	c, err := load(nil)
	require.NoError(t, err)
	identity, err := c.identity()
	require.NoError(t, err)

	rows, err := clockRows("")
	require.NoError(t, err)
	require.Len(t, rows, len(clockLadder))
	for i, r := range rows {
		require.Equal(t, identity, r.circuit)
		require.Equal(t, clockLadder[i], r.registers)
		require.LessOrEqual(t, r.worst, r.median)
		again, err := readClock(r.String())
		require.NoError(t, err)
		require.Equal(t, r, again)
	}
}

// TestClocks: measurements of a circuit of one's own count for that circuit alone.
func TestClocks(t *testing.T) {
	model := ownModel(t)
	c, err := load(cli.Values{"model": model})
	require.NoError(t, err)
	identity, err := c.identity()
	require.NoError(t, err)
	table := filepath.Join(t.TempDir(), "clocks.csv")
	write := func(lines ...string) {
		text := "# a comment\n" + clockHeading + "\n" + strings.Join(lines, "\n") + "\n"
		require.NoError(t, os.WriteFile(table, []byte(text), 0o666))
	}

	// The shortest that reaches it, of this circuit.
	write(identity+",output,50.0,52.0,10,2", identity+",encoder+output,80.0,81.0,10,2", "other,none,400.0,401.0,1,1")
	for _, want := range []struct {
		clock string
		with  dwc.Pipeline
	}{{"50MHz", dwc.Pipeline{Output: true}}, {"50.1MHz", dwc.Pipeline{Encoder: true, Output: true}}} {
		got, err := load(cli.Values{"model": model, "clock": want.clock, "clocks": table})
		require.NoError(t, err)
		require.Equal(t, want.with, got.pipeline)
	}

	// Not reached; of another form, head or reduction; and tables that are none.
	for _, bad := range []struct {
		given cli.Values
		want  string
	}{
		{cli.Values{"clock": "90MHz"}, "the fastest has 80.0 MHz at latency 2"},
		{cli.Values{"clock": "50MHz", "form": "lut6"}, "was not measured: etch experiment dwc-clock -p form=lut6 -p model="},
		{cli.Values{"clock": "50MHz", "head": "counts"}, "was not measured"},
		{cli.Values{"clock": "50MHz", "whole": "true"}, "was not measured"},
		{cli.Values{}, "give clock, too"},
	} {
		bad.given["model"], bad.given["clocks"] = model, table
		_, err := load(bad.given)
		require.ErrorContains(t, err, bad.want)
	}
	for _, line := range []string{"a,none,1,2,3", "a,none,x,2,3,4", "a,none,0,2,3,4", "a,nothing,1,2,3,4", "a,none,1,2,3,-"} {
		write(line)
		_, err := load(cli.Values{"model": model, "clock": "50MHz", "clocks": table})
		require.ErrorContains(t, err, "clocks.csv: line 3: ", line)
	}
}

// ownModel is the file of a small random classifier.
func ownModel(t *testing.T) string {
	m, err := model.Random(model.RandomSpec{Name: "own", Obs: 2, Groups: 2, Head: model.Argmax, B: 7,
		Widths: []int{8}, N: []int{4}, SensorBits: 8, DACBits: 8}, 1)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "own.json")
	require.NoError(t, m.WriteFile(path))
	return path
}

// TestClockMeasured: the experiment's table is what clock chooses from, and its choice
// reaches the rate.
func TestClockMeasured(t *testing.T) {
	tools.Need(t, "yosys", "nextpnr-ecp5")
	if os.Getenv("ETCH_SLOW") == "" {
		t.Skip("ETCH_SLOW=1 for a minute of place and route")
	}
	given := cli.Values{"model": ownModel(t), "form": "lut6"}
	m, err := newClockMeasure(given, "150MHz", 1)
	require.NoError(t, err)
	text, err := m.table(t.Context(), io.Discard)
	require.NoError(t, err)
	table := filepath.Join(t.TempDir(), "clocks.csv")
	require.NoError(t, os.WriteFile(table, []byte(text), 0o666))

	given["clock"], given["clocks"] = "150MHz", table
	d, err := Design().Build(given)
	require.NoError(t, err)
	p := cli.DefaultPlacement()
	p.Seeds = 1
	timing, err := cli.PlaceAndRoute(t.Context(), d, p)
	require.NoError(t, err)
	require.GreaterOrEqual(t, timing.MHz[0], 150.0)
}

// TestClockMeasureMistakes: the pipelines are not the caller's.
func TestClockMeasureMistakes(t *testing.T) {
	for _, bad := range []struct {
		given cli.Values
		reach string
		seeds int
		want  string
	}{
		{cli.Values{"pipeline.sums": "true"}, "", 3, "the pipelines are those that are measured"},
		{cli.Values{"clock": "50MHz"}, "", 3, "the pipelines are those that are measured"},
		{nil, "fast", 3, "-reach: \"fast\" is no rate as in 100MHz"},
		{nil, "", 0, "-seeds: 0 is not in 1 to 1000"},
		{cli.Values{"model": "none.json"}, "", 3, "none.json"},
	} {
		_, err := newClockMeasure(bad.given, bad.reach, bad.seeds)
		require.ErrorContains(t, err, bad.want)
	}
}

// TestClockMistakes: a clock that was not measured or not reached is an error.
func TestClockMistakes(t *testing.T) {
	for _, c := range []struct {
		given cli.Values
		want  string
	}{
		{cli.Values{"clock": "300MHz"}, "no measured pipeline of this circuit reaches that on an ECP5-85 -6; the fastest has 143.3 MHz at latency 8"},
		{cli.Values{"clock": "100"}, "want a rate in MHz, as in 100MHz"},
		{cli.Values{"clock": "-1MHz"}, "want a rate in MHz, as in 100MHz"},
		{cli.Values{"clock": "NaNMHz"}, "want a rate in MHz, as in 100MHz"},
		{cli.Values{"clock": "90MHz", "pipeline.sums": "true"}, "clock chooses the pipeline: leave out pipeline.sums"},
		{cli.Values{"clock": "90MHz", "whole": "true"}, "was not measured: etch experiment dwc-clock -p whole=true writes a table of it, which clocks=FILE reads"},
		{cli.Values{"clock": "90MHz", "head": "counts"}, "was not measured: etch experiment dwc-clock -p head=counts writes"},
		{cli.Values{"clock": "90MHz", "rom": "block"}, "was not measured: etch experiment dwc-clock -p rom=block writes"},
		{cli.Values{"clock": "90MHz", "model": "other.json"}, "other.json"},
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
