package rival_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/bench/rival"
	"etch/ir"
	"etch/ir/bits"
	"etch/testbench/tools"
)

// The program that the made-up compiler links: as GSIM it writes a header, as a model it prints
// a line.
const gsimProgram = `#!/bin/sh
PATH=/bin:/usr/bin
case "$1" in
--version) echo GSIM master-0123456789abcdef;;
[0-9]*) echo text of the design; echo 00000000000000ff 0.5 0.75 0000000000000011;;
*) printf 'class Stop {\nuint8_t ram$words[4][2]; // width = 8, lineno = 1\nvoid set_reset(uint8_t val);\nvoid resetAll();\nuint8_t get_io$$a();\n};\n' > top.h; echo > top0.cpp;;
esac`

// gsimTools are a made-up GSIM and its compiler.
func gsimTools(t *testing.T, b *bin) {
	program := filepath.Join(b.dir, "gsim")
	require.NoError(t, os.WriteFile(program, []byte(gsimProgram), 0o755))
	b.tool("clang++-19", `for a; do
  case $a in
  *.o|model) [ "$last" != -o ] || cp "`+program+`" $a;;
  driver.cpp) cp driver.cpp "`+b.dir+`";;
  esac
  last=$a
done`)
	t.Setenv("ETCH_GSIM", program)
}

func TestFindGSIM(t *testing.T) {
	b := newBin(t)
	t.Setenv("ETCH_GSIM", "")
	_, err := rival.FindGSIM()
	require.EqualError(t, err, "gsim not found: set ETCH_GSIM to its program (github.com/OpenXiangShan/gsim)")
	t.Setenv("ETCH_GSIM", filepath.Join(b.dir, "none"))
	_, err = rival.FindGSIM()
	require.ErrorContains(t, err, "gsim: ETCH_GSIM: ")

	gsimTools(t, b)
	g, err := rival.FindGSIM()
	require.NoError(t, err)
	require.Equal(t, "clang++ 1.2", g.Compiler.String())
	require.Equal(t, "0123456", g.Version)

	require.NoError(t, os.Remove(filepath.Join(b.dir, "clang++-19")))
	_, err = rival.FindGSIM()
	require.ErrorIs(t, err, tools.ErrNotFound)
}

// core is a core for the made-up GSIM.
func core(t *testing.T) *rival.Core {
	file := filepath.Join(t.TempDir(), "top.fir")
	require.NoError(t, os.WriteFile(file, []byte("circuit"), 0o666))
	top := ir.NewModule("top", ir.NewSources())
	top.AddInput("reset", 1, 0, 0)
	top.AddOutput("io_a", 5, 0, ir.None, 0)
	mem := &ir.Memory{Name: "words", Width: 16, Depth: 4, Init: []bits.Value{bits.New(16, 0x1234), bits.New(16, 0x5678)}}
	return &rival.Core{File: file, Top: top, High: []string{"reset", "unused"}, Hold: 3, Memories: []rival.CoreMemory{{Path: "ram.words", Mem: mem}}}
}

// A core's model is built once; the driver has its ports and memories by GSIM's names.
func TestBuildGSIM(t *testing.T) {
	b := newBin(t)
	gsimTools(t, b)
	g, err := rival.FindGSIM()
	require.NoError(t, err)
	c := core(t)
	for round := range 2 {
		require.Equal(t, round > 0, g.Has(c))
		m, err := g.Build(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, round > 0, m.Cached)
		require.Equal(t, g.Version+", clang++ 1.2", m.String())
		r, err := m.Run(t.Context(), 100)
		require.NoError(t, err)
		require.Equal(t, rival.Result{Cycles: 100, Sum: 255, Seconds: 0.5, Wall: 0.75, Memory: 17}, r)
	}
	require.Len(t, b.cached(), 1)

	driver, err := os.ReadFile(filepath.Join(b.dir, "driver.cpp"))
	require.NoError(t, err)
	for _, want := range []string{
		"acc = folded<5>(acc, top->get_io$$a());", "top->set_reset(on);", "hold = 3;",
		"fill<8, 2>(&top->ram$words[0][0], contents0, contents0_end);", "hashed<8, 2>(hash, &top->ram$words[0][0], 4ull);",
	} {
		require.Contains(t, string(driver), want)
	}

	// Another memory is another model.
	c.Memories[0].Mem.Init = nil
	require.False(t, g.Has(c))
}

func TestBuildGSIMFails(t *testing.T) {
	for _, x := range []struct {
		change func(c *rival.Core)
		want   string
	}{
		{func(c *rival.Core) { c.Top.AddOutput("gone", 1, 0, ir.None, 0) }, "gsim has no output gone"},
		{func(c *rival.Core) { c.Memories[0].Path = "ram.other" }, "gsim has no memory ram$other"},
		{func(c *rival.Core) { c.Memories[0].Mem.Depth = 5 }, "gsim's memory ram$words has 4 words of 16 bits in place of 5 of 16"},
		{func(c *rival.Core) { c.File = "none.fir" }, "none.fir"},
	} {
		b := newBin(t)
		gsimTools(t, b)
		g, err := rival.FindGSIM()
		require.NoError(t, err)
		c := core(t)
		x.change(c)
		_, err = g.Build(t.Context(), c)
		require.ErrorContains(t, err, x.want)
		require.NotContains(t, err.Error(), "\n")
		require.Empty(t, b.cached())
	}
}
