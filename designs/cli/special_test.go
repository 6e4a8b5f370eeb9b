//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWriteFilesKeepsSpecials: a FIFO takes the text itself, a symbolic link leads to it, and
// neither is replaced by a regular file.
func TestWriteFilesKeepsSpecials(t *testing.T) {
	dir := t.TempDir()
	fifo, link, dangling, there := filepath.Join(dir, "fifo"), filepath.Join(dir, "link"), filepath.Join(dir, "dangling"), filepath.Join(dir, "sub", "there")
	require.NoError(t, syscall.Mkfifo(fifo, 0o666))
	require.NoError(t, os.Mkdir(filepath.Dir(there), 0o777))
	require.NoError(t, os.WriteFile(there, []byte("old"), 0o666))
	require.NoError(t, os.Symlink("sub/there", link))
	require.NoError(t, os.Symlink("sub/new", dangling))
	for _, path := range []string{fifo, link, dangling} {
		require.NoError(t, Writable(path))
	}

	// Opened for both directions, a FIFO waits for nobody.
	read, err := os.OpenFile(fifo, os.O_RDWR, 0)
	require.NoError(t, err)
	defer read.Close()
	require.NoError(t, WriteFiles(dir, File{"fifo", []byte("f")}, File{"link", []byte("l")}, File{"dangling", []byte("d")}))
	is := func(path string) os.FileMode {
		info, err := os.Lstat(path)
		require.NoError(t, err)
		return info.Mode().Type()
	}
	require.Equal(t, os.ModeNamedPipe, is(fifo))
	text := make([]byte, 9)
	n, err := read.Read(text)
	require.NoError(t, err)
	require.Equal(t, "f", string(text[:n]))
	for path, want := range map[string]string{link: "l", dangling: "d"} {
		require.Equal(t, os.ModeSymlink, is(path))
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
	require.Equal(t, map[string]string{"there": "l", "new": "d"}, contents(t, filepath.Dir(there)))

	// A device is neither replaced nor does its failure leave others changed.
	before := is(there)
	require.NoError(t, os.Remove(fifo))
	require.NoError(t, os.Symlink("fifo", fifo)) // a loop
	require.Error(t, WriteFiles(dir, File{"link", []byte("x")}, File{"fifo", nil}))
	require.Equal(t, before, is(there))
	require.Equal(t, map[string]string{"there": "l", "new": "d"}, contents(t, filepath.Dir(there)))
}

// TestDashIsNoFile: - is refused where a file is wanted.
func TestDashIsNoFile(t *testing.T) {
	require.ErrorContains(t, Writable("-"), "/dev/stdout")
	require.ErrorContains(t, WritableIn("-", "x"), "/dev/stdout")
}
