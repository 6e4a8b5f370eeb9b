package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// zero makes a file in dir that never ends.
func zero(t *testing.T, dir, name string) string {
	t.Helper()
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("there is no /dev/zero here")
	}
	path := filepath.Join(dir, name)
	require.NoError(t, os.Symlink("/dev/zero", path))
	return path
}

// What never ends is an error of every reader, which names the file.
func TestEndlessInput(t *testing.T) {
	dir := t.TempDir()
	fir, hex := machineFiles(t, "01")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"import", zero(t, dir, "a.fir")}, "a.fir: line 1 has a byte that is 0: this is no text"},
		{[]string{"import", zero(t, dir, "a.etch")}, "a.etch:1:1: the line has more than 67108864 bytes"},
		{[]string{"import", zero(t, dir, "a.v")}, "a.v is not a regular file"},
		{[]string{"import", fir, zero(t, dir, "body.v")}, "body.v is not a regular file"},
		{[]string{"sim", fir, "-cycles", "1", "-mem", "store.words=" + zero(t, dir, "a.hex")}, "a.hex: line 1 has a byte that is 0: this is no text"},
	} {
		code, _, errs := callSim(t, c.args...)
		require.Equal(t, 1, code, c.args)
		require.Contains(t, errs, c.want)
	}

	require.NoError(t, os.Remove(hex))
	annos := zero(t, filepath.Dir(fir), strings.TrimSuffix(filepath.Base(fir), ".fir")+".anno.json")
	code, _, errs := callSim(t, "import", fir)
	require.Equal(t, 1, code)
	require.Contains(t, errs, annos+": line 1 has a byte that is 0: this is no text")

	f, err := os.Open("/dev/zero")
	require.NoError(t, err)
	defer f.Close()
	in, err := CSV(f)
	require.NoError(t, err)
	_, err = in.Read()
	require.ErrorContains(t, err, "line 1 has a byte that is 0")
}

// A message that repeats what was read is short and has nothing in it that would
// steer a terminal.
func TestBoundedMessages(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 8<<20)
	fir, hex := machineFiles(t, "\x1b[31m\xff\x07")
	for name, text := range map[string]string{
		"a.fir":  "circuit T :\n  module T :\n    node a = " + long + "\n",
		"b.fir":  "circuit T :\n  module " + long + " :\n    skip\n",
		"c.fir":  long,
		"d.fir":  "circuit T :\n  module T :\n    node a = `\x1b[31m`\n",
		"e.fir":  "\x1b[31m",
		"a.etch": "etch 1\nfile 0 \"a\"\n" + long + "\n",
		"b.etch": "etch 1\ntop " + long + "\n",
		"c.etch": "etch 1\n\x1b[31m\n",
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		code, out, errs := callSim(t, "import", file, "-o", dir)
		require.Equal(t, 1, code, name)
		require.Less(t, len(out)+len(errs), 5000, name)
		require.Equal(t, -1, strings.IndexAny(errs, "\x1b\x07\xff"), "%s: %q", name, errs)
	}
	code, _, errs := callSim(t, "sim", fir, "-cycles", "1", "-mem", "store.words="+hex)
	require.Equal(t, 1, code)
	require.Contains(t, errs, `line 1: "\x1b[31m\xff\a" is not a number`)
}
