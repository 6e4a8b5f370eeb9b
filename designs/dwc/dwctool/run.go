package dwctool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"etch/designs/cli"
	"etch/designs/dwc/model"
	"etch/ir/output"
	"etch/sim"
)

// Run is the verb that puts observations through the circuit.
var Run = cli.Command{
	Name: "dwc", Usage: "[-p name=value]… [-codes] [-waves act.fst] -in obs.csv -out act.csv",
	Doc:      "puts observations (a header, then one a line) through the circuit, cycle by cycle",
	Examples: []string{"run dwc -in obs.csv -out act.csv", "run dwc -p model=model.json -in obs.csv -out act.csv -waves act.fst"},
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("run dwc", out)
		given := f.Values()
		codes := f.Bool("codes", false, "sensor codes in and DAC codes out, instead of physical units")
		waves := f.Waves()
		in, to := f.String("in", "", "CSV `file` of observations"), f.String("out", "", "CSV `file` of results")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *in == "" || *to == "" {
			return cli.Usagef("-in and -out are needed")
		}
		if err := f.Apart([]string{"in"}, "out", "waves"); err != nil {
			return err
		}
		if err := cli.Writable(*to); err != nil {
			return err
		}
		c, err := load(given)
		if err != nil {
			return err
		}

		src, err := os.Open(*in)
		if err != nil {
			return err
		}
		defer src.Close()
		ctx, free := cli.Interruptible()
		defer free()

		// The results take the name of the file when all of them are there; waves are kept in any case.
		return output.Replace(*to, 0o644, func(w io.Writer) error {
			r, err := newRunner(c, *codes)
			if err != nil {
				return err
			}
			r.ctx = ctx
			if err := waves.Trace(r.sim); err != nil {
				return err
			}
			if err := waves.Close(cli.Interrupted(ctx, r.file(src, *in, w))); err != nil {
				return err
			}
			fmt.Fprintf(out.Err, "%d observations, %d cycles, latency %d\n", r.rows, r.sim.Cycles(), c.latency())
			r.tellClamped(out.Err)
			return nil
		})
	},
}

// runner drives the circuit of a file of observations.
type runner struct {
	ctx   context.Context // ends the run
	c     *circuit
	codes bool
	sim   *sim.Sim
	valid sim.Signal
	obs   []sim.Signal
	done  sim.Signal
	outs  []sim.Signal
	rows  int
	// clamped counts, per dimension, values beyond the sensor's range.
	clamped []int
}

func newRunner(c *circuit, codes bool) (*runner, error) {
	d, err := c.build()
	if err != nil {
		return nil, err
	}
	s, err := sim.New(d)
	if err != nil {
		return nil, err
	}

	r := &runner{ctx: context.Background(), c: c, codes: codes, sim: s}

	// dwc.Controller, Voter and Classifier have the same order of ports: valid, one obs per
	// dimension, the valid bit of the result, the results.
	var ports []sim.Signal
	for _, p := range s.Top() {
		if p.Name() != "clk" && p.Name() != "rst" {
			ports = append(ports, p)
		}
	}

	dims := len(c.model.Obs)
	r.valid, r.obs, r.done, r.outs = ports[0], ports[1:1+dims], ports[1+dims], ports[2+dims:]
	r.clamped = make([]int, dims)
	s.Reset()
	return r, nil
}

