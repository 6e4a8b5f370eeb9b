package yosys

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/tools"
)

// jsonCell is a cell of a netlist as write_json writes it.
func jsonCell(kind string, params map[string]string, conns ...any) string {
	var p, c []string
	for _, k := range sortedKeys(params) {
		p = append(p, fmt.Sprintf("%q: %q", k, params[k]))
	}
	for i := 0; i < len(conns); i += 2 {
		c = append(c, fmt.Sprintf("%q: %s", conns[i], conns[i+1]))
	}
	return fmt.Sprintf(`{"hide_name": 0, "type": %q, "parameters": {%s}, "attributes": {"src": "m.v:3.1-3.9"}, "connections": {%s}}`,
		kind, strings.Join(p, ", "), strings.Join(c, ", "))
}

func sortedKeys(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// nets lists n nets from lo on.
func nets(lo, n int) string {
	var s []string
	for i := range n {
		s = append(s, fmt.Sprint(lo+i))
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// TestNewCells compares the cells that yosys 0.23 has not with what they are said
// to do, in plain Go.
func TestNewCells(t *testing.T) {
	const w = 7
	product := func(x, y uint64, sx, sy bool) uint64 { // of parts of 3 and 4 bits
		return uint64(extended(x, 3, sx) * extended(y, 4, sy))
	}
	for kind, c := range map[string]struct {
		params map[string]string
		width  int
		want   func(a, b, s uint64) uint64
	}{
		"$buf":   {map[string]string{}, w, func(a, _, _ uint64) uint64 { return a }},
		"$equiv": {map[string]string{}, w, func(a, _, _ uint64) uint64 { return a }},
		"$bweqx": {map[string]string{"WIDTH": "111"}, w, func(a, b, _ uint64) uint64 { return ^(a ^ b) }},
		"$bwmux": {map[string]string{"WIDTH": "111"}, w, func(a, b, s uint64) uint64 { return a&^s | b&s }},
		"$macc_v2": {map[string]string{"NPRODUCTS": "1", "NADDENDS": "10", "A_WIDTHS": "0000000000000011", "B_WIDTHS": "0000000000000100",
			"C_WIDTHS": "00000000000000110000000000000010", "A_SIGNED": "1", "B_SIGNED": "1", "C_SIGNED": "10", "PRODUCT_NEGATED": "0", "ADDEND_NEGATED": "01"},
			5, func(a, b, s uint64) uint64 {
				return product(a&7, b&15, true, true) - s&3 + uint64(extended(s>>2&7, 3, true))
			}},
	} {
		conns := []any{"A", nets(2, w), "B", nets(2+w, w), "S", nets(2+2*w, w), "Y", nets(2+3*w, c.width)}
		if kind == "$macc_v2" {
			conns = []any{"A", nets(2, 3), "B", nets(2+w, 4), "C", nets(2+2*w, 5), "Y", nets(2+3*w, c.width)}
		}
		text := fmt.Sprintf(`{"modules": {"top": {"attributes": {}, "ports": {
 "a": {"direction": "input", "bits": %s}, "b": {"direction": "input", "bits": %s}, "s": {"direction": "input", "bits": %s}, "y": {"direction": "output", "bits": %s}},
 "cells": {"c": %s}, "netnames": {}}}}`, nets(2, w), nets(2+w, w), nets(2+2*w, w), nets(2+3*w, c.width), jsonCell(kind, c.params, conns...))
		d, err := ReadJSON("new.json", text, "")
		require.NoError(t, err, kind)
		s, err := sim.New(d)
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(10, 0xce11))
		for range 500 {
			a, b, x := r.Uint64N(1<<w), r.Uint64N(1<<w), r.Uint64N(1<<w)
			for name, v := range map[string]uint64{"a": a, "b": b, "s": x} {
				require.NoError(t, s.Set(portAt(t, s, name), v))
			}
			require.Equal(t, c.want(a, b, x)&(1<<c.width-1), s.Get(portAt(t, s, "y")), "%s %b %b %b", kind, a, b, x)
		}
	}
}

// extended is the low n bits of x, signed or not.
func extended(x uint64, n int, signed bool) int64 {
	if signed && x>>(n-1)&1 == 1 {
		return int64(x) - 1<<n
	}
	return int64(x)
}

// TestTristate: several drivers of a net, of which one at a time is on.
func TestTristate(t *testing.T) {
	sameAsIcarus(t, `module top(input clk, input [1:0] s, input [3:0] a, b, output [3:0] y, output reg [3:0] q);
  wire [3:0] line;
  assign line = s == 0 ? a : 4'bz;
  assign line = s == 1 ? b : 4'bz;
  assign line = s[1] ? a ^ b : 4'bz;
  assign y = line;
  initial q = 0;
  always @(posedge clk) q <= q + line;
endmodule`, 100)
}

// TestStatements: assertions, their kinds and their lines, and what is 1 at first.
func TestStatements(t *testing.T) {
	d, err := load(t, `module top(input clk, input [3:0] a, output reg [3:0] q, output first);
  initial q = 0;
  always @(posedge clk) begin
    q <= q + 1;
    fits: assert (a < 12);
    assume (a != 3);
    seen: cover (q == 2 && a == 5);
  end
  assign first = $initstate;
endmodule`, func(s *Source) { // as a .sv file
		text, err := os.ReadFile(s.Files[0])
		require.NoError(t, err)
		s.Files[0] = strings.TrimSuffix(s.Files[0], ".v") + ".sv"
		require.NoError(t, os.WriteFile(s.Files[0], text, 0o666))
	})
	require.NoError(t, err)
	var said strings.Builder
	s, err := sim.New(d, sim.WithOutput(&said))
	require.NoError(t, err)
	require.Len(t, d.Top.Stmts, 3)
	kinds := map[ir.StmtKind]string{}
	for _, st := range d.Top.Stmts {
		kinds[st.Kind] = st.Name
		require.NotZero(t, d.Src.At(st.Pos).Line)
	}
	require.Equal(t, map[ir.StmtKind]string{ir.Assert: "fits", ir.Assume: "", ir.Cover: "seen"}, kinds)
	require.Equal(t, uint64(1), s.Get(portAt(t, s, "first")))
	for k := range 6 {
		require.NoError(t, s.Set(portAt(t, s, "a"), uint64(k&1)*5))
		s.Step(1)
	}
	require.Equal(t, uint64(0), s.Get(portAt(t, s, "first")))
}

// memoryText has a port of every kind and contents.
const memoryText = `module top(input clk, input we, input [2:0] w, r, input [7:0] a, output [7:0] x, output reg [7:0] y);
  reg [7:0] mem [1:6]; integer k;
  initial begin y = 0; for (k = 1; k < 7; k = k + 1) mem[k] = 200 - k; for (k = 1; k < 7; k = k + 1) mem[k] = 37 * k; end
  always @(posedge clk) begin if (we) mem[w][6:1] <= a; y <= mem[r]; end
  assign x = mem[w];
endmodule`

// TestMemoryForms: memories whose ports are cells of their own, of the new and the
// old kind, and whole ones of the old kind, do what the collected one does.
func TestMemoryForms(t *testing.T) {
	want := sameAsIcarus(t, memoryText, 200)
	tool := tools.Need(t, "yosys")[0]
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.v"), []byte(memoryText), 0o666))
	y := &session{ctx: t.Context(), run: tool.Command, dir: dir}
	read := func(passes string) string {
		out := filepath.Join(dir, "m.json")
		require.NoError(t, y.do(fmt.Sprintf("read_verilog %s\nhierarchy -top top\nproc\nopt_clean\n%swrite_json %s\n", filepath.Join(dir, "m.v"), passes, out)))
		text, err := os.ReadFile(out)
		require.NoError(t, err)
		return string(text)
	}
	parts, again, whole := read(""), read("memory_dff\n"), read("memory_collect\n")
	for _, f := range []struct {
		name, text string
		kinds      []string
	}{
		{"ports", parts, []string{"$memrd", "$memwr_v2", "$meminit_v2"}}, // what proc leaves
		{"ports with a clock", again, []string{"$memrd_v2", "$memwr_v2", "$meminit"}},
		{"an old write port", strings.NewReplacer("$memwr_v2", "$memwr", `"PORTID"`, `"PRIORITY"`).Replace(parts), []string{"$memwr"}},
		{"an old memory", strings.ReplaceAll(whole, "$mem_v2", "$mem"), []string{"$mem"}},
	} {
		name, text := f.name, f.text
		for _, kind := range f.kinds {
			require.Contains(t, text, fmt.Sprintf("%q", kind), name)
		}
		d, err := ReadJSON(name, text, "top")
		require.NoError(t, err, name)
		equalRun(t, name, want, d)
	}
}

// equalRun compares two designs with the same ports.
func equalRun(t *testing.T, name string, a, b *ir.Design) {
	t.Helper()
	x, err := sim.New(a)
	require.NoError(t, err)
	y, err := sim.New(b)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(11, 0xce11))
	for k := range 300 {
		for i, p := range a.Top.Ports {
			if x.Top()[i].IsInput() {
				v := bits.New(p.Width, r.Uint64()&(1<<p.Width-1))
				require.NoError(t, x.SetBits(x.Top()[i], v))
				require.NoError(t, y.SetBits(portAt(t, y, p.Name), v))
			}
		}
		x.Step(k & 1)
		y.Step(k & 1)
		for i, p := range a.Top.Ports {
			if p.Dir == ir.Out {
				require.Equal(t, x.GetBits(x.Top()[i]).Hex(), y.GetBits(portAt(t, y, p.Name)).Hex(), "%s, step %d: %s", name, k, p.Name)
			}
		}
	}
}
