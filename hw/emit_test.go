package hw

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Nodes are added in emit.go alone.
func TestEmissionInOneFile(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	adds := regexp.MustCompile(`\bm\.(Add|Const)\(`)
	require.Len(t, adds.FindAllString("b.m.Add(n); m.Const(v, 0); m.AddInput(p)", -1), 2)

	for _, f := range files {
		if f == "emit.go" || strings.HasSuffix(f, "_test.go") {
			continue
		}
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		require.Empty(t, adds.FindAllString(string(text), -1), "%s adds nodes: emit.go does", f)
	}
}
