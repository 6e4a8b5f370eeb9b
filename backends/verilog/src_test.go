package verilog_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/testbench/tools"
)

// TestSrc: with Options.Src yosys names lines of Go for registers, wires and the cells
// that it makes of always blocks.
func TestSrc(t *testing.T) {
	d := parse(t, "testdata/uart.etch")
	text, err := verilog.Text(d, verilog.Options{Src: true})
	require.NoError(t, err)
	require.Contains(t, string(text), "  (* src = \"uart.go:49\" *) reg [1:0] state;")
	lint(t, d, verilog.Options{Src: true})
	yosys, dir := tools.Need(t, "yosys")[0], folder(t)
	file, out := filepath.Join(dir, "src.v"), filepath.Join(dir, "src.json")
	write(t, file, text)
	quiet(t, yosys.Command(t.Context(), "-q", "-p", "read_verilog "+file+"; proc; opt_clean; write_json "+out))
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	type named struct {
		Type       string
		Attributes map[string]string
	}
	var doc struct {
		Modules map[string]struct {
			Cells    map[string]named
			Netnames map[string]named
		}
	}
	require.NoError(t, json.Unmarshal(b, &doc))
	m := doc.Modules["tx"]
	require.Equal(t, "uart.go:49", m.Netnames["state"].Attributes["src"])
	require.Equal(t, "uart.go:55", m.Netnames["bit_done"].Attributes["src"])
	flops := 0
	for name, c := range m.Cells {
		if strings.Contains(c.Type, "dff") {
			flops++
			require.Contains(t, c.Attributes["src"], "uart.go:", name)
		}
	}
	require.NotZero(t, flops)
}
