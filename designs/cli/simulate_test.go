package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"etch/designs/examples/rv32i"

	"github.com/stretchr/testify/require"
)

// machine adds the numbers in its program, prints them, and stops with the number
// behind a 255.
const machine = `circuit Machine :
  module Store :
    input clock : Clock
    input addr : UInt<4>
    output data : UInt<8>
    cmem words : UInt<8>[16]
    infer mport r = words[addr], clock
    data <= r
  module Machine :
    input clock : Clock
    input reset : UInt<1>
    input bias : SInt<8>
    output io : { sum : UInt<8> }
    inst store of Store
    reg pc : UInt<4>, clock with : (reset => (reset, UInt<4>(0)))
    reg sum : UInt<8>, clock with : (reset => (reset, UInt<8>(0)))
    reg ending : UInt<1>, clock with : (reset => (reset, UInt<1>(0)))
    store.clock <= clock
    store.addr <= pc
    pc <= add(pc, UInt(1))
    io.sum <= add(sum, asUInt(bias))
    node run = and(not(ending), not(reset))
    when run :
      sum <= add(sum, store.data)
      printf(clock, UInt<1>(1), "add %d\n", store.data)
    when eq(store.data, UInt<8>(255)) :
      ending <= UInt(1)
      sum <= sum
    stop(clock, and(ending, eq(store.data, UInt<8>(0))), 0)
    stop(clock, and(ending, eq(store.data, UInt<8>(3))), 3)
    assert(clock, neq(sum, UInt<8>(77)), UInt<1>(1), "sum is %d", sum) : unlucky
`

func machineFiles(t *testing.T, program string) (fir, hex string) {
	dir := t.TempDir()
	fir, hex = filepath.Join(dir, "machine.fir"), filepath.Join(dir, "program.hex")
	require.NoError(t, os.WriteFile(fir, []byte(machine), 0o666))
	require.NoError(t, os.WriteFile(hex, []byte(program), 0o666))
	return fir, hex
}

func callSim(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	a := App{Name: "etch", Commands: []Command{ImportCommand, SimCommand}}
	code = a.Run(args, Output{&o, &e})
	return code, o.String(), e.String()
}

// A program ends the simulation by its stop, whose code is the command's.
func TestSimRunsProgram(t *testing.T) {
	for _, engine := range []string{"interpreter", "auto", "lockstep"} {
		fir, hex := machineFiles(t, "05 // five\n@1 0a 0b ff 00")
		code, out, errs := callSim(t, "sim", fir, "-mem", "store.words="+hex, "-print", "sum", "-print", "io_sum", "-set", "bias=-1", "-engine", engine)
		require.Equal(t, 0, code, errs)
		require.Equal(t, "add 5\nadd 10\nadd 11\nadd 255\nsum = 26\nio_sum = 25\n", out)
		require.Contains(t, errs, "stop(0) in cycle 5")
		require.Contains(t, errs, "cycles/s")
	}
	fir, hex := machineFiles(t, "ff 03")
	code, _, errs := callSim(t, "sim", "-mem", "store.words="+hex, fir)
	require.Equal(t, 3, code, errs)
	require.Contains(t, errs, "the design stopped with code 3")
	fir, hex = machineFiles(t, "4d 01 02 03")
	code, out, errs := callSim(t, "sim", "-mem", "store.words="+hex, fir)
	require.Equal(t, 1, code, errs)
	require.Equal(t, "add 77\nadd 1\n", out)
	require.Contains(t, errs, "assert unlucky failed in cycle 2: sum is 77")
}

// The netlist that import writes runs as the source does.
func TestImport(t *testing.T) {
	fir, hex := machineFiles(t, "05 0a ff 00")
	dir := t.TempDir()
	code, out, errs := callSim(t, "import", fir, "-o", dir)
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, filepath.Join(dir, "Machine.v")+"\n"+filepath.Join(dir, "Machine.etch")+"\n")
	require.Contains(t, errs, "note: "+fir+":")
	text, err := os.ReadFile(filepath.Join(dir, "Machine.v"))
	require.NoError(t, err)
	require.Contains(t, string(text), "output wire [7:0] io_sum")
	require.Contains(t, string(text), "$finish;")
	_, want, _ := callSim(t, "sim", fir, "-mem", "store.words="+hex, "-print", "sum")
	for _, file := range []string{"Machine.etch", "Machine.fir"} { // until the stop, which came along
		code, got, errs := callSim(t, "sim", filepath.Join(dir, file), "-mem", "store.words="+hex, "-print", "sum")
		require.Equal(t, 0, code, errs)
		require.Equal(t, want, got)
		require.Contains(t, errs, "stop(0) in cycle 4")
	}
}

// A source in the folder that is written to stays as it is.
func TestImportKeepsSource(t *testing.T) {
	dir := t.TempDir()
	fir := filepath.Join(dir, "Machine.fir")
	require.NoError(t, os.WriteFile(fir, []byte(machine), 0o666))
	code, out, errs := callSim(t, "import", fir, "-o", dir)
	require.Equal(t, 0, code, errs)
	require.NotContains(t, out, "Machine.fir")
	text, err := os.ReadFile(fir)
	require.NoError(t, err)
	require.Equal(t, machine, string(text))
}

