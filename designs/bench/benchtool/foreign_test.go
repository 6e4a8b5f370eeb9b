package benchtool

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/testbench/tools"
)

const foreignVerilog = `module spin #(parameter STEP = 1) (input clk, input reset_n, input [3:0] mode, output reg [70:0] x, output carry);
  assign carry = x[70] ^ mode[0];
  always @(posedge clk) if (!reset_n) x <= 1; else x <= {x[69:0], x[70] ^ x[3]} + STEP + mode;
endmodule
`

// A user's own Verilog is measured as the designs are; all engines agree on it.
func TestForeign(t *testing.T) {
	yosys := tools.Need(t, "yosys")[0]
	require.NoError(t, os.Symlink(yosys.Path, filepath.Join(rivalless(t), "yosys")))
	file := filepath.Join(t.TempDir(), "spin.v")
	require.NoError(t, os.WriteFile(file, []byte(foreignVerilog), 0o666))
	args := []string{"bench", "-verilog", file, "-top", "spin", "-param", "STEP=3", "-json", "-cycles", "500"}
	sums := map[string]bool{}
	for _, more := range [][]string{{"-set", "mode=5"}, {"-set", "mode=5", "-reset-inputs", "!reset_n"}, {"-set", "mode=6"}} {
		code, out, messages := etch(append(args[:len(args):len(args)], more...)...)
		require.Equal(t, 0, code, messages)
		var doc struct {
			Rows []struct {
				Design, Engine, Checksum string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(out), &doc))
		for _, r := range doc.Rows {
			require.Equal(t, "spin", r.Design)
			sums[r.Checksum] = true
		}
		require.NotEmpty(t, doc.Rows)
	}
	require.Len(t, sums, 2) // the reset was found by its name; the mode counts
	for want, more := range map[string][]string{
		"-top is missing":                         {"-top", ""},
		"-design and -verilog or -firrtl exclude": {"-design", "rv32i"},
		"no input x of one bit":                   {"-reset-inputs", "x"},
		"no input gone":                           {"-set", "gone=1"},
		"is not a number":                         {"-set", "mode=what"},
		"there is no module none":                 {"-top", "none"},
	} {
		code, _, messages := etch(append(args[:len(args):len(args)], more...)...)
		require.NotZero(t, code, want)
		require.Contains(t, messages, want)
	}
}

const foreignFIRRTL = `FIRRTL version 4.0.0
circuit walk :
  module store :
    input clock : Clock
    input at : UInt<4>
    output word : UInt<16>
    cmem words : UInt<16>[16]
    infer mport r = words[at], clock
    connect word, r

  public module walk :
    input clock : Clock
    input reset : UInt<1>
    output word : UInt<16>
    regreset at : UInt<4>, clock, reset, UInt<4>(0)
    connect at, tail(add(at, UInt<1>(1)), 1)
    inst s of store
    connect s.clock, clock
    connect s.at, at
    connect word, s.word
`

// A user's own design may take a rival many minutes to build: etch's figure is printed first, stays
// when the build fails, and no model is built where none is wanted.
func TestForeignFigureFirst(t *testing.T) {
	rivalSaying(t, "no sum")
	fir := filepath.Join(t.TempDir(), "walk.fir")
	require.NoError(t, os.WriteFile(fir, []byte(foreignFIRRTL), 0o666))
	args := []string{"bench", "-firrtl", fir, "-cycles", "50", "-engine", "interp"}

	// The build fails: its compiler does nothing.
	require.NoError(t, os.WriteFile(filepath.Join(os.Getenv("PATH"), "make"), []byte("#!/bin/sh\nexit 1\n"), 0o755))
	code, out, messages := etch(args...)
	require.Zero(t, code, messages)
	require.Regexp(t, `(?s)^walk, engine interp: .*cycles/s.*building walk with Verilator`, messages)
	require.Regexp(t, `walk +interp +[0-9]`, out)

	code, out, messages = etch(append(args, "-rival", "none")...)
	require.Zero(t, code, messages)
	require.Empty(t, messages)
	require.Contains(t, out, "not raced (-rival none)")
}

