package cli

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestApart: an output is no input and no other output, under whichever name.
func TestApart(t *testing.T) {
	dir := t.TempDir()
	there, link, sub := filepath.Join(dir, "there"), filepath.Join(dir, "link"), filepath.Join(dir, "sub")
	require.NoError(t, os.WriteFile(there, nil, 0o666))
	require.NoError(t, os.Link(there, link))
	require.NoError(t, os.Symlink(".", sub))

	for _, c := range []struct {
		in, out, waves, want string
	}{
		{there, there, "", "-in and -out are the same file"},
		{there, link, "", "-in and -out are the same file"},
		{there, filepath.Join(sub, "there"), "", "-in and -out are the same file"},
		{there, filepath.Join(dir, "new"), filepath.Join(sub, "new"), "-out and -waves are the same file"},
		{there, filepath.Join(dir, "new"), filepath.Join(dir, "other"), ""},
		{there, os.DevNull, os.DevNull, ""},
		{"", "", "", ""},
	} {
		f := NewFlags("x", Output{io.Discard, io.Discard})
		f.String("in", "", "")
		f.String("out", "", "")
		f.Waves()
		_, err := f.Positional([]string{"-in", c.in, "-out", c.out, "-waves", c.waves})
		require.NoError(t, err)
		err = f.Apart([]string{"in"}, "out", "waves")
		if c.want == "" {
			require.NoError(t, err, "%v", c)
			continue
		}
		var usage *UsageError
		require.ErrorAs(t, err, &usage, "%v", c)
		require.ErrorContains(t, err, c.want)
	}
}
