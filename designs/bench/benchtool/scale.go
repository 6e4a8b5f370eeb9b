package benchtool

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"text/tabwriter"

	"etch/designs/bench"
	"etch/designs/cli"
	"etch/ir"
)

// ScaleRow is a design of the size series under an engine.
type ScaleRow struct {
	Row
	Ops        int     `json:"ops"`          // nodes that compute something, in all instances
	CodeBytes  int     `json:"code_bytes"`   // machine code
	BytesPerOp float64 `json:"bytes_per_op"` // memory of a running simulator, code included
}

func runScale(ctx context.Context, args []string, out cli.Output) error {
	f := newFlags("bench scale", out)
	o, err := f.settings(args, scaleBuildLimit, out)
	if err != nil {
		return err
	}

	if o.engines = singles(o.engines); len(o.engines) == 0 {
		return cli.Usagef("-engine: lanes are not measured by size")
	}

	// A short run leaves out the largest design.
	designs := bench.Series()
	if o.short {
		designs = designs[:len(designs)-1]
	}

	o.working = cli.NewProgress(out.Err, "")
	defer o.working.End()
	o.log = o.working.Through(out.Err)
	rows, err := o.series(ctx, designs)
	o.working.End()
	if err != nil {
		return err
	}
	if *f.json {
		return cli.JSON(out.Out, map[string]any{"rows": rows})
	}
	return printScale(out.Out, rows)
}

// series races designs of growing size. Behind the first that Verilator takes
// too long for it is not tried again.
func (o *settings) series(ctx context.Context, designs []bench.Design) ([]ScaleRow, error) {
	rows := []ScaleRow{}
	for i, d := range designs {
		tracks, err := o.lay(ctx, d)
		if err != nil {
			return nil, err
		}
		o.working.Now("races " + d.Name)
		o.working.Count(uint64(i), uint64(len(designs)), "designs")
		more, err := o.scale(ctx, tracks[0])
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)

		// Larger designs would take longer still.
		if len(tracks[0].models) == 0 && o.verilator != nil {
			o.verilator, o.why = nil, "not tried: "+d.Name+" takes too long"
		}
	}
	return rows, nil
}

// scale races one design of the series.
func (o *settings) scale(ctx context.Context, t *track) (rows []ScaleRow, err error) {
	races, err := o.race(ctx, t)
	if err != nil {
		return nil, err
	}
	for _, r := range races {
		i := slices.IndexFunc(o.engines, func(e Engine) bool { return e.Name == r.Engine })
		heap, code, err := footprint(t.net, o.engines[i])
		if err != nil {
			return nil, err
		}
		rows = append(rows, ScaleRow{Row: r, Ops: t.ops, CodeBytes: code, BytesPerOp: float64(heap+code) / float64(t.ops)})
	}
	return rows, nil
}

// footprint is the memory of a running simulator: heap, and code.
func footprint(net *ir.Design, e Engine) (heap, code int, err error) {
	var before, after runtime.MemStats

	// Collections before and after, so that only memory in use counts.
	runtime.GC()
	runtime.ReadMemStats(&before)
	s, err := e.single(net)
	if err != nil {
		return 0, 0, err
	}

	s.Step(100)
	code = s.CodeBytes()

	// KeepAlive: the simulator must outlive this collection.
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(s)
	return int(after.HeapAlloc) - int(before.HeapAlloc), code, s.Close()
}

func printScale(w io.Writer, rows []ScaleRow) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "ops\tengine\tcycles/s\tfirst cycle\tcode bytes\tbytes/op\tVerilator\tbuild\tratio\tby")
	for _, r := range rows {
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%d\t%.0f\t", r.Ops, r.Engine, rate(r.CyclesPerSecond), seconds(r.CompileMS), r.CodeBytes, r.BytesPerOp)
		if r.Ratio == nil {
			fmt.Fprintf(t, "-\t-\t-\t%s\n", r.Verilator)
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%.2f\t%s\n", rate(*r.VerilatorCyclesPerSecond), seconds(*r.VerilatorBuildMS), *r.Ratio, r.Verilator)
	}
	return t.Flush()
}
