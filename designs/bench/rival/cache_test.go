package rival

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What was used longest ago goes first, and builds that were left behind go.
func TestPrune(t *testing.T) {
	dir := t.TempDir()
	for i := range 4 {
		place := filepath.Join(dir, fmt.Sprint("model", i))
		require.NoError(t, os.Mkdir(place, 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(place, modelFile), make([]byte, 1000), 0o666))
		at := time.Now().Add(-time.Duration(10-i) * time.Hour)
		require.NoError(t, os.Chtimes(place, at, at))
	}
	old, young := filepath.Join(dir, "build-1"), filepath.Join(dir, "build-2")
	require.NoError(t, os.Mkdir(old, 0o777))
	require.NoError(t, os.Mkdir(young, 0o777))
	at := time.Now().Add(-2 * staleBuild)
	require.NoError(t, os.Chtimes(old, at, at))

	(&Model{}).find(filepath.Join(dir, "model0")) // without its time it is no model, and not used
	prune(dir, 2500)
	var left []string
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	require.Equal(t, []string{"build-2", "model2", "model3"}, left)
}

func TestGist(t *testing.T) {
	for out, want := range map[string]string{
		"":                                "no output",
		"a\nb\n\n":                        "b",
		"make: x\n  y.cpp:3: Error: q\nz": "y.cpp:3: Error: q",
	} {
		require.Equal(t, want, gist(out))
	}
}
