package gaetool

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/designs/gae/reference"
)

// etch runs a command line.
func etch(t *testing.T, args ...string) (code int, errs string) {
	t.Helper()
	var out, err bytes.Buffer
	app := cli.App{Name: "etch", Designs: Designs(), Commands: []cli.Command{cli.Verb("run", "design", "runs", Run)}}
	code = app.Run(args, cli.Output{Out: &out, Err: &err})
	return code, err.String()
}

// drawn draws a trajectory with both sorts of end, and writes it.
func drawn(t *testing.T, path string, n int) *reference.Trajectory {
	r := rand.New(rand.NewPCG(1, 1))
	tr := reference.NewTrajectory(n)
	var b strings.Builder
	fmt.Fprintln(&b, strings.Join(columns, ","))
	v := r.NormFloat64()
	for i := range n {
		tr.Reward[i], tr.Value[i], tr.NextValue[i] = r.NormFloat64(), v, r.NormFloat64()
		tr.Terminated[i], tr.Truncated[i] = i%37 == 36, i%50 == 49
		fmt.Fprintf(&b, "%v,%v,%v,%v,%d\n", tr.Reward[i], tr.Value[i], tr.NextValue[i], tr.Terminated[i], map[bool]int{true: 1}[tr.Truncated[i]])
		if v = tr.NextValue[i]; tr.Done(i) {
			v = r.NormFloat64()
		}
	}
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
	return &tr
}

// A file of steps gives the advantages of the reference, in both conventions; what
// is quantised is nearer to it than 20 dB.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	in, to := filepath.Join(dir, "steps.csv"), filepath.Join(dir, "adv.csv")
	tr := drawn(t, in, 300)
	for _, c := range []struct {
		args       []string
		convention reference.Convention
		least      float64
	}{
		{nil, reference.StableBaselines, 80},
		{[]string{"-convention", "cleanrl"}, reference.CleanRL, 80},
		{[]string{"-p", "form=cslow", "-p", "k=4"}, reference.StableBaselines, 80},
		{[]string{"-variant", "3"}, reference.StableBaselines, 20},
	} {
		code, errs := etch(t, append([]string{"run", "gae", "-p", "gamma=0.98", "-p", "lambda=0.9", "-in", in, "-out", to}, c.args...)...)
		require.Zero(t, code, errs)
		require.Contains(t, errs, "300 steps, γ = 0.98, λ = 0.9, 4 rows: ")
		want, err := c.convention.Estimate(tr, 0.98, 0.9)
		require.NoError(t, err)
		text, err := os.ReadFile(to)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		require.Equal(t, "advantage,return", lines[0])
		got := reference.NewEstimate(300)
		for i, line := range lines[1:] {
			_, err := fmt.Sscanf(line, "%g,%g", &got.Advantage[i], &got.Return[i])
			require.NoError(t, err)
		}
		require.GreaterOrEqual(t, reference.Compare(want.Advantage, got.Advantage).SNR, c.least, c.args)
		require.GreaterOrEqual(t, reference.Compare(want.Return, got.Return).SNR, c.least, c.args)
	}
}

// A mistake names file, line and column, and leaves no output behind.
func TestRunMistakes(t *testing.T) {
	dir := t.TempDir()
	in, to := filepath.Join(dir, "steps.csv"), filepath.Join(dir, "adv.csv")
	head := "reward,value,next_value,terminated,truncated\n"
	long := head + strings.Repeat("0,0,0,0,0\n", 40)
	for _, c := range []struct{ text, args, want string }{
		{"r,v\n1,2\n", "", "line 1: the header is not reward,value,next_value,terminated,truncated"},
		{head, "", "no steps"},
		{head + "1,2,3,0,0\n1,x,3,0,0\n", "", `line 3: value: "x" is not a number`},
		{head + "1,2,3,0,maybe\n", "", `line 2: truncated: "maybe" is not 0, 1, true or false`},
		{head + "1,2,40000,0,0\n", "", "line 2: next_value: 40000 is outside the circuit's input, -32768 to 32768"},
		{head + "1,2,3,0\n", "", "line 2"},
		{head + "1,2,3,0,0\n1,3,,0,0\n", "", "line 3: next_value is empty, and the episode goes on there"},
		{head + "1,2,,0,1\n1,3,4,0,0\n", "", "line 2: next_value is empty"},
		{head + "1,2,,0,0\n1,3,x,1,0\n", "", `line 3: next_value: "x" is not a number`},
		// the steps of two environments in turn
		{head + "1,2,3,0,0\n1,8,9,0,0\n1,3,4,0,0\n1,9,7,0,0\n", "",
			"line 2: next_value is 3, and the value of line 3 is 8, though no episode ends between them, and in 2 more lines"},
		{long, "-p depth=16", "an episode has 40 steps, and a stack holds at most 16"},
		{long, "-p gamma=1.5", "parameter gamma = 1.5, want 0 to 1: the discount of a step"},
		{long, "-p gama=1", "no parameter gama; did you mean gamma?"},
		{long, "-variant 7", "-variant 7, want 1 to 5"},
	} {
		require.NoError(t, os.WriteFile(in, []byte(c.text), 0o644))
		code, errs := etch(t, append([]string{"run", "gae", "-in", in, "-out", to}, strings.Fields(c.args)...)...)
		require.NotZero(t, code)
		require.Contains(t, errs, c.want)
		require.NoFileExists(t, to)
	}
	require.NoError(t, os.WriteFile(in, []byte(long), 0o644))
	code, errs := etch(t, "run", "gae", "-in", in, "-out", to)
	require.Zero(t, code, errs)
}

