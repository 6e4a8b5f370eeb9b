package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"etch/backends/verilog"
	"etch/ir"
	"etch/testbench/tools"
)

var reportCommand = Command{
	Name: "report", Usage: "DESIGN [-p name=value]… [-json] [-yosys=false] [-o DIR]",
	Doc: "counts ops, registers, memory bits and logic depth, and yosys's cells where yosys is installed",
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("report", out)
		given := f.Values()
		asJSON := f.Bool("json", false, "print one JSON document")
		withYosys := f.Bool("yosys", true, "let yosys count, where it is installed")
		dir := f.String("o", "", "`folder` for plots, where a design has some")
		pos, err := f.Positional(args, "DESIGN")
		if err != nil {
			return err
		}
		d, err := app.Design(pos[0])
		if err != nil {
			return err
		}
		r, text, err := d.report(given, *withYosys, *dir)
		if err != nil {
			return err
		}
		if *asJSON {
			return JSON(out.Out, r)
		}
		_, err = out.Out.Write(text)
		return err
	},
}

// Report is what etch report says of a design.
type Report struct {
	Stats
	Yosys *YosysCells `json:"yosys,omitempty"`
	Own   any         `json:"own,omitempty"`
}

func (d Design) report(given Values, withYosys bool, dir string) (*Report, []byte, error) {
	net, err := d.Build(given)
	if err != nil {
		return nil, nil, err
	}
	var w buffer
	r := &Report{}
	if r.Stats, err = StatsOf(net); err != nil {
		return nil, nil, err
	}
	r.Stats.print(&w)
	if withYosys {
		if r.Yosys, err = Yosys(net, "synth_xilinx -family xc7 -flatten"); err != nil {
			fmt.Fprintf(&w, "yosys: %v\n", err)
		} else {
			fmt.Fprintf(&w, "yosys %s: %d LUT, %d FF, %d carry, %d LUT RAM, %d block RAM, %d DSP\n", r.Yosys.Script, r.Yosys.LUT, r.Yosys.FF, r.Yosys.Carry, r.Yosys.LUTRAM, r.Yosys.BRAM, r.Yosys.DSP)
		}
	}
	if d.Report != nil {
		if r.Own, err = d.Report(given, &w, dir); err != nil {
			return nil, nil, err
		}
	}
	return r, w.text, nil
}

type buffer struct{ text []byte }

func (b *buffer) Write(p []byte) (int, error) {
	b.text = append(b.text, p...)
	return len(p), nil
}

func (s *Stats) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %d modules, %d instances\n", s.Design, s.Modules, s.Instances)
	fmt.Fprintf(w, "ops %d, registers %d (%d bits), memories %d (%d bits), logic depth %d ops\n",
		s.Ops, s.Registers, s.RegisterBits, s.Memories, s.MemoryBits, s.LogicDepth)
	for _, op := range sorted(s.ByOp) {
		fmt.Fprintf(w, "  %-9s %d\n", op, s.ByOp[op])
	}
}

// YosysCells are cells that yosys counts after synthesis for a Xilinx 7 device.
type YosysCells struct {
	Script string `json:"script"`
	LUT    int    `json:"lut"`
	FF     int    `json:"ff"`
	Carry  int    `json:"carry"`
	MUXF   int    `json:"muxf"`
	LUTRAM int    `json:"lut_ram"`
	BRAM   int    `json:"bram"`
	DSP    int    `json:"dsp"`
}

// Yosys synthesises a design with yosys and counts the cells.
func Yosys(d *ir.Design, script string) (*YosysCells, error) {
	tool, err := tools.Find("yosys")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "etch-yosys-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	src, err := verilog.Text(d, verilog.Options{NoPositions: true})
	if err != nil {
		return nil, err
	}
	in, stat := filepath.Join(dir, "in.v"), filepath.Join(dir, "stat.json")
	if err := os.WriteFile(in, src, 0o666); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	commands := fmt.Sprintf("read_verilog %s; %s -top %s; tee -q -o %s stat -json", in, script, d.Top.Name, stat)
	if text, err := tool.Command(ctx, "-q", "-p", commands).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v: %s", err, lastLines(text))
	}
	text, err := os.ReadFile(stat)
	if err != nil {
		return nil, err
	}
	var doc struct {
		Design struct {
			Cells map[string]int `json:"num_cells_by_type"`
		} `json:"design"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("stat -json: %w", err)
	}
	return count(script, doc.Design.Cells), nil
}

func lastLines(text []byte) string {
	if len(text) > 400 {
		text = text[len(text)-400:]
	}
	return string(text)
}

// count sorts cell types into resources.
func count(script string, cells map[string]int) *YosysCells {
	c := &YosysCells{Script: script}
	kinds := map[string]*int{
		"LUT1": &c.LUT, "LUT2": &c.LUT, "LUT3": &c.LUT, "LUT4": &c.LUT, "LUT5": &c.LUT, "LUT6": &c.LUT,
		"FDRE": &c.FF, "FDSE": &c.FF, "FDCE": &c.FF, "FDPE": &c.FF, "CARRY4": &c.Carry, "MUXF7": &c.MUXF, "MUXF8": &c.MUXF,
		"RAM32X1D": &c.LUTRAM, "RAM64X1D": &c.LUTRAM, "RAM128X1D": &c.LUTRAM, "RAM32M": &c.LUTRAM, "RAM64M": &c.LUTRAM, "RAM64X1S": &c.LUTRAM, "RAM32X1S": &c.LUTRAM,
		"RAMB18E1": &c.BRAM, "RAMB36E1": &c.BRAM, "DSP48E1": &c.DSP, "INV": &c.LUT,
	}
	for name, n := range cells {
		if k := kinds[name]; k != nil {
			*k += n
		}
	}
	return c
}
