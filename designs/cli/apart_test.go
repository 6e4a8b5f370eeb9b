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

// TestApartFromArguments: an output is none of the files that the arguments name, nor of those that
// memories come from; a design's name is no file.
func TestApartFromArguments(t *testing.T) {
	fir, hex := machineFiles(t, "ff 00")
	link := filepath.Join(t.TempDir(), "run.vcd")
	for _, x := range []struct{ file, want string }{
		{fir, fir + " and -waves are the same file"},
		{hex, hex + " and -waves are the same file"},
	} {
		require.NoError(t, os.Symlink(x.file, link))
		before, err := os.ReadFile(x.file)
		require.NoError(t, err)
		code, _, errs := callSim(t, "sim", "-mem", "store.words="+hex, fir, "-waves", link)
		require.Equal(t, 2, code, errs)
		require.Contains(t, errs, x.want)
		after, err := os.ReadFile(x.file)
		require.NoError(t, err)
		require.Equal(t, before, after)
		require.NoError(t, os.Remove(link))
	}

	// A proof reads several files behind one argument.
	require.NoError(t, os.Symlink(fir, link))
	f := NewFlags("equiv", Output{io.Discard, io.Discard})
	_, err := f.proof().positional(f, []string{"counter", hex + "," + fir, "-o", link}, "A", "B")
	require.ErrorContains(t, err, fir+" and -o are the same file")
}
