package dump_test

import (
	"os"
	"path/filepath"
	"testing"

	"etch/ir"
	"etch/sim"
	"etch/sim/dump"

	"github.com/stretchr/testify/require"
)

func TestCreate(t *testing.T) {
	m := ir.NewModule("wire", ir.NewSources())
	m.AddOutput("out", 1, 0, m.AddInput("in", 1, 0, 0), 0)
	s, err := sim.New(&ir.Design{Top: m, Modules: []*ir.Module{m}, Src: m.Src})
	require.NoError(t, err)
	for name, begin := range map[string]string{"a.vcd": "$version", "b.fst": "\x00\x00\x00\x00\x00\x00\x00\x01\x49", "c.VCD": "$version"} {
		path := filepath.Join(t.TempDir(), name)
		w, err := dump.Create(path)
		require.NoError(t, err)
		require.NoError(t, s.Trace(w))
		require.NoError(t, w.Close())
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, begin, string(b[:len(begin)]))
	}
	for _, name := range []string{"a", "a.txt", "fst"} {
		_, err := dump.Create(name)
		require.EqualError(t, err, "dump: the name of the file "+name+" does not end in .vcd or .fst")
	}
	w, err := dump.Create(filepath.Join(t.TempDir(), "no", "a.fst"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.Nil(t, w)
	for _, name := range []string{"a.vcd", "a.fst"} {
		w, err := dump.Create(filepath.Join(t.TempDir(), name))
		require.NoError(t, err)
		require.ErrorIs(t, w.Close(), dump.ErrNothing)
	}
}
