package crossing_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"etch/backends/verilog"
	"etch/designs/examples/crossing"
	"etch/hw"
	"etch/testbench/tools"
)

const wantXDC = `# Written by etch for bridge. Do not edit.
create_clock -name fast_clk -period 4.000 [get_ports {fast_clk}]
set_false_path -from [get_ports {enable}] -to [get_cells {enabled_meta_reg}]
set_max_delay -datapath_only -from [get_cells {queue/head_gray_reg[*]}] -to [get_cells {queue/head_seen_meta_reg[*]}] [get_property -min PERIOD [get_clocks -of_objects [get_ports {fast_clk slow_clk}]]]
set_max_delay -datapath_only -from [get_cells {queue/tail_gray_reg[*]}] -to [get_cells {queue/tail_seen_meta_reg[*]}] [get_property -min PERIOD [get_clocks -of_objects [get_ports {slow_clk fast_clk}]]]
`

// With both periods SDC has a number for each.
const wantSDC = `# Written by etch for bridge. Do not edit.
create_clock -name fast_clk -period 4.000 [get_ports {fast_clk}]
create_clock -name slow_clk -period 10.000 [get_ports {slow_clk}]
set_false_path -from [get_ports {enable}] -to [get_cells {enabled_meta_reg}]
set_max_delay 4.000 -from [get_cells {queue/head_gray_reg[*]}] -to [get_cells {queue/head_seen_meta_reg[*]}]
set_false_path -hold -from [get_cells {queue/head_gray_reg[*]}] -to [get_cells {queue/head_seen_meta_reg[*]}]
set_max_delay 4.000 -from [get_cells {queue/tail_gray_reg[*]}] -to [get_cells {queue/tail_seen_meta_reg[*]}]
set_false_path -hold -from [get_cells {queue/tail_gray_reg[*]}] -to [get_cells {queue/tail_seen_meta_reg[*]}]
`

// The constraints name every crossing of the bridge, and each cell that they name
// is one that yosys makes registers or memory of.
func TestConstraints(t *testing.T) {
	d, _, err := hw.Build(crossing.Bridge{Width: 8, Depth: 4})
	if err != nil {
		t.Fatal(err)
	}
	xdc, _, err := verilog.Constraints(d, []verilog.Period{{Port: "fast_clk", NS: 4}})
	if err != nil {
		t.Fatal(err)
	}
	if string(xdc) != wantXDC {
		t.Errorf("got\n%s\nwant\n%s", xdc, wantXDC)
	}
	_, sdc, err := verilog.Constraints(d, []verilog.Period{{Port: "fast_clk", NS: 4}, {Port: "slow_clk", NS: 10}})
	if err != nil {
		t.Fatal(err)
	}
	if string(sdc) != wantSDC {
		t.Errorf("got\n%s\nwant\n%s", sdc, wantSDC)
	}
	if _, _, err := verilog.Constraints(d, []verilog.Period{{Port: "enable", NS: 4}}); err == nil {
		t.Error("enable is taken for a clock")
	}

	yosys := tools.Need(t, "yosys")[0]
	text, err := verilog.Text(d, verilog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "bridge.v")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	script := "read_verilog " + file + "; synth_xilinx -top bridge -flatten -noiopad -noclkbuf; "
	cells := map[string]bool{}
	for _, list := range regexp.MustCompile(`get_cells \{([^}]*)\}`).FindAllStringSubmatch(string(xdc)+string(sdc), -1) {
		for _, cell := range strings.Fields(list[1]) {
			cells[cell] = true
		}
	}
	if len(cells) < 5 {
		t.Fatalf("only %v", cells)
	}
	for cell := range cells {
		name := strings.ReplaceAll(strings.TrimSuffix(cell, "[*]"), "/", ".")
		if mem, ok := strings.CutSuffix(name, "_reg*"); ok {
			script += "select -assert-min 1 c:*" + mem + "*; "
			continue
		}
		script += "select -assert-min 1 w:" + strings.TrimSuffix(name, "_reg") + " %ci1:+[Q] t:FD* %i; "
	}
	if out, err := yosys.Command(t.Context(), "-q", "-p", script).CombinedOutput(); err != nil {
		t.Errorf("%v: %s\n%s", err, out, script)
	}
}
