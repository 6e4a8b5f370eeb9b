package yosys

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/backends/yosys/internal/cells"
	"etch/ir"
	"etch/testbench/tools"
)

// Mistakes in Verilog, and what cannot be read: one error that begins with the
// line.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"module top(input a, output y);\n  assign y = a b;\nendmodule\n", "m.v:2: syntax error"},
		{"module top(input a, output y);\n\n  gone g(.a(a), .y(y));\nendmodule\n", "m.v:3: instance g: module gone is not defined"},
		{"module other(input a, output y);\nassign y = a;\nendmodule\n", "m.v: there is no module top"},
		{"module top(input a, output y);\n wire [1:0] n;\n assign n[0] = n[1] & a;\n assign n[1] = ~n[0];\n assign y = n[0];\nendmodule\n", "combinational loop in module top through m.v:"},
		{"module part(input a, output y);\nassign y = a;\nendmodule\nmodule top(input a, b, output y);\n part p(a, y);\n part q(b, y);\nendmodule\n", "m.v:6: net y is driven here and at m.v:5"},
	} {
		_, err := load(t, c.text)
		require.Error(t, err, "%s", c.text)
		require.True(t, strings.HasPrefix(err.Error(), c.want) || strings.Contains(strings.SplitN(err.Error(), "\n", 2)[0], c.want), "%s\n%v", c.want, err)
		require.NotContains(t, err.Error(), "ERROR")
	}
}

// What yosys says of a file: one line with the place and what helps.
func TestHints(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"module top(input clk, a, output reg q);\n always @(posedge clk) begin\n  q <= a;\n  assert (a);\n end\nendmodule\n",
			"m.v:4: there is no task assert: this is SystemVerilog: name the file m.sv"},
		{"module top(input logic clk, a, output logic q);\n always_ff @(posedge clk) q <= a;\nendmodule\n",
			"m.v:1: syntax error, unexpected a name, expecting ',' or '=' or ')': this is SystemVerilog: name the file m.sv"},
		{"\n`include \"gone.vh\"\nmodule top(output q);\nendmodule\n", "m.v:2: file gone.vh was not found: name its folder (-include)"},
		{"module top(input a, output q);\n reg m [0:3];\n initial $readmemb(\"gone.bin\", m);\n assign q = m[a];\nendmodule\n",
			"m.v:3: file gone.bin was not found: yosys looks for it from the current folder"},
		{"module top(input clk, output q);\n sub #(.Y(2), .X(1)) s(.q(q));\nendmodule\nmodule sub #(parameter Y = 1)(output q); assign q = 0; endmodule\n",
			"m.v:2: there is no parameter X"},
		{"module top(input clk, input [31:0] a, output q);\n reg n, m [0:32'h7fffffff];\n assign q = m[a];\nendmodule\n",
			"m.v: a memory of 2^31 words or more, and yosys counts up to 2^30: declare it by itself, with one pair of bounds, or make words wider"},
		{"module top(input clk, output q);\n\n sub s(.zz(q));\nendmodule\nmodule sub(output q); assign q = 0; endmodule\n",
			"m.v:3: instance s: module sub has no port zz"},
		{"module top(input c, r, a, output reg q, x);\n always @(posedge c or posedge r) if (r) x <= 0; else x <= a;\n always @(posedge c or\n  posedge r) q <= a;\nendmodule\n",
			"m.v:3: an always block with several edges, of which it cannot be told"},
	} {
		_, err := load(t, c.text)
		require.Error(t, err, c.text)
		require.True(t, strings.HasPrefix(err.Error(), c.want), "%s\n%v", c.want, err)
		require.NotContains(t, err.Error(), "\n")
	}
	_, err := load(t, "module top #(parameter W = 4)(output [W-1:0] q);\n assign q = 0;\nendmodule\n", func(s *Source) { s.Params = []ir.Param{{Name: "Q", Value: "3"}} })
	require.EqualError(t, err, "m.v: module top has no parameter Q")
	_, err = load(t, "module other;\nendmodule\n")
	require.EqualError(t, err, "m.v: there is no module top")
}

