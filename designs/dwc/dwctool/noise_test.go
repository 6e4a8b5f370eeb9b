package dwctool

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/dwc/model"
	"etch/designs/dwc/pretrained"
	"etch/designs/pendulum"
)

// The returns of the circuit in lanes are those of the Go model, rollout by
// rollout, to the last bit.
func TestNoiseReturns(t *testing.T) {
	m, err := pretrained.Pendulum()
	require.NoError(t, err)
	e := &noiseExperiment{model: m, seed: 5, levels: []float64{0, 0.4}, starts: pendulum.Starts(7, 5)}
	run, err := newNoiseRun(e)
	require.NoError(t, err)
	defer run.lanes.Close()
	got, err := run.returns()
	require.NoError(t, err)

	f, err := m.Fold()
	require.NoError(t, err)
	eval := model.NewEval(f)
	act := func(o pendulum.Observation) float64 {
		codes, want := make([]int, 3), make([]int, 1)
		for d, x := range o {
			codes[d] = m.Quantise(d, x)
		}
		eval.Act(codes, want)
		return m.Decode(0, want[0])
	}
	require.Equal(t, append(e.returns(0, act), e.returns(0.4, act)...), got)
	require.Equal(t, pendulum.Evaluate(e.starts, func(s pendulum.State) float64 { return act(s.Observe()) }).Returns, got[:7])
	require.NotEqual(t, got[:7], got[7:])
}

// The command prints a table or JSON, twice the same, and writes a plot that is
// XML.
func TestNoiseCommand(t *testing.T) {
	dir := t.TempDir()
	args := []string{"-rollouts", "12", "-levels", "0.5,0", "-hidden", "2", "-o", dir}
	code, out, errs := command(t, Noise, args...)
	require.Zero(t, code, errs)
	require.Contains(t, out, "value iteration")
	_, again, _ := command(t, Noise, args...)
	require.Equal(t, out, again)
	plot, err := os.Open(filepath.Join(dir, "noise.svg"))
	require.NoError(t, err)
	defer plot.Close()
	d := xml.NewDecoder(plot)
	for err == nil {
		_, err = d.Token()
	}
	require.Equal(t, io.EOF, err)

	code, out, errs = command(t, Noise, append(args, "-json")...)
	require.Zero(t, code, errs)
	var doc struct{ Rows []NoiseRow }
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	require.Len(t, doc.Rows, 2)
	require.Less(t, doc.Rows[0].Noise, doc.Rows[1].Noise)
	require.Greater(t, doc.Rows[0].Circuit.Mean, doc.Rows[1].Circuit.Mean, "noise does harm")
}

// What the command refuses.
func TestNoiseErrors(t *testing.T) {
	for want, args := range map[string][]string{
		`-levels: "x" is not a standard deviation in 0 to 100`: {"-levels", "x"},
		`-levels: "-1" is not a standard deviation`:            {"-levels", "-1"},
		`-levels: "NaN" is not a standard deviation`:           {"-levels", "NaN"},
		`-rollouts: 0 is not in 1 to 100000`:                   {"-rollouts", "0"},
		`-p takes model=FILE only`:                             {"-p", "size=3"},
		`no/such.json`:                                         {"-p", "model=no/such.json"},
	} {
		code, _, errs := command(t, Noise, append(args, "-o", t.TempDir())...)
		require.NotZero(t, code)
		require.Contains(t, errs, want)
	}
	path, _ := modelFile(t, model.SAC)
	_, _, errs := command(t, Noise, "-p", "model="+path, "-o", t.TempDir())
	require.Contains(t, errs, "the pendulum wants 3 observations and 1 action, the model has 2 and 3")
}
