package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSimPrune: a pruned run does the same. Its waves lack the register that nothing looks at, unless a
// flag does.
func TestSimPrune(t *testing.T) {
	fir, hex := machineFiles(t, "05 0a 0b ff 00")
	idle := strings.Replace(machine, "    store.clock <= clock\n", "    reg idle : UInt<8>, clock\n    idle <= sum\n    store.clock <= clock\n", 1)
	require.NoError(t, os.WriteFile(fir, []byte(idle), 0o666))
	vcd := filepath.Join(t.TempDir(), "w.vcd")
	run := func(more ...string) (out, errs, waves string) {
		args := append([]string{"sim", fir, "-mem", "store.words=" + hex, "-print", "sum", "-print", "store.words[1:2]", "-waves", vcd}, more...)
		code, out, errs := callSim(t, args...)
		require.Zero(t, code, errs)
		text, err := os.ReadFile(vcd)
		require.NoError(t, err)
		return out, errs, string(text)
	}

	whole, _, waves := run()
	require.Contains(t, waves, " idle ")
	require.Contains(t, whole, "sum = 26\nstore.words[1] = 10\nstore.words[2] = 11\n")

	out, errs, waves := run("-prune", "-until", "io_sum=255")
	require.Equal(t, whole, out)
	require.Contains(t, errs, "stop(0) in cycle 5")
	require.NotContains(t, waves, " idle ")

	out, _, waves = run("-prune", "-print", "idle")
	require.Equal(t, whole+"idle = 26\n", out)
	require.Contains(t, waves, " idle ")

	code, _, errs := callSim(t, "sim", fir, "-prune", "-print", "idl")
	require.Equal(t, 2, code)
	require.Contains(t, errs, `no signal "idl"`)
}
