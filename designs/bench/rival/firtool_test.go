package rival_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/bench/rival"
	"etch/ir"
	"etch/ir/bits"
	"etch/testbench/tools"
)

// TestCoreVerilog: firtool's Verilog of a core fills its memory from a file that lies beside it.
func TestCoreVerilog(t *testing.T) {
	tools.Need(t, "firtool")
	file := filepath.Join(t.TempDir(), "store.fir")
	require.NoError(t, os.WriteFile(file, []byte(`FIRRTL version 4.0.0
circuit store :
  public module store :
    input clock : Clock
    input at : UInt<2>
    output word : UInt<16>
    inst shelf of shelf
    connect shelf.clock, clock
    connect shelf.at, at
    connect word, shelf.word
  module shelf :
    input clock : Clock
    input at : UInt<2>
    output word : UInt<16>
    cmem words : UInt<16>[4]
    infer mport r = words[at], clock
    connect word, r
`), 0o666))
	mem := &ir.Memory{Name: "words", Width: 16, Depth: 4, Init: []bits.Value{bits.New(16, 0x12), bits.New(16, 0x5678)}}
	c := &rival.Core{File: file, Circuit: "store", Memories: []rival.CoreMemory{{Path: "shelf.words", Mem: mem}}}

	for range 2 { // made, and found
		verilog, err := c.Verilog(t.Context())
		require.NoError(t, err)
		text, err := os.ReadFile(verilog)
		require.NoError(t, err)
		contents := regexp.MustCompile(`\$readmemh\("(.*)",\s*Memory\)`).FindSubmatch(text)
		require.NotNil(t, contents, "%s", text)
		words, err := os.ReadFile(string(contents[1]))
		require.NoError(t, err)
		require.Equal(t, "12\n5678\n", string(words))
	}

	c.Memories[0].Path = "inner.words"
	_, err := c.Verilog(t.Context())
	require.ErrorContains(t, err, "memory inner.words: module store has no instance inner")
	c.Memories = nil
	require.NoError(t, os.WriteFile(file, []byte("circuit store"), 0o666))
	_, err = c.Verilog(t.Context())
	require.ErrorContains(t, err, "store.fir")
	require.NotContains(t, err.Error(), "\n")
}
