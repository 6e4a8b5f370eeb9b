package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEquivAndProve(t *testing.T) {
	a := app()
	a.Commands = []Command{EquivCommand, ProveCommand}
	call := func(args ...string) (int, string, string) {
		var o, e bytes.Buffer
		code := a.Run(args, Output{&o, &e})
		return code, o.String(), e.String()
	}
	dir := t.TempDir()
	code, _, errs := call("export", "counter", "-o", dir)
	require.Zero(t, code, errs)
	file := filepath.Join(dir, "counter.etch")
	text, err := os.ReadFile(file)
	require.NoError(t, err)

	code, out, errs := call("equiv", "counter", file)
	require.Zero(t, code, errs)
	require.Contains(t, out, "equal: holds, by induction")

	wrong := filepath.Join(dir, "wrong.etch")
	require.NoError(t, os.WriteFile(wrong, []byte(strings.Replace(string(text), "= add ", "= sub ", 1)), 0o666))
	code, out, errs = call("equiv", "counter", wrong, "-o", filepath.Join(dir, "run.vcd"))
	require.Equal(t, 1, code)
	require.Contains(t, out, "count differs in cycle 1 (after 1 of reset): a has 8'h1, b has 8'hff")
	require.Contains(t, errs, "demo equiv: not equal")
	_, err = os.Stat(filepath.Join(dir, "run.vcd"))
	require.NoError(t, err)

	code, _, errs = call("equiv", "counter")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "B is missing")
	code, _, errs = call("equiv", "counter", "uart")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "the ports of counter (a) and tx (b) do not match")
	code, _, errs = call("prove", "counter")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "counter has no assertions")

	asserted := strings.TrimSuffix(strings.TrimSpace(string(text)), "}") + "  assert small clk %3 cond %1 format \"en is low\"\n}\n"
	require.NoError(t, os.WriteFile(wrong, []byte(asserted), 0o666))
	code, out, errs = call("prove", wrong)
	require.Equal(t, 1, code, out+errs)
	require.Contains(t, out, "en is low", errs)
	require.Contains(t, errs, "demo prove: not proved")
}
