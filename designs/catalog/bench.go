package catalog

import (
	"fmt"
	"sort"
	"text/tabwriter"
	"time"

	"etch/designs/cli"
	"etch/designs/dwc"
	"etch/designs/dwc/model"
	"etch/designs/examples/rv32i"
	"etch/designs/examples/systolic"
	"etch/hw"
	"etch/ir"
	"etch/sim"
)

// benchCommand measures the simulator.
var benchCommand = cli.Command{
	Name: "bench", Usage: "[-json] [-short]", Doc: "cycles per second of the simulator: medians of 5, interleaved",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("bench", out)
		asJSON := f.Bool("json", false, "print one JSON document")
		short := f.Bool("short", false, "shorter runs")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		slot := time.Second
		if *short {
			slot = 200 * time.Millisecond
		}
		rows, err := bench(slot)
		if err != nil {
			return err
		}
		if *asJSON {
			return cli.JSON(out.Out, map[string]any{"rows": rows})
		}
		w := tabwriter.NewWriter(out.Out, 0, 8, 2, ' ', 0)
		fmt.Fprintln(w, "design\tengine\tcycles/s\tfirst cycle after ms")
		for _, r := range rows {
			fmt.Fprintf(w, "%s\t%s\t%.0f\t%.1f\n", r.Design, r.Engine, r.CyclesPerSecond, r.CompileMS)
		}
		return w.Flush()
	},
}

// BenchRow is a design under an engine.
type BenchRow struct {
	Design          string  `json:"design"`
	Engine          string  `json:"engine"`
	CyclesPerSecond float64 `json:"cycles_per_s"`
	CompileMS       float64 `json:"compile_ms"` // from netlist to first cycle
}

// Benchmarks are the designs whose simulation is measured.
func Benchmarks() (map[string]*ir.Design, error) {
	m, err := model.Random(model.RandomSpec{Obs: 17, Groups: 6, B: 63, Widths: []int{1024, 1024}, N: []int{6}, SensorBits: 12, DACBits: 12}, 1)
	if err != nil {
		return nil, err
	}
	out := map[string]*ir.Design{}
	if out["dwc 2x1024"], _, err = hw.Build(dwc.Controller{Net: dwc.Whole(m), Pipeline: dwc.Registered}); err != nil {
		return nil, err
	}
	if out["systolic 16x16"], _, err = hw.Build(systolic.Array{N: 16, PE: systolic.PE{Data: 16, Sum: 32}}); err != nil {
		return nil, err
	}
	out["rv32i"], _, err = hw.Build(rv32i.Core{Words: 1024, Program: rv32i.Idle})
	return out, err
}

func bench(slot time.Duration) ([]BenchRow, error) {
	designs, err := Benchmarks()
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range designs {
		names = append(names, name)
	}
	sort.Strings(names)
	rates, compiles := map[string][]float64{}, map[string][]float64{}
	for range 5 {
		for _, name := range names {
			start := time.Now()
			s, err := sim.New(designs[name])
			if err != nil {
				return nil, err
			}
			s.Reset()
			compiles[name] = append(compiles[name], time.Since(start).Seconds()*1000)
			rates[name] = append(rates[name], rate(s, slot/5))
		}
	}
	var rows []BenchRow
	for _, name := range names {
		rows = append(rows, BenchRow{name, "interpreter", median(rates[name]), median(compiles[name])})
	}
	return rows, nil
}

// rate runs s for about as long as slot, with inputs that change every cycle.
func rate(s *sim.Sim, slot time.Duration) float64 {
	var ins []sim.Signal
	for _, p := range s.Top() {
		if p.IsInput() && p.Width() <= 64 && p.Type().Kind != ir.Reset {
			ins = append(ins, p)
		}
	}
	x, n, start := uint64(88172645463325252), 0, time.Now()
	for n == 0 || time.Since(start) < slot {
		for range 16 {
			for _, p := range ins {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
				if err := s.Set(p, x>>(64-p.Width())); err != nil {
					panic(err) // the width is the port's own
				}
			}
			s.Step(1)
			n++
		}
	}
	return float64(n) / time.Since(start).Seconds()
}

func median(xs []float64) float64 {
	sort.Float64s(xs)
	return xs[len(xs)/2]
}
