package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"etch/backends/verilog"
	"etch/ir"
	"etch/testbench/tools"
)

// Cells are cells that yosys counts after synthesis for a Xilinx device.
type Cells struct {
	LUT    int `json:"lut"`
	FF     int `json:"ff"`
	Carry  int `json:"carry"`
	MUXF   int `json:"muxf"`
	LUTRAM int `json:"lut_ram"` // shift registers in tables too
	BRAM   int `json:"bram"`
	DSP    int `json:"dsp"`
}

// String lists the counts.
func (c Cells) String() string {
	return fmt.Sprintf("%d LUT, %d FF, %d carry, %d MUXF, %d LUT RAM, %d block RAM, %d DSP", c.LUT, c.FF, c.Carry, c.MUXF, c.LUTRAM, c.BRAM, c.DSP)
}

// Synthesis is the script that cells are counted after.
const Synthesis = "synth_xilinx -family " + family

// family is the one that etch report counts for.
const family = "xc7"

// yosysTime bounds one run of yosys, unless the user names another limit.
const yosysTime = 30 * time.Minute

// Counting says how yosys counts the cells of a design by synth_xilinx.
type Counting struct {
	Family string        // one that synth_xilinx knows, xc7 when ""
	Flat   bool          // one module of the hierarchy
	Boxes  []string      // modules that are left out: nothing is counted of them
	Time   time.Duration // of the run, 30 minutes when 0
}

// Cells are the cells of each module by name, of the top alone where the hierarchy is
// flattened.
func (c Counting) Cells(d *ir.Design) (map[string]Cells, error) {
	script := "synth_xilinx -family " + cmp.Or(c.Family, family)
	if c.Flat {
		script += " -flatten"
	}
	for _, box := range c.Boxes {
		script = "blackbox " + box + "; " + script
	}
	cells, _, err := yosysCells(d, script, "", cmp.Or(c.Time, yosysTime))
	return cells, err
}

// Yosys synthesises a design with yosys's synth_xilinx and counts the cells:
// flattened, under the top's name alone; or with the hierarchy kept, the own
// cells of each module.
func Yosys(d *ir.Design, flat bool) (map[string]Cells, error) { return YosysFor(family, d, flat) }

// YosysFor is Yosys for a family that synth_xilinx knows, such as xcup.
func YosysFor(family string, d *ir.Design, flat bool) (map[string]Cells, error) {
	return Counting{Family: family, Flat: flat}.Cells(d)
}

// Part is a circuit by itself: its cells, without buffers at its ports, and its longest
// path.
type Part struct {
	Cells Cells `json:"cells"`
	Depth int   `json:"depth"` // cells one behind the other between registers or ports
}

// SynthesisOfParts is the script after which [YosysPart] counts.
const SynthesisOfParts = "synth_xilinx -family " + family + " -flatten -noiopad"

// YosysPart synthesises a design that is to be part of a larger one.
func YosysPart(d *ir.Design) (Part, error) {
	cells, log, err := yosysCells(d, SynthesisOfParts, "ltp -noff", yosysTime)
	if err != nil {
		return Part{}, err
	}

	p := Part{Cells: cells[verilog.TopName(d)]}
	if at := pathLine.FindStringSubmatch(log); at != nil {
		p.Depth, _ = strconv.Atoi(at[1])
	}
	return p, nil
}

var pathLine = regexp.MustCompile(`Longest topological path in .*\(length=(\d+)\)`)

