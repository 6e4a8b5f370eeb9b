package tool

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/float"
	"etch/hw/fixed"
	"etch/ir"
)

// Area measures the units beside those of the public libraries.
var Area = cli.Command{
	Name: "float-area", Usage: "[-units add,mul,fma,…] [-formats fp16,bf16,…] [-json]",
	Doc: "cells and longest paths of the floating-point units after yosys " + cli.SynthesisOfParts + ", beside the peers'",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment float-area", out)
		units := f.String("units", "", "only these, by `name`; all if empty")
		formats := f.String("formats", "", "only these; all if empty")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		rows, err := chosen(*units, *formats)
		if err != nil {
			return err
		}
		for i := range rows {
			d, err := rows[i].build()
			if err != nil {
				return err
			}
			if rows[i].Part, err = cli.YosysPart(d); err != nil {
				return err
			}
			fmt.Fprintf(out.Err, "%s %v: %d LUT\n", rows[i].Unit, rows[i].Format, rows[i].Cells.LUT)
		}
		if *asJSON {
			return cli.JSON(out.Out, map[string]any{"script": cli.SynthesisOfParts, "rows": rows})
		}
		return areaTable(out.Out, rows)
	},
}

// areaRow is a unit in a format.
type areaRow struct {
	Unit   string       `json:"unit"`
	Format float.Format `json:"format"`
	cli.Part
	Peer string `json:"peer,omitempty"` // LUT+DSP of HardFloat, and of CVFPU behind a comma

	build func() (*ir.Design, error)
}

// peers are the figures of shared/specs/lowprecision.md, measured with the same script:
// LUT and DSP of Berkeley HardFloat with IEEE ports, to the nearest even; of a fused
// multiply-add also of CVFPU.
var peers = map[string]map[string]string{
	"add":            {"e5m10": "510", "e8m7": "365", "e8m23": "1106", "e5m2": "180", "e4m3": "194"},
	"mul":            {"e5m10": "315+1", "e8m7": "245+1", "e8m23": "727+2", "e5m2": "133", "e4m3": "164"},
	"fma":            {"e5m10": "929+1, 627+1", "e8m7": "746+1, 566+1", "e8m23": "2057+2, 1243+2", "e5m2": "320"},
	"div, iterative": {"e5m10": "450 with sqrt", "e8m7": "386 with sqrt", "e8m23": "1112 with sqrt"},
	"compare":        {"e5m10": "189"}, "fp32 to": {"e5m10": "432"}, "to fp32": {"e5m10": "186"}, "from int32": {"e5m10": "365"}, "to int32": {"e5m10": "202"},
}

