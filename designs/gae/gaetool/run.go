package gaetool

import (
	"errors"
	"fmt"
	"io"
	"math"
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
	Name: "gae", Usage: "[-p name=value]… [-variant N] [-convention sb3|cleanrl] [-saturate] [-waves gae.fst] -in steps.csv -out adv.csv",
	Doc:      "puts a trajectory (" + strings.Join(columns, ",") + ") through the circuit, cycle by cycle",
	Examples: []string{"run gae -in steps.csv -out adv.csv", "run gae -variant 5 -p rows=4 -in steps.csv -out adv.csv"},
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("run gae", out)
		given := f.Values()
		variant := f.Int("variant", 1, "of the paper's Table III: 1 unquantised … 5 standardised and quantised")
		convention := reference.StableBaselines
		f.TextVar(&convention, "convention", convention, "what a truncation is: sb3 goes on with next_value, cleanrl ends")
		saturate := f.Bool("saturate", false, "results outside the circuit's range become the nearest in it, and that is no error")
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

		// The files: the output must not be the input, and must be writable.
		if err := f.Apart([]string{"in"}, "out", "waves"); err != nil {
			return err
		}
		if err := cli.Writable(*to); err != nil {
			return err
		}

		// The longest episode decides the depth, so the steps come before the circuit.
		t, lines, err := readSteps(*in, convention)
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

		// A signal counts from the moment at which there are waves.
		ctx, free := cli.Interruptible()
		defer free()
		if err := waves.Trace(circuit.Sim); err != nil {
			return err
		}
		circuit.Until(ctx)

		e := circuit.NewEstimator()
		e.Convention = convention
		estimate := []reference.Estimate{reference.NewEstimate(t.Len())}
		count, err := e.Estimate([]reference.Trajectory{*t}, estimate)
		if ctx.Err() != nil {
			err = cli.Interrupted(ctx, errors.New("interrupted: no results are written, waves are of the cycles until then"))
		}
		if err := waves.Close(err); err != nil {
			return err
		}

		// A saturated result is wrong, and so an error unless the user wants the nearest number.
		wrong, err := e.Saturated()
		if err != nil {
			return err
		}
		if len(wrong) > 0 && !*saturate {
			return fmt.Errorf("%s: %s; -saturate takes the nearest number that fits", *in, saturated(wrong, lines))
		}
		if err := writeResults(*to, estimate[0]); err != nil {
			return err
		}
		tell(out.Err, sys, count, e)
		if len(wrong) > 0 {
			fmt.Fprintln(out.Err, saturated(wrong, lines))
		}
		return nil
	},
}

// systemOf is the system that the parameters ask for: by default of four rows,
// for a trajectory is one stream.
func systemOf(given cli.Values, variant int) (model.System, error) {
	sys := model.Paper()
	sys.Rows = 4

	// Parameters go on top of the variant.
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

	// A depth is a power of two, which the stacks of a row share.
	power := func(n int) int { return 1 << bits.Len(uint(n-1)) }
	if _, fixed := given["depth"]; !fixed && longest*sys.Stacks() > sys.Depth {
		sys.Depth = power(longest * sys.Stacks())
	}
	if longest*sys.Stacks() > sys.Depth || sys.Depth > 1<<16 {
		return fmt.Errorf("an episode has %d steps, and a stack holds at most %d", longest, min(sys.Depth, 1<<16)/sys.Stacks())
	}
	return nil
}

// readSteps reads a trajectory, with the line of each step. Errors name file, line
// and column.
func readSteps(path string, convention reference.Convention) (t *reference.Trajectory, lines []int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	in, err := cli.CSV(file)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil && err != io.EOF {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if err != nil || strings.Join(header, ",") != strings.Join(columns, ",") {
		return nil, nil, fmt.Errorf("%s: line 1: the header is not %s", path, strings.Join(columns, ","))
	}

	// Row by row, with the line for messages.
	s := recorded{convention: convention}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, cli.RecordError(err, row, columns))
		}
		line, _ := in.FieldPos(0)
		if err := s.add(row, line); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := s.complete(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return &s.Trajectory, s.lines, nil
}

// recorded is a trajectory that is being read.
type recorded struct {
	reference.Trajectory
	convention reference.Convention
	lines      []int
	empty      []bool // next_value is
}

