package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// contents is a folder's files, names and texts.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	all := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			text = []byte("folder")
		}
		all[e.Name()] = string(text)
	}
	return all
}

// TestWriteFilesAllOrNone: when one file cannot take its name, those before it give
// theirs back.
func TestWriteFilesAllOrNone(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, WriteFiles(dir, File{"a", []byte("old a")}, File{"c", []byte("old c")}))
	before := contents(t, dir)
	require.Equal(t, map[string]string{"a": "old a", "c": "old c"}, before)
	set := []File{{"a", []byte("new a")}, {"b", []byte("new b")}, {"c", []byte("new c")}}

	defer func() { rename = os.Rename }()
	for _, bad := range []string{"a", "b", "c"} {
		rename = func(from, to string) error {
			if filepath.Base(to) == bad {
				return errors.New("no room for " + bad)
			}
			return os.Rename(from, to)
		}
		require.EqualError(t, WriteFiles(dir, set...), "no room for "+bad)
		require.Equal(t, before, contents(t, dir), "after %s failed", bad)
	}
	rename = os.Rename

	require.NoError(t, os.Mkdir(filepath.Join(dir, "b"), 0o777))
	before["b"] = "folder"
	err := WriteFiles(dir, set...)
	require.ErrorContains(t, err, filepath.Join(dir, "b")+": is a directory")
	require.Equal(t, before, contents(t, dir))

	require.NoError(t, os.Remove(filepath.Join(dir, "b")))
	require.NoError(t, WriteFiles(dir, set...))
	require.Equal(t, map[string]string{"a": "new a", "b": "new b", "c": "new c"}, contents(t, dir))
	for name := range contents(t, dir) {
		require.False(t, strings.HasPrefix(name, "."))
	}
}

// The notes of a diagnostic keep the tab in front; a control character of the input is shown.
func TestMessageKeepsTabs(t *testing.T) {
	require.Equal(t, "a.go:3: x is read nowhere\n\t3 | \\ty\\x01\n\tnote", message(errors.New("a.go:3: x is read nowhere\n\t3 | \ty\x01\n\tnote")))
}
