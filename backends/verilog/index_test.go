package verilog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/ir/text"
)

// TestIndexKeepsItsWidth: sums and products as an index stand in a concatenation, also inside of other
// operations that compute in the width around them; others stand as they are.
func TestIndexKeepsItsWidth(t *testing.T) {
	for node, want := range map[string]string{
		"sub %1 %2":                      "mem[{a - b}]",
		"add %1 %2":                      "mem[{a + b}]",
		"mul %1 %2":                      "mem[{a * b}]",
		"xor %1 %2":                      "mem[a ^ b]",
		"slice %3 at 0":                  "mem[w[2:0]]",
		"mux %4 %1 %2":                   "mem[s ? a : b]",
		"xor %1 %9\n  %9: 3 = add %1 %2": "mem[{a ^ (a + b)}]",
	} {
		src := "etch 1\ntop top\n\nmodule top {\n  input a: 3 = %1\n  input b: 3 = %2\n  input w: 8 = %3\n  input s: 1 bool = %4\n  output z: 4 = %5\n" +
			"  %1 a: 3 = input a\n  %2 b: 3 = input b\n  %3 w: 8 = input w\n  %4 s: 1 bool = input s\n  %5: 4 = memread mem %6\n  %6: 3 = " + node + "\n  memory mem: 8 x 4\n}\n"
		d, err := text.Parse(strings.NewReader(src), "x.etch")
		require.NoError(t, err, node)
		out, err := verilog.Text(d, verilog.Options{})
		require.NoError(t, err, node)
		require.Contains(t, string(out), want, node)
	}
}