func (s *recorded) add(row []string, line int) (err error) {
	var x [3]float64

	// An empty next_value is 0 until complete knows whether it is needed.
	empty := strings.TrimSpace(row[2]) == ""
	for i := range x {
		if i == 2 && empty {
			continue
		}
		if x[i], err = number(row[i]); err != nil {
			return fmt.Errorf("line %d: %s: %w", line, columns[i], err)
		}
	}

	// The other two columns are the ways in which an episode ends.
	var flag [2]bool
	for i := range flag {
		if flag[i], err = truth(row[3+i]); err != nil {
			return fmt.Errorf("line %d: %s: %w", line, columns[3+i], err)
		}
	}

	s.Reward, s.Value, s.NextValue = append(s.Reward, x[0]), append(s.Value, x[1]), append(s.NextValue, x[2])
	s.Terminated, s.Truncated = append(s.Terminated, flag[0]), append(s.Truncated, flag[1])
	s.lines, s.empty = append(s.lines, line), append(s.empty, empty)
	return nil
}

// complete checks properties that no single row shows: that next_value is there where it is read,
// and that within an episode it is the next row's value, since both are values of one
// observation. Where it is not, the rows are not consecutive steps of one environment.
func (s *recorded) complete() error {
	n := s.Len()
	if n == 0 {
		return errors.New("no steps")
	}

	// Inside an episode next_value must be the next row's value.
	first, contradictions := -1, 0
	for i := range n {
		last := i == n-1
		switch {
		case s.Terminated[i], s.Truncated[i] && s.convention == reference.CleanRL:
		case s.empty[i] && (s.Truncated[i] || last):
			return fmt.Errorf("line %d: next_value is empty, and the episode goes on there: it is needed", s.lines[i])
		case s.Truncated[i], last, s.empty[i]:
		case !near(s.NextValue[i], s.Value[i+1]):
			if contradictions++; first < 0 {
				first = i
			}
		}
	}
	if contradictions == 0 {
		return nil
	}

	// Interleaved environments are the usual reason.
	more := ""
	if contradictions > 1 {
		more = fmt.Sprintf(", and in %d more lines", contradictions-1)
	}
	return fmt.Errorf("line %d: next_value is %v, and the value of line %d is %v, though no episode ends between them%s: "+
		"are these the steps of several environments in turn? Give each environment a file of its own; within an episode next_value may be empty",
		s.lines[first], s.NextValue[first], s.lines[first+1], s.Value[first+1], more)
}

// near reports whether two numbers are the same but for being rounded or computed in
// another batch: to a thousandth.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-3*max(1, math.Abs(a), math.Abs(b))
}

// saturated says which lines have results that are wrong, in runs of lines.
func saturated(wrong []host.Saturated, lines []int) string {
	var parts []string

	// Neighbouring lines with the same mistake are one place.
	for i := 0; i < len(wrong); {
		j := i + 1
		for j < len(wrong) && wrong[j].What == wrong[i].What && wrong[j].Step == wrong[j-1].Step+1 {
			j++
		}
		from, to := lines[wrong[i].Step], lines[wrong[j-1].Step]
		where := fmt.Sprintf("line %d", from)
		if to > from {
			where = fmt.Sprintf("lines %d to %d", from, to)
		}
		parts = append(parts, where+": "+wrong[i].What)
		i = j
	}

	const most = 8
	if n := len(parts); n > most {
		parts = append(parts[:most], fmt.Sprintf("and %d more places", n-most))
	}
	// The accelerator shifts data as far as it can before a number counts as outside.
	return fmt.Sprintf("%d of %d steps are outside the circuit's range, shifted as far as it goes, and so may be the results before them in their episodes: %s",
		len(wrong), len(lines), strings.Join(parts, "; "))
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

// tell prints the circuit's figures.
func tell(w io.Writer, sys model.System, c ppo.Counters, e *host.Estimator) {
	runs := ""
	if e.Runs > 1 {
		runs = fmt.Sprintf(" in %d runs, of which the last stores results in the finest units that hold them", e.Runs)
	}
	fmt.Fprintf(w, "%d steps, γ = %v, λ = %v, %d rows: %d cycles from start to done%s; %d of the host port\n",
		c.Elements, sys.Gamma, sys.Lambda, sys.Rows, c.Cycles, runs, c.Transfer)

	l, s := e.LoadClips, e.Clips
	fmt.Fprintf(w, "clipped on loading: %d rewards, %d values, %d bootstrap values\n", l.Reward, l.Value, l.Boot)
	fmt.Fprintf(w, "saturated: %d restored values, %d δ, %d advantages, %d returns; as stored %d advantages, %d returns\n",
		s.Value, s.Delta, s.Advantage, s.Return, s.StoredAdvantage, s.StoredReturn)
}
