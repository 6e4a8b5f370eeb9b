package dwctool

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/dwc/model"
)

// TestRunWaves: -waves writes the cycles that are asked for.
func TestRunWaves(t *testing.T) {
	path, _ := modelFile(t, model.SAC)
	dir := t.TempDir()
	src, waves := filepath.Join(dir, "obs.csv"), filepath.Join(dir, "act.vcd")
	require.NoError(t, os.WriteFile(src, []byte("obs_0,obs_1\n1,2\n3,4\n5,6\n"), 0o644))
	code, _, errs := command(t, Run, "-p", "model="+path, "-codes", "-in", src, "-out", filepath.Join(dir, "act.csv"),
		"-waves", waves, "-waves-cycles", "2:4")
	require.Zero(t, code, errs)
	text, err := os.ReadFile(waves)
	require.NoError(t, err)
	require.Contains(t, string(text), " act_0 ")
	require.Contains(t, string(text), "\n#20\n$dumpvars\n")
	require.NotContains(t, string(text), "\n#45\n")
}
