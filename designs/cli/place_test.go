package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/designs/examples/counter"
	"etch/hw"
	"etch/testbench/tools"
)

// The harness around a design is Verilog in which every port has its bits.
func TestPlaceHarness(t *testing.T) {
	d, _, err := hw.Build(counter.Counter{Width: 8})
	require.NoError(t, err)
	text, err := harness(d)
	require.NoError(t, err)
	require.Contains(t, string(text), "counter etch_design (.clk(clk), .rst(etch_in[0:0]), .en(etch_in[1:1]), .count(etch_result[7:0]));")
	require.Contains(t, string(text), "reg [1:0] etch_in;")

	iverilog := tools.Need(t, "iverilog")[0]
	src, err := verilog.Text(d, verilog.Options{})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "h.v")
	require.NoError(t, os.WriteFile(file, append(src, text...), 0o666))
	out, err := iverilog.Command(t.Context(), "-g2005", "-Wall", "-Wno-timescale", "-o", os.DevNull, file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, string(out))
}

// A carry chain is one hop, names are the design's, and the slowest of several clocks
// is what counts.
func TestPlaceReport(t *testing.T) {
	var r pnrReport
	text, err := os.ReadFile("testdata/nextpnr.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &r))
	mhz, clock := r.slowest()
	require.Equal(t, 98.5, mhz)
	require.Equal(t, "$glbnet$clk", clock)
	timing := Timing{MHz: []float64{mhz}, Path: r.path(clock)}
	require.Equal(t, "carry → advantage", timing.Ends())
	var kinds []string
	for _, h := range timing.Path {
		kinds = append(kinds, h.Kind)
	}
	require.Equal(t, "clk-to-q routing logic routing logic setup", strings.Join(kinds, " "))
	require.Equal(t, "advantage_add[10]", timing.Path[3].Net)
	require.InDelta(t, 0.45+0.07, timing.Path[2].NS, 1e-9)
	require.InDelta(t, 0.52+0.45+0.07+0.44+0.1, timing.LogicNS(), 1e-9)
}

// A machine without the tools has one line, and no failure.
func TestFmaxWithoutTools(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("ETCH_CACHE", t.TempDir())
	code, out, errs := fmax(t)
	require.Zero(t, code)
	require.Empty(t, out)
	require.Contains(t, errs, "skipped: yosys not found")
	require.Equal(t, 1, strings.Count(errs, "\n"))
	for _, wrong := range [][]string{{"-speed", "5"}, {"-seeds", "0"}, {"-p", "width=4"}, {"-mhz", "NaN"}} {
		code, _, _ := fmax(t, wrong...)
		require.Equal(t, 2, code, wrong)
	}
}

func fmax(t *testing.T, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	app := App{Name: "etch", Commands: []Command{FmaxCommand(Placed{Design: "counter"})},
		Designs: []Design{Component("counter", "counts", counter.Counter{Width: 8})}}
	code = app.Run(append([]string{"fmax"}, args...), Output{&o, &e})
	return code, o.String(), e.String()
}

// A counter of 8 bits has 8 registers and a rate that no adder of 8 bits falls
// short of.
func TestFmax(t *testing.T) {
	for _, tool := range []string{"yosys", "nextpnr-ecp5"} {
		if _, err := tools.Find(tool); err != nil {
			t.Skip(err) // in no CI: Need would make it an error there
		}
	}
	if testing.Short() {
		t.Skip("seconds of place and route")
	}
	d, _, err := hw.Build(counter.Counter{Width: 8})
	require.NoError(t, err)
	got, err := PlaceAndRoute(t.Context(), d, Placement{Speed: 6, MHz: 250, Seeds: 2})
	require.NoError(t, err)
	require.Equal(t, 8, got.FF)
	require.Zero(t, got.DSP)
	require.Greater(t, got.MHz[0], 150.0)
	require.Len(t, got.MHz, 2)
	require.LessOrEqual(t, got.MHz[0], got.MHz[1])
	require.NotEmpty(t, got.Path)

	code, out, errs := fmax(t, "-seeds", "1", "-path", "-p", "width=4", "counter")
	require.Zero(t, code, errs)
	require.Contains(t, out, "counter -p width=4")
	require.Contains(t, out, "clk-to-q")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = PlaceAndRoute(ctx, d, DefaultPlacement())
	require.ErrorIs(t, err, context.Canceled)
	var exit *exec.ExitError
	require.NotErrorAs(t, err, &exit)
}
