package firrtl_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"etch/backends/firrtl"
	"etch/ir"
	"etch/testbench/tools"
)

// head is the beginning of a tool's messages.
func head(b []byte) []byte { return b[:min(len(b), 3000)] }

// folder is where a test puts its files: a temporary folder, or that of
// ETCH_KEEP to look at them afterwards.
func folder(t testing.TB) string {
	if dir := os.Getenv("ETCH_KEEP"); dir != "" {
		return dir
	}
	return t.TempDir()
}

func write(t testing.TB, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// zeroStart makes the Verilog of firtool start with registers of 0; its
// statements stay silent.
const zeroStart = "`define RANDOMIZE_REG_INIT\n`define RANDOM 32'h0\n`define INIT_RANDOM_PROLOG_\n" +
	"`define PRINTF_COND 0\n`define STOP_COND 0\n`define ASSERT_VERBOSE_COND 0\n"

// plainVerilog are options for Verilog that Icarus Verilog 11 reads too.
var plainVerilog = []string{"--verification-flavor=if-else-fatal", "--lowering-options=disallowLocalVariables,disallowPackedArrays"}

// firtool has firtool make Verilog of a design in a folder, where the contents of
// memories go too.
func firtool(t testing.TB, d *ir.Design, dir string, args ...string) (fir, verilog []byte) {
	t.Helper()
	text, err := firrtl.Text(d, firrtl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range firrtl.DataFiles(d, firrtl.Options{}) {
		write(t, filepath.Join(dir, f.Name), f.Data)
	}
	keep := filepath.Join(dir, "keep.json")
	keepRegisters(t, text, keep)
	return text, firtoolText(t, text, dir, append(args, "--annotation-file="+keep)...)
}

var (
	moduleLine   = regexp.MustCompile(`^  (?:public )?module (\S+) :`)
	registerLine = regexp.MustCompile("^    reg(?:reset)? `?(\\w+)`? :")
)

// register is one of a text.
type register struct {
	module, name string
}

func registersOf(text []byte) (all []register) {
	module := ""
	for line := range strings.Lines(string(text)) {
		if m := moduleLine.FindStringSubmatch(line); m != nil {
			module = m[1]
		}
		if m := registerLine.FindStringSubmatch(line); m != nil {
			all = append(all, register{module, m[1]})
		}
	}
	return all
}

// keepRegisters writes annotations that keep firtool from taking a register for a
// constant. FIRRTL lets a register start as
// anything, so firtool does that to one that is only ever set to one value; where
// it starts as 0, as here, that is not the same.
func keepRegisters(t testing.TB, text []byte, file string) {
	t.Helper()
	type annotation struct {
		Class  string `json:"class"`
		Target string `json:"target"`
	}
	_, rest, _ := bytes.Cut(text, []byte("\ncircuit "))
	circuit := string(bytes.Fields(rest)[0])
	list := []annotation{}
	for _, r := range registersOf(text) {
		list = append(list, annotation{"firrtl.transforms.DontTouchAnnotation", "~" + circuit + "|" + r.module + ">" + r.name})
	}
	b, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, b)
}

// lostRegisters lists the modules with a register that firtool has taken for a
// constant all the same: it does so with one that holds what it was reset to.
func lostRegisters(text, verilog []byte) map[string]bool {
	lost := map[string]bool{}
	body := map[string][]byte{}
	for _, m := range bytes.Split(verilog, []byte("\nmodule "))[1:] {
		name, rest, _ := bytes.Cut(m, []byte("("))
		body[string(name)] = rest
	}
	for _, r := range registersOf(text) {
		there := regexp.MustCompile(`\breg +(\[\d+:0\] +)?_?` + r.name + `(_\d+)?;`)
		if !there.Match(body[r.module]) {
			lost[r.module] = true
		}
	}
	return lost
}

// firtoolText is firtool for a text. Whatever it says is an error, warnings too.
func firtoolText(t testing.TB, text []byte, dir string, args ...string) []byte {
	t.Helper()
	tool := tools.Need(t, "firtool")[0]
	file := filepath.Join(dir, "design.fir")
	write(t, file, text)
	cmd := tool.Command(t.Context(), append(args, file)...)
	var out, said bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &said
	if err := cmd.Run(); err != nil || said.Len() > 0 {
		t.Fatalf("firtool: %v\n%s", err, head(said.Bytes()))
	}
	return out.Bytes()
}