// A user's own FIRRTL is measured with its memories filled from a hex file or from raw bytes.
func TestForeignFIRRTL(t *testing.T) {
	rivalless(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		return file
	}
	fir := write("walk.fir", foreignFIRRTL)
	hex, bin, other := write("a.hex", "6261 6463 6665"), write("a.bin", "abcdef"), write("b.bin", "abcdeg")
	sum := func(args ...string) string {
		code, out, messages := etch(append([]string{"bench", "-firrtl", fir, "-json", "-cycles", "50", "-engine", "interp"}, args...)...)
		require.Equal(t, 0, code, messages)
		var doc struct {
			Rows []struct{ Design, Checksum string }
		}
		require.NoError(t, json.Unmarshal([]byte(out), &doc))
		require.Equal(t, "walk", doc.Rows[0].Design)
		return doc.Rows[0].Checksum
	}
	require.Equal(t, sum("-mem", "s.words="+hex), sum("-mem", "s.words="+bin))
	require.NotEqual(t, sum("-mem", "s.words="+bin), sum("-mem", "s.words="+other))
	require.NotEqual(t, sum("-mem", "s.words="+bin), sum("-mem", "s.words="+bin, "-hold", "3"), "resets stay high")
	require.Equal(t, sum("-mem", "s.words="+bin), sum("-mem", "s.words="+bin, "-statements=false"))

	for _, x := range []struct{ args, want string }{
		{"-firrtl " + fir + " -mem words=" + hex, "memory words: module walk has no memory words"},
		{"-firrtl " + fir + " -mem t.words=" + hex, "module walk has no instance t"},
		{"-firrtl " + fir + " -mem s.words=" + fir, "walk.fir, for memory words of 16 words of 16 bits: line 1"},
		{"-firrtl " + fir + " -verilog a.v", "exclude each other"},
		{"-firrtl " + fir + " -hold 256", "at most 255"},
		{"-verilog a.v -top a -mem a=b", "-mem goes with -firrtl"},
		{"-verilog a.v -top a -gsim-args b", "-gsim-args goes with -firrtl"},
		{"-verilog a.v -top a -statements=false", "-statements=false goes with -firrtl"},
	} {
		code, _, messages := etch(append([]string{"bench"}, strings.Fields(x.args)...)...)
		require.NotEqual(t, 0, code)
		require.Contains(t, messages, x.want)
		require.Equal(t, 1, strings.Count(messages, "\n"), messages)
	}
}

// TestForeignGSIM: GSIM runs the same cycles as etch, with the same outputs and memories. The
// design has registers of four kinds of reset and outputs that show a shift by one cycle, a bundle,
// and a memory in two instances.
func TestForeignGSIM(t *testing.T) {
	if os.Getenv("ETCH_GSIM") == "" {
		t.Skip("GSIM is not kept here: set ETCH_GSIM to its program")
	}
	tools.Need(t, "clang++-19")
	t.Setenv("ETCH_CACHE", t.TempDir()) // no model of an earlier driver
	dir := t.TempDir()
	fir, bin := filepath.Join(dir, "walk.fir"), filepath.Join(dir, "a.bin")
	require.NoError(t, os.WriteFile(fir, []byte(gsimFIRRTL), 0o666))
	require.NoError(t, os.WriteFile(bin, []byte("abcdefghijkl"), 0o666))
	for _, hold := range []string{"0", "1", "7"} {
		code, out, messages := etch("bench", "-firrtl", fir, "-mem", "s.words="+bin, "-set", "by=5", "-hold", hold, "-rival", "gsim", "-engine", "interp,native", "-cycles", "500", "-json")
		require.Zero(t, code, messages)
		rows := rowsOf(t, out)
		require.Len(t, rows, 2)
		for _, r := range rows {
			require.NotNil(t, r["gsim_cycles_per_s"], "%v", r["gsim"])
			require.NotEmpty(t, r["memory"])
			require.Contains(t, r["gsim"], "clang++ 19")
		}
	}
}

const gsimFIRRTL = `FIRRTL version 4.0.0
circuit walk :
  module store :
    input clock : Clock
    input at : UInt<4>
    input data : UInt<16>
    input we : UInt<1>
    output word : UInt<16>
    cmem words : UInt<16>[12]
    infer mport r = words[mux(lt(at, UInt<4>(12)), at, UInt<4>(0))], clock
    connect word, r
    when and(we, lt(at, UInt<4>(12))) :
      infer mport w = words[at], clock
      connect w, data

  public module walk :
    input clock : Clock
    input reset : UInt<1>
    input by : UInt<8>
    output io : { word : UInt<16>, wide : SInt<80> }
    output other : UInt<16>
    output at_out : UInt<4>
    output resetting : UInt<1>
    output counts : UInt<16>
    regreset at : UInt<4>, clock, reset, UInt<4>(0)
    connect at, tail(add(at, UInt<1>(1)), 1)
    regreset wide : UInt<80>, clock, reset, UInt<80>(1)
    connect wide, tail(add(wide, cat(bits(wide, 71, 0), by)), 1)
    node again = or(reset, eq(at, UInt<4>(7)))
    regreset seven : UInt<8>, clock, again, UInt<8>(3)
    connect seven, tail(add(seven, UInt<8>(1)), 1)
    reg plain : UInt<8>, clock
    connect plain, tail(add(plain, UInt<8>(5)), 1)
    when reset :
      connect plain, UInt<8>(2)
    connect counts, cat(seven, plain)
    connect resetting, reset
    inst u of store
    connect u.clock, clock
    connect u.at, not(at)
    connect u.data, bits(wide, 20, 5)
    connect u.we, bits(wide, 4, 4)
    connect other, u.word
    inst s of store
    connect s.clock, clock
    connect s.at, at
    connect s.data, bits(wide, 15, 0)
    connect s.we, bits(wide, 3, 3)
    connect io.word, s.word
    connect io.wide, asSInt(wide)
    connect at_out, at
`