// tellClamped says which dimensions had values beyond the sensor's range, and how
// many. The circuit saw the end of the range instead.
func (r *runner) tellClamped(w io.Writer) {
	var parts []string
	for d, n := range r.clamped {
		if n > 0 {
			limit := r.c.model.Dequantise(d, model.MaxCode(r.c.model.SensorBits))
			parts = append(parts, fmt.Sprintf("%s %d (beyond ±%.6g)", r.c.dimNames()[d], n, limit))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(w, "clamped to the sensor's range: %s\n", strings.Join(parts, ", "))
	}
}

// file runs a CSV file: the pipeline is kept full, a row per cycle.
func (r *runner) file(src io.Reader, name string, w io.Writer) error {
	in, err := cli.CSV(src)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", name, err)
	}

	if err != nil {
		return fmt.Errorf("%s: line 1: a header that names the dimensions is missing: %s", name, strings.Join(r.c.dimNames(), ","))
	}
	if err := r.header(header, name); err != nil {
		return err
	}

	fmt.Fprintln(w, r.title())
	results := 0
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, cli.RecordError(err, row, r.c.dimNames()))
		}

		// An interrupted run leaves the old file of results, and keeps its waves.
		line, _ := in.FieldPos(0)
		if r.ctx.Err() != nil {
			return fmt.Errorf("interrupted at line %d of %s: no results are written, waves are of the cycles until then", line, name)
		}

		if err := r.set(row); err != nil {
			return fmt.Errorf("%s: line %d: %w", name, line, err)
		}
		r.rows++
		if err := r.cycle(1, &results, w); err != nil {
			return err
		}
	}

	// Empty cycles push the last rows out of the pipeline.
	for range r.c.latency() {
		if err := r.cycle(0, &results, w); err != nil {
			return err
		}
	}
	if results != r.rows {
		return fmt.Errorf("%d observations gave %d results", r.rows, results)
	}
	return nil
}

// set gives the inputs the codes of a row.
func (r *runner) set(row []string) error {
	for d, text := range row {
		code, err := r.code(d, text)
		if err != nil {
			return fmt.Errorf("%s: %w", r.c.dimNames()[d], err)
		}
		if err := r.sim.SetInt(r.obs[d], int64(code)); err != nil {
			return err
		}
	}
	return nil
}

// header checks the names of the dimensions: one per dimension, equal to the model's
// where it has names.
func (r *runner) header(header []string, name string) error {
	if len(header) != len(r.obs) {
		return fmt.Errorf("%s: line 1: %d dimensions, the model has %d: %s", name, len(header), len(r.obs), strings.Join(r.c.dimNames(), ","))
	}
	for i, h := range header {
		h = strings.TrimSpace(h)
		if want := r.c.model.Obs[i].Name; want != "" && h != want {
			return fmt.Errorf("%s: line 1: column %d is %q, the model's dimension is %q", name, i+1, h, want)
		}
	}
	return nil
}

// code is a field as a sensor code.
func (r *runner) code(d int, text string) (int, error) {
	text = strings.TrimSpace(text)
	if r.codes {
		v, err := strconv.Atoi(text)
		if err != nil {
			return 0, fmt.Errorf("%q is not an integer code", text)
		}
		// A code may be the lowest of the word, which Quantise never gives.
		if top := model.MaxCode(r.c.model.SensorBits); v > top || v < -top-1 {
			return 0, fmt.Errorf("%d is not a code of %d bits, %d to %d", v, r.c.model.SensorBits, -top-1, top)
		}
		return v, nil
	}

	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v != v {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	if r.c.model.Clamps(d, v) {
		r.clamped[d]++
	}
	return r.c.model.Quantise(d, v), nil
}

func (r *runner) title() string {
	switch r.c.head {
	case "argmax":
		return "class"
	case "counts":
		return list("count", len(r.outs))
	}
	return list("act", len(r.outs))
}

func list(name string, n int) string {
	out := ""
	for i := range n {
		if i > 0 {
			out += ","
		}
		out += fmt.Sprintf("%s_%d", name, i)
	}
	return out
}

// cycle runs one clock and prints a result if there is one.
func (r *runner) cycle(valid uint64, results *int, w io.Writer) error {
	if err := r.sim.Set(r.valid, valid); err != nil {
		return err
	}

	// Without registers the result is there before the clock edge, else behind it.
	if r.c.latency() == 0 {
		r.result(results, w)
		r.sim.Step(1)
		return nil
	}
	r.sim.Step(1)
	r.result(results, w)
	return nil
}

func (r *runner) result(results *int, w io.Writer) {
	if r.sim.Get(r.done) == 0 {
		return
	}

	*results++
	for i, s := range r.outs {
		if i > 0 {
			io.WriteString(w, ",")
		}
		v := r.sim.GetInt(s)
		// Only an action word has a physical value.
		if r.c.head == "rom" && !r.codes {
			io.WriteString(w, strconv.FormatFloat(r.c.model.Decode(i, int(v)), 'g', -1, 64))
		} else {
			io.WriteString(w, strconv.FormatInt(v, 10))
		}
	}
	io.WriteString(w, "\n")
}
