package dwctool

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/designs/dwc/model"
	"etch/designs/dwc/train"
)

func command(t *testing.T, c cli.Command, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	app := cli.App{Name: "etch", Commands: []cli.Command{c}, Designs: []cli.Design{Design()}}
	code = app.Run(append([]string{c.Name}, args...), cli.Output{Out: &o, Err: &e})
	return code, o.String(), e.String()
}

// modelFile writes a random model and returns its path.
func modelFile(t *testing.T, head model.HeadKind) (string, *model.Model) {
	t.Helper()
	m, err := model.Random(model.RandomSpec{Obs: 2, Groups: 3, Head: head, B: 5, Widths: []int{30, 24}, N: []int{4}, SensorBits: 8, DACBits: 9}, 11)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "model.json")
	require.NoError(t, m.WriteFile(path))
	return path, m
}

// Every head, in codes and in units: the file that comes out is what model.Eval
// says, line by line.
func TestRun(t *testing.T) {
	for _, head := range []string{"rom", "counts", "argmax"} {
		for _, codes := range []bool{false, true} {
			path, m := modelFile(t, model.SAC)
			f, err := m.Fold()
			require.NoError(t, err)
			eval := model.NewEval(f)
			var in strings.Builder
			in.WriteString("obs_0,obs_1\n")
			var want []string
			for i := range 40 {
				c := []int{i*7%255 - 127, i*31%255 - 127}
				if codes {
					fmt.Fprintf(&in, "%d,%d\n", c[0], c[1])
				} else {
					fmt.Fprintf(&in, "%v,%v\n", m.Dequantise(0, c[0]), m.Dequantise(1, c[1]))
				}
				want = append(want, expected(m, eval, head, codes, c))
			}
			dir := t.TempDir()
			src, dst := filepath.Join(dir, "obs.csv"), filepath.Join(dir, "act.csv")
			require.NoError(t, os.WriteFile(src, []byte(in.String()), 0o644))
			args := []string{"-p", "model=" + path, "-p", "head=" + head, "-in", src, "-out", dst}
			if codes {
				args = append(args, "-codes")
			}
			code, _, errs := command(t, Run, args...)
			require.Zero(t, code, errs)
			require.Contains(t, errs, "40 observations")
			got, err := os.ReadFile(dst)
			require.NoError(t, err)
			lines := strings.Split(strings.TrimSpace(string(got)), "\n")
			require.Equal(t, map[string]string{"rom": "act_0,act_1,act_2", "counts": "count_0,count_1,count_2", "argmax": "class"}[head], lines[0])
			require.Equal(t, want, lines[1:])
		}
	}
}

func expected(m *model.Model, eval *model.Eval, head string, codes bool, c []int) string {
	var parts []string
	switch head {
	case "argmax":
		return strconv.Itoa(eval.Class(c))
	case "counts":
		for _, n := range eval.Counts(c) {
			parts = append(parts, strconv.Itoa(n))
		}
	default:
		out := make([]int, 3)
		eval.Act(c, out)
		for a, v := range out {
			if codes {
				parts = append(parts, strconv.Itoa(v))
			} else {
				parts = append(parts, strconv.FormatFloat(m.Decode(a, v), 'g', -1, 64))
			}
		}
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write(parts)
	w.Flush()
	return strings.TrimSpace(b.String())
}

// Bad files give one line that names file, line and what is wrong, exit 1, and
// leave no output.
func TestRunBadInput(t *testing.T) {
	path, _ := modelFile(t, model.SAC)
	for _, c := range []struct{ csv, want string }{
		{"", "line 1"},
		{"obs_0\n1\n", "line 1: 1 dimensions, the model has 2"},
		{"obs_1,obs_0\n1,2\n", `line 1: column 1 is "obs_1"`},
		{"obs_0,obs_1\n1,2\n3\n", "line 3: 1 field; the header has 2: obs_0,obs_1"},
		{"obs_0,obs_1\n1,x\n", `line 2: obs_1: "x" is not a number`},
		{"obs_0,obs_1\n1,NaN\n", `line 2: obs_1: "NaN" is not a number`},
		{"obs_0,obs_1\n1,\"2\n", "line"},
	} {
		dir := t.TempDir()
		src, dst := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.csv")
		require.NoError(t, os.WriteFile(src, []byte(c.csv), 0o644))
		code, _, errs := command(t, Run, "-p", "model="+path, "-in", src, "-out", dst)
		require.Equal(t, 1, code, errs)
		require.Contains(t, errs, c.want)
		require.LessOrEqual(t, strings.Count(errs, "\n"), 3)
		files, _ := os.ReadDir(dir)
		require.Len(t, files, 1, "only the input is there")
	}
	code, _, errs := command(t, Run, "-p", "model="+path, "-codes", "-in", "none.csv", "-out", "x.csv")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "none.csv")
	code, _, _ = command(t, Run, "-p", "model="+path)
	require.Equal(t, 2, code)
	code, _, errs = command(t, Run, "-p", "mdel="+path, "-in", "a", "-out", "b")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "did you mean model?")
}

