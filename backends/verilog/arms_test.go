package verilog_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/passes"
)

// TestArmLines: each line of the newcomer's SPI master with a Set is at the end of a
// line of its Verilog, before and after the passes.
func TestArmLines(t *testing.T) {
	const file = "styles_spi_test.go"
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, nil, 0)
	require.NoError(t, err)
	lines := 0
	d, err := styles["spi"]()
	require.NoError(t, err)
	plain, err := verilog.Text(d, verilog.Options{})
	require.NoError(t, err)
	small, err := verilog.Text(passes.Optimize(d, passes.Options{}), verilog.Options{})
	require.NoError(t, err)
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Set" {
			lines++
			at := file + ":" + strconv.Itoa(set.Position(sel.Sel.Pos()).Line)
			if x, ok := call.Args[0].(*ast.Ident); ok && void[x.Name] != "" {
				t.Logf("%s: %s", at, void[x.Name])
				return true
			}
			require.True(t, strings.Contains(string(plain), at), "%s is nowhere in\n%s", at, plain)
			require.True(t, strings.Contains(string(small), at), "%s is nowhere in\n%s", at, small)
		}
		return true
	})
	require.Greater(t, lines, 15)
}

// void are the values that outputs are set to without a trace in the text, with the
// reason.
var void = map[string]string{
	"busy": "the register is the output",
	"done": "the register is the output",
	"sclk": "the register is the output",
}
