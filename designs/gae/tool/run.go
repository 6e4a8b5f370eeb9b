package tool

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"etch/designs/cli"
	"etch/designs/gae"
	"etch/designs/gae/host"
	"etch/designs/gae/model"
	"etch/designs/gae/ppo"
	"etch/designs/gae/reference"
)

// columns are the header of a file of steps.
var columns = []string{"reward", "value", "next_value", "terminated", "truncated"}

// Run is the verb that puts a trajectory through the circuit.
var Run = cli.Command{
	Name: "gae", Usage: "[-p name=value]… [-variant N] [-convention sb3|cleanrl] [-waves gae.fst] -in steps.csv -out adv.csv",
	Doc: "puts a trajectory (" + strings.Join(columns, ",") + ") through the circuit, cycle by cycle",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("run gae", out)
		given := f.Values()
		variant := f.Int("variant", 1, "of the paper's Table III: 1 unquantised … 5 standardised and quantised")
		convention := reference.StableBaselines
		f.TextVar(&convention, "convention", convention, "what a truncation is: sb3 goes on with next_value, cleanrl ends")
		waves := f.Waves()
		in, to := f.String("in", "", "CSV `file` of steps in time order"), f.String("out", "", "CSV `file` of advantage,return")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *in == "" || *to == "" {
			return cli.Usagef("-in and -out are needed")
		}
		if *variant < 1 || *variant > 5 {
			return cli.Usagef("-variant %d, want 1 to 5", *variant)
		}
		sys, err := systemOf(given, *variant)
		if err != nil {
			return err
		}
		if a, err := os.Stat(*in); err == nil {
			if b, err := os.Stat(*to); err == nil && os.SameFile(a, b) {
				return cli.Usagef("-in and -out are the same file")
			}
		}
		if err := cli.Writable(*to); err != nil {
			return err
		}
		t, err := readSteps(*in)
		if err != nil {
			return err
		}
		if err := fit(&sys, t, given); err != nil {
			return fmt.Errorf("%s: %w", *in, err)
		}
		circuit, err := host.Simulate(sys)
		if err != nil {
			return cli.Parameters(err, given)
		}
		defer circuit.Close()
		if err := waves.Trace(circuit.Sim); err != nil {
			return err
		}
		e := circuit.NewEstimator()
		e.Convention = convention
		estimate := []reference.Estimate{reference.NewEstimate(t.Len())}
		count, err := e.Estimate([]reference.Trajectory{*t}, estimate)
		if err := waves.Close(err); err != nil {
			return err
		}
		if err := writeResults(*to, estimate[0]); err != nil {
			return err
		}
		tell(out.Err, sys, count, e)
		return nil
	},
}

// systemOf is the system that the parameters ask for: by default of four rows,
// for a trajectory is one stream.
func systemOf(given cli.Values, variant int) (model.System, error) {
	sys := model.Paper()
	sys.Rows = 4
	c, err := cli.WithValues(gae.Accelerator{System: sys.Variant(variant)}, given)
	if err != nil {
		return sys, err
	}
	sys = c.(gae.Accelerator).System
	if err := sys.Validate(); err != nil {
		return sys, cli.Usagef("%v", err)
	}
	return sys, nil
}

// fit makes rows deep enough for the longest episode, unless the depth is given.
func fit(sys *model.System, t *reference.Trajectory, given cli.Values) error {
	longest, length := 0, 0
	for i := range t.Len() {
		if length++; length > longest {
			longest = length
		}
		if t.Done(i) {
			length = 0
		}
	}
	power := func(n int) int { return 1 << bits.Len(uint(n-1)) }
	if _, fixed := given["depth"]; !fixed && longest*sys.Stacks() > sys.Depth {
		sys.Depth = power(longest * sys.Stacks())
	}
	if longest*sys.Stacks() > sys.Depth || sys.Depth > 1<<16 {
		return fmt.Errorf("an episode has %d steps, and a stack holds at most %d", longest, min(sys.Depth, 1<<16)/sys.Stacks())
	}
	return nil
}

// readSteps reads a trajectory. Errors name file, line and column.
func readSteps(path string) (*reference.Trajectory, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in, err := cli.CSV(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil || strings.Join(header, ",") != strings.Join(columns, ",") {
		return nil, fmt.Errorf("%s: line 1: the header is not %s", path, strings.Join(columns, ","))
	}
	t := &reference.Trajectory{}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		line, _ := in.FieldPos(0)
		var x [3]float64
		for i := range x {
			if x[i], err = number(row[i]); err != nil {
				return nil, fmt.Errorf("%s: line %d: %s: %w", path, line, columns[i], err)
			}
		}
		var flag [2]bool
		for i := range flag {
			if flag[i], err = truth(row[3+i]); err != nil {
				return nil, fmt.Errorf("%s: line %d: %s: %w", path, line, columns[3+i], err)
			}
		}
		t.Reward, t.Value, t.NextValue = append(t.Reward, x[0]), append(t.Value, x[1]), append(t.NextValue, x[2])
		t.Terminated, t.Truncated = append(t.Terminated, flag[0]), append(t.Truncated, flag[1])
	}
	if t.Len() == 0 {
		return nil, fmt.Errorf("%s: no steps", path)
	}
	return t, nil
}

// number reads a number that the circuit's input format can hold.
func number(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	limit := float64(int64(1) << (model.Input.Width - 1 - model.Input.Frac))
	switch {
	case err != nil || v != v:
		return 0, fmt.Errorf("%q is not a number", text)
	case v < -limit || v >= limit:
		return 0, fmt.Errorf("%v is outside the circuit's input, %v to %v", v, -limit, limit)
	}
	return v, nil
}

// truth reads a flag as it is written by Go, Python or a number.
func truth(text string) (bool, error) {
	switch text = strings.TrimSpace(text); text {
	case "True", "False":
		return text == "True", nil
	case "0.0", "1.0":
		return text == "1.0", nil
	}
	v, err := strconv.ParseBool(text)
	if err != nil {
		return false, fmt.Errorf("%q is not 0, 1, true or false", text)
	}
	return v, nil
}

// writeResults writes advantage,return; the file appears whole or not at all.
func writeResults(path string, e reference.Estimate) error {
	var b strings.Builder
	b.WriteString("advantage,return\n")
	for i := range e.Advantage {
		b.WriteString(strconv.FormatFloat(e.Advantage[i], 'g', -1, 64) + "," + strconv.FormatFloat(e.Return[i], 'g', -1, 64) + "\n")
	}
	return cli.WriteFiles(filepath.Dir(path), cli.File{Name: filepath.Base(path), Data: []byte(b.String())})
}

// tell says what the circuit did.
func tell(w io.Writer, sys model.System, c ppo.Counters, e *host.Estimator) {
	fmt.Fprintf(w, "%d steps, γ = %v, λ = %v, %d rows: %d cycles from start to done, %d of the host port\n",
		c.Elements, sys.Gamma, sys.Lambda, sys.Rows, c.Cycles, c.Transfer)
	l, s := e.LoadClips, e.Clips
	fmt.Fprintf(w, "clipped on loading: %d rewards, %d values, %d bootstrap values\n", l.Reward, l.Value, l.Boot)
	fmt.Fprintf(w, "saturated: %d restored values, %d δ, %d advantages, %d returns; as stored %d advantages, %d returns\n",
		s.Value, s.Delta, s.Advantage, s.Return, s.StoredAdvantage, s.StoredReturn)
}
