package tool

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/testbench/tools"
)

const foreignVerilog = `module spin #(parameter STEP = 1) (input clk, input reset_n, input [3:0] mode, output reg [70:0] x, output carry);
  assign carry = x[70] ^ mode[0];
  always @(posedge clk) if (!reset_n) x <= 1; else x <= {x[69:0], x[70] ^ x[3]} + STEP + mode;
endmodule
`

// A user's own Verilog is measured as the designs are; all engines agree on it.
func TestForeign(t *testing.T) {
	yosys := tools.Need(t, "yosys")[0]
	require.NoError(t, os.Symlink(yosys.Path, filepath.Join(rivalless(t), "yosys")))
	file := filepath.Join(t.TempDir(), "spin.v")
	require.NoError(t, os.WriteFile(file, []byte(foreignVerilog), 0o666))
	args := []string{"bench", "-verilog", file, "-top", "spin", "-param", "STEP=3", "-json", "-cycles", "500"}
	sums := map[string]bool{}
	for _, more := range [][]string{{"-set", "mode=5"}, {"-set", "mode=5", "-reset", "!reset_n"}, {"-set", "mode=6"}} {
		code, out, messages := etch(append(args[:len(args):len(args)], more...)...)
		require.Equal(t, 0, code, messages)
		var doc struct {
			Rows []struct {
				Design, Engine, Checksum string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(out), &doc))
		for _, r := range doc.Rows {
			require.Equal(t, "spin", r.Design)
			sums[r.Checksum] = true
		}
		require.NotEmpty(t, doc.Rows)
	}
	require.Len(t, sums, 2) // the reset was found by its name; the mode counts
	for want, more := range map[string][]string{
		"-top is missing":                         {"-top", ""},
		"-design and -verilog or -firrtl exclude": {"-design", "rv32i"},
		"no input x of one bit":                   {"-reset", "x"},
		"no input gone":                           {"-set", "gone=1"},
		"is not a number":                         {"-set", "mode=what"},
		"there is no module none":                 {"-top", "none"},
	} {
		code, _, messages := etch(append(args[:len(args):len(args)], more...)...)
		require.NotZero(t, code, want)
		require.Contains(t, messages, want)
	}
}