// An empty next_value is taken where nothing reads it: where an episode terminates,
// and within one, where the next row's value is the same.
func TestRunEmptyNextValue(t *testing.T) {
	dir := t.TempDir()
	in, to := filepath.Join(dir, "steps.csv"), filepath.Join(dir, "adv.csv")
	results := func(text string, args ...string) string {
		require.NoError(t, os.WriteFile(in, []byte(strings.Join(columns, ",")+"\n"+text), 0o644))
		code, errs := etch(t, append([]string{"run", "gae", "-in", in, "-out", to}, args...)...)
		require.Zero(t, code, errs)
		out, err := os.ReadFile(to)
		require.NoError(t, err)
		return string(out)
	}
	full := "1,2,3,0,0\n1,3.0001,7,1,0\n2,1,5,0,1\n1,4,0.5,0,0\n"
	require.Equal(t, results(full), results("1,2,,0,0\n1,3.0001, ,1,0\n2,1,5,0,1\n1,4,0.5,0,0\n"))
	require.Equal(t, results(full, "-convention", "cleanrl"), results("1,2,,0,0\n1,3.0001,,1,0\n2,1,,0,1\n1,4,0.5,0,0\n", "-convention", "cleanrl"))
}

// Results of any size that the circuit's shifted range holds are right to 80 dB; one
// that it does not hold is an error that names its lines, unless it is asked for.
func TestRunLargeResults(t *testing.T) {
	dir := t.TempDir()
	in, to := filepath.Join(dir, "steps.csv"), filepath.Join(dir, "adv.csv")
	for _, c := range []struct {
		reward       float64
		steps        int
		args, errs   string
		first, third float64 // advantage of the first and third step
	}{
		{100, 20, "", "", 2000, 1800},
		{-100, 20, "", "", -2000, -1800},
		{1, 5000, "", "", 5000, 4998},
		{1, 5000, "-p k=4 -p form=cslow", "", 5000, 4998},
		{1, 600, "-p narrow=true", "", 600, 598}, // 9 bits reach 128 in their largest unit
		{32000, 1500, "", "lines 2 to 453: the advantage; -saturate", 0, 0},
		{32000, 1500, "-saturate", "lines 2 to 453: the advantage", 1 << 25, 1 << 25},
		{100, 20, "-variant 3", "", 2000, 1800},
	} {
		os.Remove(to)
		text := strings.Join(columns, ",") + "\n" + strings.Repeat(fmt.Sprintf("%v,0,0,0,0\n", c.reward), c.steps-1) + fmt.Sprintf("%v,0,,1,0\n", c.reward)
		require.NoError(t, os.WriteFile(in, []byte(text), 0o644))
		code, errs := etch(t, append([]string{"run", "gae", "-p", "gamma=1", "-p", "lambda=1", "-in", in, "-out", to}, strings.Fields(c.args)...)...)
		require.Contains(t, errs, c.errs)
		if c.first == 0 {
			require.Equal(t, 1, code)
			require.NoFileExists(t, to)
			continue
		}
		require.Zero(t, code, errs)
		out, err := os.ReadFile(to)
		require.NoError(t, err)
		lines := strings.Split(string(out), "\n")
		var got [2]float64
		for i := range got {
			_, err := fmt.Sscanf(lines[1+2*i], "%g,", &got[i])
			require.NoError(t, err)
		}
		require.InEpsilon(t, c.first, got[0], 0.01, c)
		require.InEpsilon(t, c.third, got[1], 0.01, c)
	}
}