func TestSourceErrors(t *testing.T) {
	tool := tools.Need(t, "yosys")[0]
	file := filepath.Join(t.TempDir(), "m.v")
	require.NoError(t, os.WriteFile(file, []byte("module top(input a, output y); assign y = a; endmodule\n"), 0o666))
	read := func(s Source) error {
		_, err := Read(context.Background(), tool.Command, s)
		return err
	}
	require.ErrorContains(t, read(Source{}), "no Verilog files")
	require.ErrorContains(t, read(Source{Files: []string{"gone.v"}}), "gone.v")
	require.ErrorContains(t, read(Source{Files: []string{file}, Top: "top; shell rm"}), "cannot be given to yosys")
	require.ErrorContains(t, read(Source{Files: []string{file}, Top: "top", Defines: []string{"A\nB"}}), "cannot be given to yosys")
	require.ErrorContains(t, read(Source{Files: []string{file}, Top: "top", Time: time.Nanosecond}), "took longer than 1ns")
	many := Source{Files: []string{file, file, file, file, file}, Top: "top", Time: time.Nanosecond}
	require.EqualError(t, read(many), fmt.Sprintf("yosys took longer than 1ns to read %[1]s, %[1]s, %[1]s and 2 more", file))
	long := filepath.Join(t.TempDir(), "long.v")
	require.NoError(t, os.WriteFile(long, []byte("module top(output y); assign y = "+strings.Repeat("x", 1<<20)+"; endmodule\n"), 0o666))
	require.ErrorContains(t, read(Source{Files: []string{long}, Top: "top"}), "long.v: yosys: ")
	require.NoError(t, read(Source{Files: []string{file}}))
	_, err := Read(context.Background(), Program("/nowhere/yosys"), Source{Files: []string{file}})
	require.ErrorContains(t, err, "/nowhere/yosys")
}

func TestJSONErrors(t *testing.T) {
	cell := func(c string) string {
		return `{"modules":{"top":{"ports":{"y":{"direction":"output","bits":[2]}},"cells":{"c":` + c + `}}}}`
	}
	for text, want := range map[string]string{
		``:                            `bad.json: line 1: want '{'`,
		`{"modules":`:                 `bad.json: line 1: want '{'`,
		`{}`:                          "no modules",
		`{"modules":{}}`:              "0 modules that nothing instantiates",
		"{\"modules\":{}}\n\n x":      "line 3: something after the end",
		`{"modules":{"top":{"ports":`: "line 1",
		cell(`{"type":"$gone","connections":{}}`):                                                   "cell c of type $gone is not known",
		cell(`{"type":"gone","connections":{}}`):                                                    "instance c: module gone is not defined",
		cell(`{"type":"top","connections":{}}`):                                                     "0 modules that nothing instantiates",
		cell(`{"type":"$mux","connections":{"A":[3],"Y":[2]}}`):                                     "cell c ($mux): port B has 0 bits, want 1",
		cell(`{"type":"$dff","connections":{"D":[3,4],"Q":[2]}}`):                                   "D has 2 bits, Q 1",
		cell(`{"type":"$mem_v2","parameters":{"SIZE":-1,"WIDTH":8},"connections":{"RD_DATA":[2]}}`): "memory c",
		cell(`{"type":"$anyseq","connections":{"Y":[2]}}`):                                          "for formal verification",
		cell(`{"type":"$dff","connections":{"D":["2"],"Q":[2]}}`):                                   `no bit "2"`,
		cell(`{"type":"$dff","connections":{"D":[1],"Q":[2]}}`):                                     "no net has the number 1",
	} {
		_, err := ReadJSON("bad.json", text, "")
		require.ErrorContains(t, err, want, "%s", text)
		require.NotContains(t, err.Error(), "\n", "%s", text)
	}
	_, err := ReadJSON("bad.json", cell(`{"type":"$not","connections":{"A":[3],"Y":[2]}}`), "other")
	require.ErrorContains(t, err, "bad.json: no module other")
}

// FuzzReadJSON: whatever the text, an error or a valid design.
func FuzzReadJSON(f *testing.F) {
	for _, text := range jsonSeeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ReadJSON("fuzz.json", text, "")
		if err == nil {
			if err := ir.Verify(d); err != nil {
				t.Fatal(err)
			}
		}
	})
}