// Cycles, a value to wait for, and waves.
func TestSimEnds(t *testing.T) {
	fir, hex := machineFiles(t, "01 02 03 04 05")
	waves := filepath.Join(t.TempDir(), "w.vcd")
	code, out, errs := callSim(t, "sim", fir, "-mem", "store.words="+hex, "-cycles", "3", "-print", "sum", "-waves", waves)
	require.Equal(t, 0, code, errs)
	require.Equal(t, "add 1\nadd 2\nadd 3\nsum = 6\n", out)
	text, err := os.ReadFile(waves)
	require.NoError(t, err)
	require.Contains(t, string(text), "io_sum")
	code, out, errs = callSim(t, "sim", fir, "-mem", "store.words="+hex, "-until", "sum=0xa", "-print", "pc")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "add 1\nadd 2\nadd 3\nadd 4\npc = 4\n", out)
}

// Words of memories are printed at the end: one, some, all.
func TestSimPrintsMemory(t *testing.T) {
	fir, hex := machineFiles(t, "\ufeff05 0a ff 00")
	code, out, errs := callSim(t, "sim", fir, "-mem", "store.words="+hex, "-print", "store.words[2]", "-print", "store.words[0x0:1]", "-print", "pc")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "add 5\nadd 10\nadd 255\nstore.words[2] = 255\nstore.words[0] = 5\nstore.words[1] = 10\npc = 4\n", out)
	code, out, errs = callSim(t, "sim", fir, "-mem", "store.words="+hex, "-print", "store.words")
	require.Equal(t, 0, code, errs)
	require.Equal(t, 16, strings.Count(out, "store.words["))
	require.Contains(t, out, "store.words[15] = 0\n")
}

func TestSimErrors(t *testing.T) {
	fir, hex := machineFiles(t, "05 xx")
	quiet := filepath.Join(t.TempDir(), "quiet.fir")
	require.NoError(t, os.WriteFile(quiet, []byte("circuit Q :\n  module Q :\n    input a : UInt<1>\n"), 0o666))
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"sim", 2, "FILE is missing; files of type .fir, .etch"},
		{"sim nothing.fir -cycles 1", 1, "open nothing.fir: no such file"},
		{"sim x.vhdl -cycles 1", 2, `files of type ".vhdl" are not read; there are .fir, .etch`},
		{"sim FIR FIR", 2, "one .fir file is read at a time"},
		{"sim QUIET", 2, "-cycles or -until is missing: Q has no stop statement"},
		{"sim FIR -mem words=HEX", 2, `no memory "words" in Machine; nearest: store.words; there are store.words (16 words of 8 bits)`},
		{"sim QUIET -cycles 1 -mem words=HEX", 2, `no memory "words" in Q; it has no memories`},
		{"sim FIR -print store.words[16]", 2, "-print: address 16 is past the end of store.words, which has 16 words"},
		{"sim FIR -print store.words[1:x]", 2, `-print: "x" is not an address`},
		{"sim FIR -print stor.words[1]", 2, `no signal "stor.words[1]"`},
		{"sim FIR -mem store.words=HEX", 1, "program.hex, for memory store.words of 16 words of 8 bits: line 1: xx: words are of hexadecimal digits, without x and z"},
		{"sim FIR -mem store.words", 2, `"store.words" has no =`},
		{"sim FIR -set bia=1", 2, `there is no input bia; did you mean bias?`},
		{"sim FIR -set bias=200000", 2, "-set: 200000 does not fit the 8 bits of bias"},
		{"sim FIR -set bias=x", 2, `-set: "x" is not a number`},
		{"sim FIR -set sum=1", 2, "-set: there is no input sum; there are reset, bias"},
		{"sim FIR -print summ", 2, `no signal "summ"`},
		{"sim FIR -until sum", 2, `-until: "sum" has no =`},
		{"sim FIR -engine nativ", 2, "no engine nativ; did you mean native?"},
		{"sim FIR -top Mach", 1, "there is no module Mach"},
		{"import", 2, "FILE is missing"},
		{"import QUIET -top Z -o /nowhere", 1, "there is no module Z"},
	} {
		args := strings.Fields(c.args)
		for i, a := range args {
			a = strings.ReplaceAll(a, "HEX", hex)
			a = strings.ReplaceAll(a, "QUIET", quiet)
			args[i] = strings.ReplaceAll(a, "FIR", fir)
		}
		code, _, errs := callSim(t, args...)
		require.Equal(t, c.code, code, "%s\n%s", c.args, errs)
		require.Contains(t, errs, c.want, c.args)
	}
}

// An input with named states takes the names; a wrong one is refused with all of them.
func TestSetByName(t *testing.T) {
	app := App{Name: "demo", Designs: []Design{Component("alu", "computes", rv32i.ALU{})}}
	call := func(line string) (code int, out, errs string) {
		var o, e bytes.Buffer
		code = app.Run(strings.Fields(line), Output{&o, &e})
		return code, o.String(), e.String()
	}
	code, out, errs := call("sim alu -cycles 1 -set op=xor -set x=5 -set y=3 -print out")
	require.Zero(t, code, errs)
	require.Contains(t, out, "out = 0x6")
	for _, verb := range []string{"sim alu -cycles 1", "prove alu"} {
		code, _, errs = call(verb + " -set op=xo")
		require.Equal(t, 2, code)
		require.Contains(t, errs, `-set: op = "xo", want add, sub, sll, slt, sltu, xor, srl, sra, or, and, pass, or a number; did you mean `)
	}
	code, _, errs = call("sim alu -cycles 1 -set op=0x100")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "0x100 does not fit the 4 bits of op")
}