// measured lists the units.
func measured() []areaUnit {
	return []areaUnit{
		{"add", func(o float.Op) (*ir.Design, error) { return built(float.Adder{Op: o}) }},
		{"add, no flags", func(o float.Op) (*ir.Design, error) { o.Flags = false; return built(float.Adder{Op: o}) }},
		{"add, dynamic", func(o float.Op) (*ir.Design, error) { o.Rounding = float.Dynamic; return built(float.Adder{Op: o}) }},
		{"mul", func(o float.Op) (*ir.Design, error) { return built(float.Multiplier{Op: o}) }},
		{"mul, dynamic", func(o float.Op) (*ir.Design, error) {
			o.Rounding = float.Dynamic
			return built(float.Multiplier{Op: o})
		}},
		{"fma", func(o float.Op) (*ir.Design, error) { return built(float.FMA{Op: o}) }},
		{"fma, dynamic", func(o float.Op) (*ir.Design, error) { o.Rounding = float.Dynamic; return built(float.FMA{Op: o}) }},
		{"shared: sum, product, fma", func(o float.Op) (*ir.Design, error) { return built(float.Shared{Op: o}) }},
		{"shared with E5M2", func(o float.Op) (*ir.Design, error) {
			return built(float.Shared{Op: o, Also: []float.Format{float.E5M2}})
		}},
		{"div, iterative", func(o float.Op) (*ir.Design, error) { return built(float.Dividing{Op: o}) }},
		{"sqrt, iterative", func(o float.Op) (*ir.Design, error) { return built(float.Rooting{Op: o}) }},
		{"div, 8 stages", func(o float.Op) (*ir.Design, error) { o.Stages = 8; return built(float.Divider{Op: o}) }},
		{"sqrt, 8 stages", func(o float.Op) (*ir.Design, error) { o.Stages = 8; return built(float.Root{Op: o}) }},
		{"hypot, 8 stages", func(o float.Op) (*ir.Design, error) { o.Stages = 8; return built(float.Hypot{Op: o}) }},
		{"exact sum of 2048 products", func(o float.Op) (*ir.Design, error) { return built(float.Accumulator{Op: o, Guard: 11}) }},
		{"window of 40 bits", func(o float.Op) (*ir.Design, error) { return built(float.Windowed{Op: o, Low: -20, High: 19}) }},
		{"running sum in fp32", func(o float.Op) (*ir.Design, error) { return built(float.Running{Op: o, Sum: float.F32}) }},
		{"dot of 4, exact", func(o float.Op) (*ir.Design, error) { return built(float.Dot{From: o.Format, N: 4, Op: o}) }},
		{"dot of 4, tree", func(o float.Op) (*ir.Design, error) {
			return built(float.Tree{Units: float.Units{Format: o.Format}, N: 4})
		}},
		{"block dot of 32 in fp32", func(o float.Op) (*ir.Design, error) {
			from := o.Format
			o.Format = float.F32
			return built(float.BlockDot{From: from, N: 32, Op: o})
		}},
		{"compare", func(o float.Op) (*ir.Design, error) { return built(float.Comparer{Op: o}) }},
		{"next up and down", func(o float.Op) (*ir.Design, error) { return built(float.Next{Op: o}) }},
		{"scalb", func(o float.Op) (*ir.Design, error) { return built(float.Scaler{Op: o, Bits: o.Format.Exp + 1}) }},
		{"fp32 to", func(o float.Op) (*ir.Design, error) { return built(float.Converter{From: float.F32, Op: o}) }},
		{"to fp32", func(o float.Op) (*ir.Design, error) {
			from := o.Format
			o.Format = float.F32
			return built(float.Converter{From: from, Op: o})
		}},
		{"from int32", func(o float.Op) (*ir.Design, error) { return built(float.FromFixed{Fixed: int32Format, Op: o}) }},
		{"to int32", func(o float.Op) (*ir.Design, error) { return built(float.ToFixed{Fixed: int32Format, Op: o}) }},
	}
}

var int32Format = fixed.Format{Width: 32}

type areaUnit struct {
	name  string
	build func(o float.Op) (*ir.Design, error)
}

var areaFormats = []float.Format{float.F16, float.BF16, float.F32, float.E5M2, float.E4M3}

// chosen is the rows that are asked for.
func chosen(units, formats string) (rows []areaRow, err error) {
	list := areaFormats
	if formats != "" {
		list = nil
		for _, text := range strings.Split(formats, ",") {
			var f float.Format
			if err := f.UnmarshalText([]byte(text)); err != nil {
				return nil, cli.Usagef("-formats: %v", err)
			}
			list = append(list, f)
		}
	}
	var known []string
	for _, u := range measured() {
		short, _, _ := strings.Cut(u.name, ",")
		known = append(known, short)
		if units != "" && !slices.Contains(strings.Split(units, ","), short) {
			continue
		}
		for _, f := range list {
			if (u.name == "fp32 to" || u.name == "to fp32") && f == float.F32 || strings.HasPrefix(u.name, "block") && f.Width() > 8 {
				continue
			}
			o := float.Op{Format: f, Flags: true}
			rows = append(rows, areaRow{Unit: u.name, Format: f, Peer: peers[u.name][f.String()], build: func() (*ir.Design, error) { return u.build(o) }})
		}
	}
	if rows == nil {
		return nil, cli.Usagef("-units %s: there are %s", units, strings.Join(slices.Compact(known), ", "))
	}
	return rows, nil
}

func areaTable(w io.Writer, rows []areaRow) error {
	fmt.Fprintf(w, "yosys %s; units with all flags, to the nearest even, without registers unless said\n", cli.SynthesisOfParts)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "unit\tformat\tLUT\tDSP\tFF\tcarry\tMUXF\tdepth\tHardFloat, CVFPU: LUT+DSP")
	for _, r := range rows {
		c := r.Cells
		fmt.Fprintf(t, "%s\t%v\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", r.Unit, r.Format, c.LUT, c.DSP, c.FF, c.Carry, c.MUXF, r.Depth, r.Peer)
	}
	return t.Flush()
}
