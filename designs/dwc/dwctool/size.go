package dwctool

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"etch/designs/cli"
	"etch/designs/dwc"
	"etch/designs/dwc/model"
	"etch/hw"
	"etch/ir"
)

// Size is the experiment that counts the cells of the paper's five shapes.
var Size = cli.Command{
	Name: "dwc-size", Usage: "[-shapes Ant,…] [-sensor-bits 8,12,16] [-width 1024] [-seed 1] [-kinds reduced,whole] [-apart] [-time 30m] [-json]",
	Doc: "cells of random controllers of the paper's shapes after yosys synth_xilinx, reduced and whole",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment dwc-size", out)
		shapes := f.String("shapes", "", "environments, comma-separated; all without it")
		widths := f.String("sensor-bits", "8,12,16", "W, comma-separated")
		width := f.Int("width", 1024, "tables per layer, two layers")
		seed := f.Uint64("seed", 1, "seed of pins and tables")
		kinds := f.String("kinds", "reduced,whole", "reduced, whole, or both")
		apart := f.Bool("apart", false, "synthesise the encoder a dimension at a time, which takes less time")
		limit := f.Duration("time", 30*time.Minute, "`time` that a run of yosys gets at most")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *limit <= 0 {
			return cli.Usagef("-time %v: want more than 0", *limit)
		}

		// A row takes minutes, so each is told as soon as it is there.
		var rows []SizeRow
		for _, s := range model.Shapes() {
			if *shapes != "" && !strings.Contains(","+*shapes+",", ","+s.Env+",") {
				continue
			}
			for _, text := range strings.Split(*widths, ",") {
				w, err := strconv.Atoi(text)
				if err != nil {
					return cli.Usagef("-sensor-bits: %q is not a number", text)
				}
				m, err := model.Random(s.Spec(*width, w), *seed)
				if err != nil {
					return err
				}
				for _, kind := range strings.Split(*kinds, ",") {
					whole := kind == "whole"
					if !whole && kind != "reduced" {
						return cli.Usagef("-kinds: %q is neither reduced nor whole", kind)
					}
					row, err := sizeOf(s.Env, m, whole, *apart, *limit)
					if err != nil {
						return err
					}
					rows = append(rows, row)
					fmt.Fprintf(out.Err, "%s W=%d %s: encoder %d, core %d, ROM %d, rest %d LUT; %d FF; %.0f s\n",
						s.Env, w, kind, row.Encoder.LUT, row.Core.LUT, row.ROM.LUT, row.Rest.LUT, row.Total.FF, row.Seconds)
				}
			}
		}

		if *asJSON {
			return cli.JSON(out.Out, map[string]any{"rows": rows})
		}
		return printSizes(out.Out, rows)
	},
}

// SizeRow is the size of one controller by part.
type SizeRow struct {
	Env        string    `json:"env"`
	SensorBits int       `json:"sensor_bits"`
	Whole      bool      `json:"whole"`      // not reduced
	DeadShare  float64   `json:"dead_share"` // of the tables of layer 1
	Encoder    cli.Cells `json:"encoder"`
	Core       cli.Cells `json:"core"` // the tables
	ROM        cli.Cells `json:"rom"`
	Rest       cli.Cells `json:"rest"` // popcounts and pipeline
	Total      cli.Cells `json:"total"`
	Seconds    float64   `json:"seconds"`
}

// sizeOf synthesises a controller with its hierarchy kept, and its encoder apart or not.
func sizeOf(env string, m *model.Model, whole, apart bool, limit time.Duration) (SizeRow, error) {
	start := time.Now()
	reduced := dwc.Reduced(m)
	net := reduced
	if whole {
		net = dwc.Whole(m)
	}

	// The share of dead tables belongs to the model: a whole circuit has none removed, so the
	// reduced one counts them.
	row := SizeRow{Env: env, SensorBits: m.SensorBits, Whole: whole, DeadShare: float64(reduced.Counts().DeadLuts[0]) / float64(m.Layers[0].Width())}
	d, _, err := hw.Build(dwc.Controller{Net: net, Pipeline: dwc.Registered})
	if err != nil {
		return row, err
	}

	// An encoder apart is a box in the controller. Its cells are the sum over its dimensions.
	count := cli.Counting{Time: limit}
	if apart {
		if row.Encoder, err = encoderCells(net, count); err != nil {
			return row, fmt.Errorf("the encoder of %s, W = %d: %w", env, m.SensorBits, err)
		}
		row.Total = row.Encoder
		count.Boxes = []string{encoderName}
	}

	cells, err := count.Cells(d)
	if err != nil {
		return row, fmt.Errorf("%s, W = %d: %w", env, m.SensorBits, err)
	}
	row.share(d, cells)
	row.Seconds = time.Since(start).Seconds()
	return row, nil
}

// encoderCells are the cells of an encoder by its dimensions.
func encoderCells(net *dwc.Net, count cli.Counting) (sum cli.Cells, err error) {
	for _, part := range parts(net) {
		d, _, err := hw.Build(part)
		if err != nil {
			return sum, err
		}
		cells, err := count.Cells(d)
		if err != nil {
			return sum, fmt.Errorf("dimensions %d to %d: %w", part.from, part.to-1, err)
		}
		for _, c := range cells {
			sum.Add(c)
		}
	}
	return sum, nil
}

// share sorts the modules' cells by part.
func (r *SizeRow) share(d *ir.Design, cells map[string]cli.Cells) {
	// A boxed encoder has no cells of its own here: sizeOf has them already.
	for _, m := range d.Modules {
		part := &r.Rest
		switch {
		case strings.HasSuffix(m.Name, "encoder"):
			part = &r.Encoder
		case strings.Contains(m.Name, "layer"):
			part = &r.Core
		case strings.Contains(m.Name, "rom"):
			part = &r.ROM
		}
		part.Add(cells[m.Name])
		r.Total.Add(cells[m.Name])
	}
}

func printSizes(out io.Writer, rows []SizeRow) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "shape\tW\t\tencoder\tcore\tROM\tpopcount, pipeline\twhole LUT\tFF\t")
	for _, r := range rows {
		kind := "reduced"
		if r.Whole {
			kind = "whole"
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", r.Env, r.SensorBits, kind, r.Encoder.LUT, r.Core.LUT, r.ROM.LUT, r.Rest.LUT, r.Total.LUT, r.Total.FF)
	}
	return w.Flush()
}
