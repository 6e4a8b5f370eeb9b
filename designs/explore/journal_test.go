package explore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func result(subject string) Record {
	return Record{Measure: "m", Tool: "t", Subject: subject, Design: "d", Values: map[string]string{"k": "1"}, Results: map[string]float64{"lut": 1}}
}

// write fills a journal by hand.
func write(t *testing.T, text string) (dir string) {
	dir = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, JournalName), []byte(text), 0o666))
	return dir
}

const goodLine = `{"measure":"m","tool":"t","subject":"a","design":"d","values":{},"results":{"lut":1},"seconds":0}` + "\n"

// A line that a kill tore is dropped, wherever it was torn, and the next one is whole.
func TestTornLine(t *testing.T) {
	for n := range len(goodLine) {
		dir := write(t, goodLine+strings.Replace(goodLine, `"a"`, `"b"`, 1)[:n])
		j, err := OpenJournal(dir)
		require.NoError(t, err)
		require.Equal(t, 1, j.Len())
		require.NoError(t, j.Append(result("c")))
		require.NoError(t, j.Close())
		j = open(t, dir)
		require.Equal(t, 2, j.Len())
	}
}

// Other lines that make no sense are errors with their number, and the file stays.
func TestBrokenJournal(t *testing.T) {
	for text, want := range map[string]string{
		"rubbish\n":            "results.jsonl:1: no result",
		goodLine + "{}\n":      "results.jsonl:2: a result without measure",
		goodLine + "{\n" + "x": "results.jsonl:2:",
		strings.Replace(goodLine, `{"lut":1}`, `{}`, 1):  ":1: a result has numbers or an error",
		strings.Replace(goodLine, `"a"`, `"a","x":1`, 1): `unknown field "x"`,
		strings.Replace(goodLine, "\n", goodLine, 1):     "more than a result in a line",
		strings.Replace(goodLine, `1}`, `1e999}`, 1):     "cannot unmarshal",
		strings.Repeat(" ", maxLine+1) + "\n":            "a line of more than",
		strings.Replace(goodLine, `ds":0`, `ds":-1`, 1):  "-1 seconds",
		strings.Replace(goodLine, `"m"`, `"m`+"\x00", 1): "no result",
	} {
		dir := write(t, text)
		_, err := OpenJournal(dir)
		require.ErrorContains(t, err, want)
		after, err := os.ReadFile(filepath.Join(dir, JournalName))
		require.NoError(t, err)
		require.Equal(t, text, string(after))
	}
	dir := t.TempDir()
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, JournalName)))
	_, err := OpenJournal(dir)
	require.ErrorContains(t, err, "is no regular file")
}

// A folder has one process at a time, and is free when that ends.
func TestTwoAskers(t *testing.T) {
	dir := t.TempDir()
	j, err := OpenJournal(dir)
	require.NoError(t, err)
	_, err = OpenJournal(dir)
	require.ErrorContains(t, err, "another process explores in "+dir)
	require.NoError(t, j.Close())
	open(t, dir)
}

// full is a disk that takes some more bytes.
type full struct {
	*os.File
	left int
}

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.left {
		n, _ := f.File.Write(p[:f.left])
		f.left = 0
		return n, syscall.ENOSPC
	}
	f.left -= len(p)
	return f.File.Write(p)
}

// A full disk is an error that says so; the journal ends with a complete line, and goes
// on when there is space.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	j, err := OpenJournal(dir)
	require.NoError(t, err)
	require.NoError(t, j.Append(result("a")))
	f := &full{j.file.(*os.File), 30}
	j.file = f
	err = j.Append(result("b"))
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.ErrorContains(t, err, "results.jsonl: no space left on device; the 1 results before this one are kept")
	f.left = 1 << 20
	require.True(t, errors.Is(j.Append(result("c")), syscall.ENOSPC), "it takes no more")
	require.NoError(t, j.Close())
	text, err := os.ReadFile(filepath.Join(dir, JournalName))
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), "\n"))
	require.True(t, strings.HasSuffix(string(text), "\n"))
	require.Equal(t, 1, open(t, dir).Len())
}

// A journal of any bytes is read or refused, never a panic, and what it holds is valid.
func FuzzJournal(f *testing.F) {
	f.Add(goodLine)
	f.Add(goodLine + goodLine[:20])
	f.Add("{}\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := write(t, text)
		j, err := OpenJournal(dir)
		if err != nil {
			return
		}
		defer j.Close()
		for k, r := range j.known {
			require.Equal(t, k, r.Key())
			require.NotEqual(t, r.Error == "", len(r.Results) == 0, "numbers or an error")
		}
	})
}
