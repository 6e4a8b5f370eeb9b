package cosim

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/testbench/tools"
)

func TestCached(t *testing.T) {
	dir, built := t.TempDir(), 0
	build := func(in string) error {
		built++
		return os.WriteFile(filepath.Join(in, modelFile), []byte("model"), 0o777)
	}
	for range 3 {
		model, err := cached(dir, "one", build)
		require.NoError(t, err)
		require.FileExists(t, model)
	}
	require.Equal(t, 1, built)

	_, err := cached(dir, "two", func(string) error { return errors.New("no compiler") })
	require.EqualError(t, err, "no compiler")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "a build left something behind")
}

// What was used last stays.
func TestPrune(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	for i, name := range []string{"a", "b", "c", "d"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, make([]byte, 100), 0o666))
		require.NoError(t, os.Chtimes(path, now, now.Add(time.Duration(i-10)*time.Minute)))
	}
	_, err := cached(dir, "a", nil) // used
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "build-new"), 0o777))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "build-old"), 0o777))
	old := now.Add(-2 * staleBuild)
	require.NoError(t, os.Chtimes(filepath.Join(dir, "build-old"), old, old))
	prune(dir, 250)
	var left []string
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	require.Equal(t, []string{"a", "build-new", "d"}, left)
	prune(filepath.Join(dir, "none"), 1)
}

// Anything that a build depends on changes the key.
func TestKey(t *testing.T) {
	box := filepath.Join(t.TempDir(), "box.v")
	write := func(text string) { require.NoError(t, os.WriteFile(box, []byte(text), 0o666)) }
	write("1")
	k := &kit{tools: []tools.Tool{{Path: os.Args[0]}}}
	seen := map[string]bool{}
	fresh := func(what string, flags []string, s *sources) {
		key, err := k.key(what, flags, s)
		require.NoError(t, err)
		again, err := k.key(what, flags, s)
		require.NoError(t, err)
		require.Equal(t, key, again)
		require.False(t, seen[key])
		seen[key] = true
	}
	s := &sources{files: []file{{Name: "design.v", Data: []byte("a")}}, extern: []string{box}}
	fresh("x", nil, s)
	fresh("y", nil, s)
	fresh("x", []string{"-O1"}, s)
	s.files[0].Data = []byte("b")
	fresh("x", nil, s)
	write("2")
	fresh("x", nil, s)
	s.data = []file{{Name: "mem.hex"}} // read when the model runs
	_, err := k.key("x", nil, s)
	require.NoError(t, err)
	s.extern = []string{"gone.v"}
	_, err = k.key("x", nil, s)
	require.Error(t, err)
	k.tools[0].Path = "gone"
	_, err = k.key("x", nil, nil)
	require.Error(t, err)
}