// Codes outside the sensor's range are an error, not wrapped.
func TestRunCodeRange(t *testing.T) {
	path, _ := modelFile(t, model.SAC)
	dir := t.TempDir()
	src := filepath.Join(dir, "in.csv")
	require.NoError(t, os.WriteFile(src, []byte("obs_0,obs_1\n1,128\n"), 0o644))
	code, _, errs := command(t, Run, "-p", "model="+path, "-codes", "-in", src, "-out", filepath.Join(dir, "o.csv"))
	require.Equal(t, 1, code)
	require.Contains(t, errs, "line 2")
}

func TestDemo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	code, out, errs := command(t, Demo, "-o", dir)
	require.Zero(t, code, errs)
	require.Contains(t, out, "every one equal to the Go model's")
	require.Contains(t, out, "act_0")
	for _, name := range []string{"dwc.v", "dwc.etch", "dwc.vcd"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(1000), name)
	}
}

func TestReport(t *testing.T) {
	path, _ := modelFile(t, model.SAC)
	dir := t.TempDir()
	code, out, errs := command(t, cli.Command{Name: "help"})
	require.Zero(t, code, errs)
	require.Contains(t, out, "report")
	app := cli.App{Designs: []cli.Design{Design()}}
	var o, e bytes.Buffer
	require.Zero(t, app.Run([]string{"report", "dwc", "-yosys=false", "-p", "model=" + path, "-o", dir}, cli.Output{Out: &o, Err: &e}), e.String())
	require.Contains(t, o.String(), "connectivity of the first layer: 120 pins")
	require.Contains(t, o.String(), "tables of layer 1 nothing reads")
	svg, err := os.ReadFile(filepath.Join(dir, "connectivity-dims.svg"))
	require.NoError(t, err)
	require.Contains(t, string(svg), "</svg>")
}

func TestTrainUsage(t *testing.T) {
	code, _, errs := command(t, Train, "-seed", "1")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "-o is missing")
	code, _, errs = command(t, Train, "-o", "x.json", "-bits", "30")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "bits")
}

// A place that cannot be written is found before the training, not after it.
func TestOutputsAreCheckedFirst(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none", "x.json")
	code, out, errs := command(t, Train, "-o", missing)
	require.Equal(t, 1, code)
	require.Equal(t, "etch dwc: open "+missing+": no such file or directory\n", errs)
	require.Empty(t, out)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	code, out, errs = command(t, Demo, "-o", file)
	require.Equal(t, 1, code)
	require.Contains(t, errs, file)
	require.Empty(t, out)
}

func TestConvertUsage(t *testing.T) {
	code, _, errs := command(t, Convert, "none.pt")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "-o is missing")
	code, _, errs = command(t, Convert, "none.pt", "-o", "x.json")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "none.pt")
}

// A checkpoint that PyTorch wrote becomes a model file, a circuit, and actions.
func TestConvertAndRun(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sac.json")
	code, _, errs := command(t, Convert, "../checkpoint/testdata/sac.pth", "-o", path, "-bits", "7", "-sensor-bits", "12", "-sensor-max", "8,8,8", "-action-scale", "1")
	require.Zero(t, code, errs)
	m, err := model.ReadFile(path)
	require.NoError(t, err)
	f, err := m.Fold()
	require.NoError(t, err)
	src, dst := filepath.Join(dir, "obs.csv"), filepath.Join(dir, "act.csv")
	var in strings.Builder
	in.WriteString("obs_0,obs_1,obs_2\n")
	var want []string
	for i := range 20 {
		c := []int{i*191%4095 - 2047, i*777%4095 - 2047, i*1234%4095 - 2047}
		fmt.Fprintf(&in, "%d,%d,%d\n", c[0], c[1], c[2])
		out := make([]int, m.Groups())
		model.NewEval(f).Act(c, out)
		var parts []string
		for _, v := range out {
			parts = append(parts, strconv.Itoa(v))
		}
		want = append(want, strings.Join(parts, ","))
	}
	require.NoError(t, os.WriteFile(src, []byte(in.String()), 0o644))
	code, _, errs = command(t, Run, "-p", "model="+path, "-codes", "-in", src, "-out", dst)
	require.Zero(t, code, errs)
	got, err := os.ReadFile(dst)
	require.NoError(t, err)
	require.Equal(t, want, strings.Split(strings.TrimSpace(string(got)), "\n")[1:])
}

