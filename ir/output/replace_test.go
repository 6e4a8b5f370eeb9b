package output

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReplace replaces a file behind a link, fails half-way, and leaves nothing beside it.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	require.NoError(t, os.Symlink("file", link))

	broken := errors.New("broken")
	require.ErrorIs(t, Replace(link, 0o644, func(w io.Writer) error {
		io.WriteString(w, "half")
		return broken
	}), broken)
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "old", string(got))

	require.NoError(t, Replace(link, 0o644, func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return err
	}))
	got, err = os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "new", string(got))
	require.True(t, isLink(link))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2)

	// The error names the file, and not the temporary one.
	missing := filepath.Join(dir, "none", "file")
	var at *os.PathError
	require.ErrorAs(t, Replace(missing, 0o644, func(io.Writer) error { return nil }), &at)
	require.Equal(t, missing, at.Path)
}