var jsonSeeds = []string{
	`{"modules":{"top":{"attributes":{"src":"m.v:1.1-9.9"},"ports":{"clk":{"direction":"input","bits":[2]},"d":{"direction":"input","bits":[3,4]},"q":{"direction":"output","bits":[5,6]}},
"cells":{"r":{"hide_name":1,"type":"$adff","parameters":{"CLK_POLARITY":"0","ARST_POLARITY":"1","ARST_VALUE":"1x"},"connections":{"CLK":[2],"ARST":[7],"D":[3,4],"Q":[5,6]}},
"n":{"type":"$reduce_xor","connections":{"A":[3,4,"x"],"Y":[7]}}},"netnames":{"q":{"bits":[5,6],"attributes":{"init":"01"}}}}}}`,
	`{"modules":{"top":{"ports":{"c":{"direction":"input","bits":[2]},"a":{"direction":"input","bits":[3,4]},"y":{"direction":"output","bits":[5,6]}},
"cells":{"m":{"type":"$mem_v2","parameters":{"MEMID":"\\m","SIZE":3,"WIDTH":1,"ABITS":2,"OFFSET":0,"INIT":"01x","RD_PORTS":2,"WR_PORTS":1,"RD_CLK_ENABLE":"01","RD_CLK_POLARITY":"11","RD_TRANSPARENCY_MASK":"01","WR_CLK_ENABLE":"1","WR_CLK_POLARITY":"1"},
"connections":{"RD_CLK":[2,2],"RD_EN":[3,"1"],"RD_ADDR":[3,4,4,3],"RD_DATA":[5,6],"WR_CLK":[2],"WR_EN":[4],"WR_ADDR":[3,4],"WR_DATA":[3]}}}}}}`,
	`{"modules":{"sub":{"ports":{"i":{"direction":"input","bits":[2]},"o":{"direction":"output","bits":[3]}},"cells":{"x":{"type":"$_DFF_N_","connections":{"C":[2],"D":[3],"Q":[3]}}}},
"top":{"attributes":{"top":1},"ports":{"i":{"direction":"input","bits":[2]},"o":{"direction":"output","bits":[9]}},"cells":{"s":{"type":"sub","connections":{"i":[2],"o":[9]}},"t":{"type":"$pmux","connections":{"A":[9],"B":[9,"1"],"S":[9,"0"],"Y":[10]}}}}}}`,
	`{"modules":{"top":{"memories":{"m":{"width":2,"size":4,"start_offset":1}},"ports":{"a":{"direction":"input","bits":[2,3,4]},"y":{"direction":"output","bits":[5,6]}},
"cells":{"r":{"type":"$memrd","parameters":{"MEMID":"\\m"},"connections":{"ADDR":[2,3],"DATA":[5,6]}},"i":{"type":"$meminit","parameters":{"MEMID":"\\m"},"connections":{"ADDR":["1"],"DATA":["1","0","1"]}},
"s":{"type":"$macc","parameters":{"CONFIG":"000100010100010001"},"connections":{"A":[2,3],"B":[4],"Y":[7]}},"p":{"type":"$pow","parameters":{"B_SIGNED":1,"A_SIGNED":1},"connections":{"A":[2,3],"B":[3,4],"Y":[8,9]}}}}}}`,
}

// TestMutatedJSON changes words of valid texts at random: never a panic, and what
// is accepted is valid.
func TestMutatedJSON(t *testing.T) {
	n := 40_000
	if testing.Short() {
		n = 4000
	}
	r := rand.New(rand.NewPCG(1, 2))
	var words []string
	for _, text := range jsonSeeds {
		words = append(words, token.FindAllString(text, -1)...)
	}
	for _, kind := range cells.Kinds() {
		words = append(words, `"`+kind+`"`)
	}
	slices.Sort(words)
	read := 0
	for range n {
		parts := token.FindAllString(jsonSeeds[r.IntN(len(jsonSeeds))], -1)
		for range 1 + r.IntN(4) {
			switch i, j := r.IntN(len(parts)), r.IntN(len(parts)); r.IntN(6) {
			case 0:
				parts = slices.Delete(parts, i, i+1)
			case 1:
				parts[i] = fmt.Sprint(r.IntN(40) - 2)
			case 2:
				parts[i] = parts[j]
			default: // a word of the same sort
				for range 200 {
					w := words[r.IntN(len(words))]
					if w[0] == parts[i][0] || digit(w[0]) && digit(parts[i][0]) {
						parts[i] = w
						break
					}
				}
			}
		}
		d, err := ReadJSON("m.json", strings.Join(parts, ""), "")
		if err == nil {
			read++
			require.NoError(t, ir.Verify(d), "%s", strings.Join(parts, ""))
		}
	}
	require.Greater(t, read, n/50)
	t.Log(read, "of", n, "were read")
}

var token = regexp.MustCompile(`"[^"]*"|[0-9]+|[^"0-9]`)

func digit(c byte) bool { return c >= '0' && c <= '9' }
