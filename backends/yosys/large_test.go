//go:build unix

package yosys

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/testbench/tools"
)

// largeText has a write port, a port that follows its address, one with a register
// behind it and one with a register before it, which sees a write in the same cycle.
const largeText = `module top(input clk, input we, input [%[1]d:0] w, r, input [%[2]d:0] a, output [%[2]d:0] now, output reg [%[2]d:0] old, output [%[2]d:0] seen);
  reg [%[2]d:0] mem [0:(1<<%[3]d)-1];
  reg [%[1]d:0] at;
  initial mem[2] = 7;
  always @(posedge clk) begin if (we) mem[w] <= a; old <= mem[r]; at <= r; end
  assign now = mem[r];
  assign seen = mem[at];
endmodule`

// TestLargeMemories: neither yosys nor the reader holds what of a memory has no
// contents.
func TestLargeMemories(t *testing.T) {
	tool := tools.Need(t, "yosys")[0]
	for _, c := range []struct{ addr, width int }{{26, 8}, {30, 8}, {29, 32}, {31, 8}} {
		t.Run(fmt.Sprintf("2^%dx%d", c.addr, c.width), func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "m.v")
			require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, largeText, c.addr-1, c.width-1, c.addr), 0o666))
			var runs []*exec.Cmd
			run := func(ctx context.Context, args ...string) *exec.Cmd {
				runs = append(runs, tool.Command(ctx, args...))
				return runs[len(runs)-1]
			}
			d, err := Read(t.Context(), run, Source{Files: []string{file}, Top: "top"})
			require.NoError(t, err)
			require.Len(t, d.Top.Mems, 1)
			for _, cmd := range runs {
				peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss // KiB, but bytes on macOS
				if runtime.GOOS == "linux" {
					require.Less(t, peak, int64(256<<10), "KiB")
				}
			}
			farWords(t, d, 1<<c.addr)
		})
	}
}

// farWords writes and reads at both ends of the memory of largeText.
func farWords(t *testing.T, d *ir.Design, depth uint64) {
	s, err := sim.New(d)
	require.NoError(t, err)
	set := func(name string, v uint64) { require.NoError(t, s.Set(portAt(t, s, name), v)) }
	get := func(name string) uint64 { return s.Get(portAt(t, s, name)) }

	set("r", 2)
	require.EqualValues(t, 7, get("now"), "contents")

	set("we", 1)
	for k, w := range []uint64{depth - 1, 0, depth / 2, depth - 2} {
		set("w", w)
		set("r", w)
		set("a", uint64(k)+100)
		before := get("now")
		s.Step(1)
		require.Equal(t, before, get("old"))
		require.EqualValues(t, k+100, get("seen"))
		require.EqualValues(t, k+100, get("now"))
	}
	set("we", 0)
	set("r", depth-1)
	require.EqualValues(t, 100, get("now"))
}

// TestDeepMemories: bounds that yosys cannot count to, as they are written.
func TestDeepMemories(t *testing.T) {
	for _, c := range []struct {
		memory string
		depth  int
	}{
		{"reg [7:0] mem [0:2147483647];", 1 << 31},
		{"(* ram_style = \"block\" *) reg [7:0] mem [2147483647:0];", 1 << 31},
		{"reg [7:0] mem [0:DEPTH-1];", 1 << 31},
		{"reg [7:0] mem [1_610_612_735:0]; // does not end in yosys", 3 << 29},
	} {
		t.Run(c.memory, func(t *testing.T) {
			text := fmt.Sprintf("module top #(parameter DEPTH = 1 << 31)(input clk, we, input [33:0] at, input [7:0] d, output [7:0] q);\n %s\n"+
				" assign q = mem[at];\n always @(posedge clk) if (we) mem[at] <= d;\nendmodule\n", c.memory)
			d, err := load(t, text)
			require.NoError(t, err)
			require.Len(t, d.Top.Mems, 1)
			require.Equal(t, c.depth, d.Top.Mems[0].Depth)
			s, err := sim.New(d)
			require.NoError(t, err)

			// The last word, the first, and one behind the last, which is not there.
			for _, at := range []int{c.depth - 1, 0, c.depth} {
				require.NoError(t, s.Set(portAt(t, s, "at"), uint64(at)))
				require.NoError(t, s.Set(portAt(t, s, "d"), uint64(at)&0x7f|0x80))
				require.NoError(t, s.Set(portAt(t, s, "we"), uint64(1)))
				s.Step(1)
				want := uint64(at)&0x7f | 0x80
				if at == c.depth {
					want = 0
				}
				require.Equal(t, want, s.Get(portAt(t, s, "q")), at)
			}
		})
	}
}