// yosysCells runs a script on a design, for at most limit, and a command after it whose
// output it returns.
func yosysCells(d *ir.Design, script, after string, limit time.Duration) (cells map[string]Cells, log string, err error) {
	tool, err := tools.Find("yosys")
	if err != nil {
		return nil, "", err
	}
	dir, err := os.MkdirTemp("", "etch-yosys-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)

	// Contents of memories come from files: as assignments in the text, a word each, yosys
	// 0.23 takes minutes for 32,768 of them.
	options := verilog.Options{NoPositions: true, MemFiles: true}
	src, err := verilog.Text(d, options)
	if err != nil {
		return nil, "", err
	}

	in, stat, said := filepath.Join(dir, "in.v"), filepath.Join(dir, "stat.json"), filepath.Join(dir, "log")
	for _, file := range append(verilog.DataFiles(d, options), verilog.File{Name: "in.v", Data: src}) {
		if err := os.WriteFile(filepath.Join(dir, file.Name), file.Data, 0o666); err != nil {
			return nil, "", err
		}
	}
	if after != "" {
		after = fmt.Sprintf("; tee -q -o %s %s", said, after)
	}

	// A signal or the limit of time ends yosys.
	ctx, stop := Interruptible()
	defer stop()
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	commands := fmt.Sprintf("read_verilog %s; %s -top %s; tee -q -o %s stat -json%s", in, script, verilog.TopName(d), stat, after)
	yosys := tool.Command(bounded, "-q", "-p", commands)
	yosys.Dir = dir // of the files that the text names
	group(yosys)
	text, err := yosys.CombinedOutput()
	switch {
	case err != nil && ctx.Err() == nil && bounded.Err() != nil:
		return nil, "", fmt.Errorf("yosys did not end within %v", limit)
	case err != nil:
		return nil, "", fmt.Errorf("yosys: %v: %s", err, lastPart(text))
	}

	// The output of the command is there if there is a command.
	if after == "" {
		said = ""
	}
	return counted(stat, said)
}

// counted reads the counts in a file of yosys, and, if it has a name, a file with the output of a
// command.
func counted(stat, said string) (cells map[string]Cells, log string, err error) {
	text, err := os.ReadFile(stat)
	if err != nil {
		return nil, "", err
	}
	if said != "" {
		line, err := os.ReadFile(said)
		if err != nil {
			return nil, "", err
		}
		log = string(line)
	}
	cells, err = countCells(text)
	return cells, log, err
}

func lastPart(text []byte) string { return string(text[max(0, len(text)-400):]) }

var hierarchyLine = regexp.MustCompile(`(?m)^ *[\\$\w]+ +\d+\n`)

// countCells reads the output of stat -json.
func countCells(text []byte) (map[string]Cells, error) {
	var doc struct {
		Modules map[string]struct {
			Cells map[string]int `json:"num_cells_by_type"`
		} `json:"modules"`
	}

	// Of a hierarchy yosys 0.23 draws the tree between two members of the object.
	text = hierarchyLine.ReplaceAll(text, nil)
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("yosys stat -json: %w", err)
	}

	out := map[string]Cells{}
	for name, m := range doc.Modules {
		var c Cells
		for cell, n := range m.Cells {
			if k := c.kind(cell); k != nil {
				*k += n
			}
		}
		out[strings.TrimPrefix(name, "\\")] = c
	}
	return out, nil
}

// kind is the count that a cell belongs to, nil for none of them.
func (c *Cells) kind(cell string) *int {
	// SRL and RAM32 are tables used as memory: RAMB comes first.
	switch {
	case strings.HasPrefix(cell, "LUT"), cell == "INV":
		return &c.LUT
	case strings.HasPrefix(cell, "FD"):
		return &c.FF
	case strings.HasPrefix(cell, "CARRY"):
		return &c.Carry
	case strings.HasPrefix(cell, "MUXF"):
		return &c.MUXF
	case strings.HasPrefix(cell, "RAMB"):
		return &c.BRAM
	case strings.HasPrefix(cell, "RAM"), strings.HasPrefix(cell, "SRL"):
		return &c.LUTRAM
	case strings.HasPrefix(cell, "DSP"):
		return &c.DSP
	}
	return nil
}

// Add adds the counts of d.
func (c *Cells) Add(d Cells) {
	c.LUT += d.LUT
	c.FF += d.FF
	c.Carry += d.Carry
	c.MUXF += d.MUXF
	c.LUTRAM += d.LUTRAM
	c.BRAM += d.BRAM
	c.DSP += d.DSP
}
