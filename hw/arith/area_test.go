package arith_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/hw"
	"etch/hw/arith"
	"etch/ir"
	"etch/testbench/tools"
)

// synthesis counts what yosys makes of a design on an UltraScale+ device.
func synthesis(t *testing.T, yosys tools.Tool, d *ir.Design) (lut, ff int) {
	t.Helper()
	src, err := verilog.Text(d, verilog.Options{NoPositions: true})
	require.NoError(t, err)
	in, stat := filepath.Join(t.TempDir(), "in.v"), filepath.Join(t.TempDir(), "stat.json")
	require.NoError(t, os.WriteFile(in, src, 0o666))
	script := fmt.Sprintf("read_verilog %s; synth_xilinx -family xcup -flatten -top %s; tee -q -o %s stat -json", in, d.Top.Name, stat)
	out, err := yosys.Command(t.Context(), "-q", "-p", script).CombinedOutput()
	require.NoError(t, err, string(out))
	text, err := os.ReadFile(stat)
	require.NoError(t, err)
	var doc struct {
		Design struct {
			Cells map[string]int `json:"num_cells_by_type"`
		}
	}
	require.NoError(t, json.Unmarshal(text, &doc))
	for cell, n := range doc.Design.Cells { // sums: the order does not matter
		switch {
		case strings.HasPrefix(cell, "LUT"), cell == "INV", strings.HasPrefix(cell, "SRL"):
			lut += n
		case strings.HasPrefix(cell, "FD"):
			ff += n
		}
	}
	return lut, ff
}

// sized is a row of the table in the package's documentation.
type sized struct {
	name             string
	build            func() (*ir.Design, error)
	latency, lut, ff int
}

func row[P any](name string, c interface {
	hw.Component[P]
	Latency() int
}, lut, ff int) sized {
	return sized{name, func() (*ir.Design, error) { d, _, err := hw.Build(c); return d, err }, c.Latency(), lut, ff}
}

func rows() []sized {
	wide := arith.Division[hw.UInt]{Numerator: 96, Divisor: 64}
	mantissa := arith.Division[hw.UInt]{Numerator: 24, Divisor: 24, Fraction: 25, Quotient: 26}
	return []sized{
		row("64/32, 1", arith.Division[hw.UInt]{Numerator: 64, Divisor: 32}.Iterative(1), 225, 137),
		row("96/64, 1", wide.Iterative(1), 388, 233),
		row("96/64, 2", wide.Iterative(2), 449, 232),
		row("96/64, 4", wide.Iterative(4), 577, 231),
		row("mean, 2", arith.Division[hw.SInt]{Numerator: 64, Divisor: 33, Fraction: 16}.Iterative(2), 585, 157),
		row("128/64 of 64, 2", arith.Division[hw.UInt]{Numerator: 128, Divisor: 64, Quotient: 64}.Iterative(2), 463, 201),
		row("mantissa, 2", mantissa.Iterative(2), 187, 81),
		row("mantissa, pipelined 1", mantissa.Pipelined(1), 824, 1356),
		row("mantissa, pipelined 2", mantissa.Pipelined(2), 810, 708),
		row("root 64, 1", arith.SquareRoot{Radicand: 64}.Iterative(1), 212, 136),
		row("root 100, 2", arith.SquareRoot{Radicand: 100}.Iterative(2), 717, 207),
		row("root 64, pipelined 2", arith.SquareRoot{Radicand: 64}.Pipelined(2), 692, 670),
	}
}

// What yosys needs is what the package's documentation says, to within a tenth for
// other versions of yosys.
func TestArea(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: synthesis takes a minute")
	}
	yosys := tools.Need(t, "yosys")[0]
	for _, x := range rows() {
		d, err := x.build()
		require.NoError(t, err)
		lut, ff := synthesis(t, yosys, d)
		t.Logf("%-24s latency %3d %5d LUT %5d FF", x.name, x.latency, lut, ff)
		require.InEpsilon(t, x.lut, lut, 0.1, x.name)
		require.InEpsilon(t, x.ff, ff, 0.1, x.name)
	}
}