// convert lists layouts, tells that of a file, and makes a model that etch runs.
func TestConvertForeign(t *testing.T) {
	code, out, errs := command(t, Convert, "-list")
	require.Zero(t, code, errs)
	for _, name := range []string{"controller\n", "dwn\n", "difflogic\n"} {
		require.Contains(t, out, name)
	}
	const file = "../checkpoint/testdata/dwn_model.pt"
	code, out, errs = command(t, Convert, "-list", file)
	require.Zero(t, code, errs)
	require.Contains(t, out, file+": layout dwn model.\n")
	require.Contains(t, out, "thermometer.thresholds")

	to := filepath.Join(t.TempDir(), "m.json")
	code, _, errs = command(t, Convert, file, "-o", to, "-sensor-bits", "8")
	require.NotZero(t, code)
	require.Contains(t, errs, "give -sensor-scale")
	require.NoFileExists(t, to)
	code, _, errs = command(t, Convert, file, "-o", to, "-sensor-bits", "8", "-sensor-scale", "0.0625")
	require.Zero(t, code, errs)
	require.Contains(t, errs, "6 observations, 3 layers, head argmax")
	m, err := model.ReadFile(to)
	require.NoError(t, err)
	require.Equal(t, model.Physical, m.Thresholds.Kind)

	code, _, errs = command(t, Convert, "-o", to)
	require.NotZero(t, code)
	require.Contains(t, errs, "CHECKPOINT is missing")
}

// Values beyond the sensor's range are counted by dimension; blanks around names
// and numbers do not matter.
func TestRunCountsClamped(t *testing.T) {
	path, m := modelFile(t, model.SAC)
	dir := t.TempDir()
	src, dst := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.csv")
	top := m.Dequantise(1, 127)
	text := fmt.Sprintf(" obs_0 ,\tobs_1\n0, 1\n1e9,%v\n-1e9 ,%v\n-2e9,0\n", top, top*1.01)
	require.NoError(t, os.WriteFile(src, []byte(text), 0o644))
	code, _, errs := command(t, Run, "-p", "model="+path, "-in", src, "-out", dst)
	require.Zero(t, code, errs)
	require.Contains(t, errs, "4 observations")
	require.Regexp(t, `clamped to the sensor's range: obs_0 3 \(beyond ±[0-9.]+\), obs_1 1 \(beyond ±[0-9.]+\)\n`, errs)

	require.NoError(t, os.WriteFile(src, []byte("obs_0,obs_1\n0,1\n"), 0o644))
	code, _, errs = command(t, Run, "-p", "model="+path, "-in", src, "-out", dst)
	require.Zero(t, code, errs)
	require.NotContains(t, errs, "clamped")
}

// A run that is interrupted is saved beside the model and says how to go on; going
// on gives the model that a run without a break gives. Flags that contradict the
// run are an error.
func TestTrainResume(t *testing.T) {
	c := train.Default()
	c.Seed, c.Steps, c.Widths, c.N, c.Bits, c.ValidateEvery = 3, 700, []int{8, 6}, 3, 5, 0
	straight, err := train.New(c)
	require.NoError(t, err)
	require.NoError(t, straight.Run(t.Context(), nil))
	want, err := straight.Model()
	require.NoError(t, err)

	broken, err := train.New(c)
	require.NoError(t, err)
	dir := t.TempDir()
	to, save := filepath.Join(dir, "m.json"), filepath.Join(dir, "m.run")
	ctx, stop := context.WithCancel(t.Context())
	require.ErrorIs(t, broken.Run(ctx, func(p train.Progress) {
		if p.Step == 600 {
			stop()
		}
	}), context.Canceled)
	var o, e bytes.Buffer
	err = trainTo(ctx, broken, to, save, 10, false, cli.Output{Out: &o, Err: &e})
	require.EqualError(t, err, "stopped at step 600 of 700; go on with: etch train dwc -resume "+save+" -o "+to)
	require.NoFileExists(t, to)

	for _, flags := range [][]string{{"-seed", "4"}, {"-steps", "800"}, {"-widths", "8,8"}, {"-n", "6"}, {"-bits", "7"}, {"-mapping", "fixed"}} {
		code, _, errs := command(t, Train, append(flags, "-resume", save, "-o", to)...)
		require.Equal(t, 2, code)
		require.Contains(t, errs, "goes on with a run that began otherwise: "+flags[0]+" "+flags[1]+" (")
	}
	code, _, errs := command(t, Train, "-resume", save, "-o", to, "-seed", "3", "-widths", "8,6", "-starts", "10")
	require.Zero(t, code, errs)
	got, err := model.ReadFile(to)
	require.NoError(t, err)
	require.Equal(t, want, got)
	code, _, errs = command(t, Train, "-resume", filepath.Join(dir, "none"), "-o", to)
	require.Equal(t, 1, code, errs)
}
