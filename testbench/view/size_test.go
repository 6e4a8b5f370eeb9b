package view

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page is small: its script has at most 60 kB, and all that the binary embeds 600 kB, compressed.
func TestAssetSizes(t *testing.T) {
	sum := 0
	require.NoError(t, fs.WalkDir(assets, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := assets.ReadFile(path)
		require.NoError(t, err)
		if path == "assets/view.js" {
			require.LessOrEqual(t, len(text), 60_000)
		}

		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, err = w.Write(text)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		t.Logf("%s: %d bytes, %d compressed", path, len(text), b.Len())
		sum += b.Len()
		return nil
	}))
	t.Logf("all: %d bytes compressed", sum)
	require.LessOrEqual(t, sum, 600_000)
}
