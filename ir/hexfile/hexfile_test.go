package hexfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"etch/ir/bits"
	"etch/ir/hexfile"
	"etch/testbench/tools"
)

func read(text string, m hexfile.Memory) (map[int]string, error) {
	words := map[int]string{}
	err := hexfile.Read([]byte(text), m, func(addr int, v bits.Value) error {
		words[addr] = v.Bin()
		return nil
	})
	return words, err
}

const sample = `// a comment 12
0 1_f /* two
lines */ 7
@a ff @4
0000003c
c/**/3 // end`

// Icarus Verilog reads the same words.
func TestAgainstIcarus(t *testing.T) {
	found := tools.Need(t, "iverilog", "vvp")
	for _, binary := range []bool{false, true} {
		text, task := sample, "$readmemh"
		if binary {
			text, task = "101 1_1\n@b 11111111 // 2\n@3 0 1", "$readmemb"
		}
		got, err := read(text, hexfile.Memory{Width: 8, Depth: 12, Binary: binary})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		file := func(name, text string) string {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			return path
		}
		data := file("data", text)
		src := file("tb.v", fmt.Sprintf("module tb; reg [7:0] m [0:11]; integer i; initial begin %s(\"%s\", m); for (i = 0; i < 12; i = i + 1) $display(\"@%%b\", m[i]); end endmodule", task, data))
		out := filepath.Join(dir, "tb")
		if text, err := found[0].Command(t.Context(), "-o", out, src).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		said, err := found[1].Command(t.Context(), out).Output()
		if err != nil {
			t.Fatal(err)
		}
		i := -1
		for line := range strings.Lines(string(said)) {
			line, ok := strings.CutPrefix(strings.TrimSpace(line), "@")
			if !ok {
				continue
			}
			i++
			if want, ok := got[i]; ok && want != line || !ok && line != "xxxxxxxx" {
				t.Errorf("word %d is %q, Icarus has %q", i, want, line)
			}
		}
		if i != 11 {
			t.Errorf("Icarus has %d words", i+1)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"0 0x1":                          "line 1: 0x1: words have no 0x in front",
		"\ufeff1x":                       "line 1: 1x: words are of hexadecimal digits, without x and z",
		"\xff\xfe1\x00":                  "line 1: the text is UTF-16; want UTF-8",
		"0\n1x":                          "line 2: 1x: words are of hexadecimal digits, without x and z",
		"100":                            "line 1: 100 does not fit 8 bits",
		"@c 1":                           "line 1: address c is past the end of 12 words",
		"@b 1 2":                         "line 1: more than 12 words",
		"@ 1":                            "line 1: @ is not an address",
		"/* 1":                           "line 1: a comment that is not closed",
		"1 / 2":                          "line 1: a stray /",
		"g":                              "line 1: g is not a number",
		"-1":                             "line 1: -1 is not a number",
		"_":                              "line 1: _ is not a number",
		"0 \x1b[31m\xff":                 `line 1: "\x1b[31m\xff" is not a number`,
		strings.Repeat("g", 1<<20):       "line 1: " + strings.Repeat("g", 80) + "… is not a number",
		"@" + strings.Repeat("1", 1<<20): "line 1: @" + strings.Repeat("1", 79) + "… is not an address",
		"ff0000000ff0000000ff0000000f":   "line 1: ff0000000ff0000000ff0000000f does not fit 8 bits",
	} {
		if _, err := read(text, hexfile.Memory{Width: 8, Depth: 12}); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := read("1x", hexfile.Memory{Width: 8, Depth: 1, Binary: true}); err == nil || err.Error() != "line 1: 1x: words are of 0 and 1, without x and z" {
		t.Error(err)
	}
	if got, err := read("\ufeff3 4", hexfile.Memory{Width: 8, Depth: 12}); err != nil || got[0] != "00000011" || got[1] != "00000100" {
		t.Error("behind a byte order mark", got, err)
	}
	if got, err := read("f0000000000000000000000000000000e", hexfile.Memory{Width: 132, Depth: 1}); err != nil || !strings.HasPrefix(got[0], "1111") || !strings.HasSuffix(got[0], "1110") {
		t.Error(got, err)
	}
}
