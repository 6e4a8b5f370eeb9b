package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTerminal: neither a file nor a pipe nor a device that swallows or makes bytes is a terminal.
func TestTerminal(t *testing.T) {
	require.False(t, Terminal(nil))
	require.False(t, Terminal((*os.File)(nil)))
	require.False(t, Terminal(&bytes.Buffer{}))
	for _, name := range []string{os.DevNull, filepath.Join(t.TempDir(), "file")} {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		require.NoError(t, err)
		require.False(t, terminal(f), name)
		require.False(t, characterDevice(f), name)
		require.NoError(t, f.Close())
		require.False(t, terminal(f), "%s, closed", name)
	}
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	require.False(t, terminal(w))
}

// TestPaint: carets and the words error and warning have colours; other text has none.
func TestPaint(t *testing.T) {
	for text, want := range map[string]string{
		"a.go:5: Add: widths [width]\n\t5 | x := hw.Add(a, b)\n\t  |      ^\n\tb has 3": "a.go:5: Add: widths [width]\n\t5 | x := hw.Add(a, b)\n\t  |      " +
			boldGreen + "^" + plainAgain + "\n\tb has 3",
		"   ^~~~":                    "   " + boldGreen + "^~~~" + plainAgain,
		"x ^ y":                      "x ^ y",
		"a.v:3: error: no such name": "a.v:3: " + boldRed + "error" + plainAgain + ": no such name",
		"uart: 2 warnings; hw":       "uart: " + boldYellow + "2 warnings" + plainAgain + "; hw",
		"signal error is wide":       "signal error is wide",
	} {
		require.Equal(t, want, paint(text))
		require.Equal(t, text, painted(&bytes.Buffer{}, text), "no terminal")
	}
}
