package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"etch/backends/verilog"
	"etch/designs/explore"
	"etch/ir"
	"etch/testbench/tools"
)

// synthFamilies are those that cells are counted for: yosys's synth_xilinx -family, and
// the last two with a synthesis of their own.
var synthFamilies = []string{"xc7", "xcup", "xcu", "xc6s", "xc6v", "xc5v", "ecp5", "ice40"}

// synthesisOf is yosys's command, which flattens, for a family.
func synthesisOf(family string) string {
	switch family {
	case "ecp5":
		return "synth_ecp5"
	case "ice40":
		return "synth_ice40 -dsp"
	}
	return "synth_xilinx -flatten -family " + family
}

// verilogFor is the form of Verilog for a family: iCE40 has no RAM in tables.
func verilogFor(family string) verilog.Options {
	return verilog.Options{NoPositions: true, NoLUTRAM: family == "ice40"}
}

// cellCounts are cells by kind, in the units of [explore.Device]: tables, those that
// serve as RAM, shift register or carry included; flip-flops; multipliers; blocks of
// RAM, of Xilinx's those of 18 kbit.
type cellCounts map[string]int

// The kinds of cells.
const (
	lutCells, ffCells, dspCells, bramCells, uramCells = "lut", "ff", "dsp", "bram", "uram"
)

// cellKinds lists them in the order of tables.
var cellKinds = []string{lutCells, ffCells, dspCells, bramCells, uramCells}

// weight is the kind of a cell and how much of it the cell takes; "" for cells that
// take nothing of the kinds, as buffers and Xilinx's carry chains.
func weight(family, cell string) (kind string, n int) {
	// Carry cells of ECP5 are made of its tables, Xilinx's lie beside them.
	switch family {
	case "ecp5":
		switch cell {
		case "LUT4":
			return lutCells, 1
		case "CCU2C": // a carry cell is two tables
			return lutCells, 2
		case "TRELLIS_DPR16X4":
			return lutCells, 4
		case "TRELLIS_FF":
			return ffCells, 1
		case "MULT18X18D":
			return dspCells, 1
		case "DP16KD", "PDPW16KD":
			return bramCells, 1
		}
		return "", 0
	case "ice40":
		switch {
		case cell == "SB_LUT4":
			return lutCells, 1
		case strings.HasPrefix(cell, "SB_DFF"):
			return ffCells, 1
		case cell == "SB_MAC16":
			return dspCells, 1
		case strings.HasPrefix(cell, "SB_RAM40_4K"):
			return bramCells, 1
		case cell == "SB_SPRAM256KA":
			return uramCells, 1
		}
		return "", 0
	}
	return xilinxWeight(cell)
}

// xilinxRAM is how many tables a cell of RAM in tables takes (UG953, UG974).
var xilinxRAM = map[string]int{
	"RAM32X1S": 1, "RAM64X1S": 1, "RAM128X1S": 2, "RAM256X1S": 4, "RAM512X1S": 8,
	"RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM256X1D": 8,
	"RAM32M": 4, "RAM64M": 4, "RAM32M16": 8, "RAM64M8": 8,
}

func xilinxWeight(cell string) (kind string, n int) {
	switch {
	case strings.HasPrefix(cell, "LUT"), cell == "INV", strings.HasPrefix(cell, "SRL"):
		return lutCells, 1
	case xilinxRAM[cell] > 0:
		return lutCells, xilinxRAM[cell]
	case strings.HasPrefix(cell, "FD"), strings.HasPrefix(cell, "LD"):
		return ffCells, 1
	case strings.HasPrefix(cell, "DSP"):
		return dspCells, 1
	case strings.HasPrefix(cell, "RAMB18"), strings.HasPrefix(cell, "RAMB16"):
		return bramCells, 1
	case strings.HasPrefix(cell, "RAMB36"):
		return bramCells, 2
	case strings.HasPrefix(cell, "URAM"):
		return uramCells, 1
	}
	return "", 0
}

// countFlat reads the output of stat -json for a flat netlist.
func countFlat(family string, text []byte) (cellCounts, error) {
	var doc struct {
		Design struct {
			Cells map[string]int `json:"num_cells_by_type"`
		} `json:"design"`
	}
	if err := json.Unmarshal(hierarchyLine.ReplaceAll(text, nil), &doc); err != nil {
		return nil, fmt.Errorf("yosys stat -json: %w", err)
	}

	// Cells of no weight, as buffers, are left out.
	counts := cellCounts{}
	for cell, n := range doc.Design.Cells {
		if kind, each := weight(family, cell); each > 0 {
			counts[kind] += each * n
		}
	}
	return counts, nil
}

// Synthesise counts the cells of a design by yosys for a family of [explore.Device]: lut,
// ff, dsp, bram and uram.
func Synthesise(ctx context.Context, family string, d *ir.Design) (map[string]float64, error) {
	counts, err := synthesise(ctx, family, d)
	return counts.numbers(), err
}

// synthesise counts the cells of a design after synthesis for a family.
func synthesise(ctx context.Context, family string, d *ir.Design) (cellCounts, error) {
	yosys, err := tools.Find("yosys")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "etch-yosys-")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", explore.ErrPassing, err)
	}
	defer os.RemoveAll(dir)

	src, err := verilog.Text(d, verilogFor(family))
	if err != nil {
		return nil, err
	}

	// A disk without room is the machine's failure and not the design's.
	if err := os.WriteFile(filepath.Join(dir, "in.v"), src, 0o666); err != nil {
		return nil, fmt.Errorf("%w: %w", explore.ErrPassing, err)
	}

	// The netlist is flat, so that cells of all instances count.
	script := fmt.Sprintf("read_verilog in.v; %s -top %s; tee -q -o stat.json stat -json", synthesisOf(family), verilog.TopName(d))
	if err := runTool(ctx, yosys, dir, yosysTime, "-q", "-p", script); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "stat.json"))
	if err != nil {
		return nil, err
	}
	return countFlat(family, text)
}

// runTool runs a program in a folder, for at most limit. One that a signal ends, as for
// want of memory, has an error that wraps [explore.ErrPassing].
func runTool(ctx context.Context, t tools.Tool, dir string, limit time.Duration, args ...string) error {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := t.Command(bounded, args...)
	cmd.Dir = dir
	group(cmd)

	// The limit of time, the user's interruption and a kill for want of memory look alike to exec.
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case bounded.Err() != nil:
		return fmt.Errorf("%s did not end within %v", t.Name, limit)
	case !errors.As(err, &exit), signalled(exit):
		return fmt.Errorf("%w: %s: %w", explore.ErrPassing, t.Name, err)
	}
	return fmt.Errorf("%s: %v: %s", t.Name, err, strings.TrimSpace(lastPart(text)))
}

// checkFamily reports a family that cells are not counted for.
func checkFamily(family string, more []string) error {
	if slices.Contains(synthFamilies, family) {
		return nil
	}
	if near := nearest(family, append(slices.Clone(synthFamilies), more...)); near != "" {
		return usagef("no family or device %q%s", family, near)
	}
	return usagef("no family or device %q; families are %s, and -list-devices lists devices", family, strings.Join(synthFamilies, ", "))
}
