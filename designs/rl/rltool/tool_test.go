package rltool

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/designs/rl/policy"
)

// TestMain lets the test binary be an environment that goes wrong after some steps.
func TestMain(m *testing.M) {
	how, is := os.LookupEnv("ETCH_TEST_TASK")
	if !is {
		os.Exit(m.Run())
	}
	in := bufio.NewScanner(os.Stdin)
	for n := 0; in.Scan(); n++ {
		switch text := in.Text(); {
		case strings.Contains(text, "hello"):
			fmt.Println(`{"observation":2,"actions":2}`)
		case strings.Contains(text, "reset"):
			fmt.Println(`{"obs":[0,0]}`)
		case n > 700 && how == "stalls":
			time.Sleep(time.Minute)
		case n > 700 && how == "dies":
			os.Exit(1)
		case n > 700 && how == "nan":
			fmt.Println(`{"obs":[NaN,0],"reward":1,"terminated":false,"truncated":false}`)
		default:
			fmt.Printf("{\"obs\":[%d,1],\"reward\":1,\"terminated\":%v,\"truncated\":false}\n", n%7, n%50 == 0)
		}
	}
}

var app = cli.App{Name: "etch", Designs: Designs(), Commands: []cli.Command{
	cli.Verb("demo", "design", "", Demo), cli.Verb("run", "design", "", Run, RunLearner), cli.Verb("train", "design", "", TrainDQN, TrainDDPG),
	Convert(cli.Command{Name: "convert", Run: func(*cli.App, []string, cli.Output) error { return cli.Usagef("a checkpoint") }}),
	cli.Verb("experiment", "experiment", "", Seeds, Variants, Formats, Speed),
}}

// etch runs a command and returns what it says.
func etch(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	a := app
	code = a.Run(args, cli.Output{Out: &o, Err: &e})
	return code, o.String(), e.String()
}

func done(t *testing.T, args ...string) (out string) {
	t.Helper()
	code, out, errs := etch(t, args...)
	require.Zero(t, code, "%s", errs)
	return out + errs
}

// TestDemo: a short demonstration writes all its files.
func TestDemo(t *testing.T) {
	dir := t.TempDir()
	text := done(t, "demo", "replay", "-steps", "100", "-o", dir)
	require.Contains(t, text, "1209 cycles; draws 117, learner 1091, last priorities 1")
	for _, name := range []string{"rl.v", "rl.svg", "policy.json", "step.fst"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Positive(t, info.Size())
	}
	code, _, errs := etch(t, "demo", "replay", "-steps", "10", "-o", dir)
	require.Equal(t, 2, code)
	require.Contains(t, errs, "no test yet")
}

// TestTrain: both algorithms write policies that the circuit or the model runs again; a run
// that is kept goes on to the same policy.
func TestTrain(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	done(t, "train", "ddpg", "-steps", "20", "-o", in("d.json"))
	done(t, "train", "dqn", "-steps", "60", "-o", in("a.safetensors"))
	done(t, "train", "ddpg", "-engine", "float", "-steps", "20", "-o", in("f.json"))
	done(t, "train", "ddpg", "-weights", in("f.json"), "-steps", "1", "-o", in("f.json"))
	done(t, "train", "dqn", "-steps", "25", "-save", in("run"), "-o", in("b.safetensors"))
	done(t, "train", "dqn", "-steps", "60", "-resume", in("run"), "-o", in("b.safetensors"))
	a, err := os.ReadFile(in("a.safetensors"))
	require.NoError(t, err)
	b, err := os.ReadFile(in("b.safetensors"))
	require.NoError(t, err)
	require.Equal(t, a, b)
	code, _, errs := etch(t, "train", "dqn", "-seed", "2", "-resume", in("run"), "-o", in("b.json"))
	require.Equal(t, 2, code)
	require.Contains(t, errs, "-seed 2: "+in("run")+" began with 1")

	// Flags as at the beginning say nothing new; others, and fewer steps, are refused.
	require.Contains(t, done(t, "train", "dqn", "-steps", "30", "-resume", in("run"), "-seed", "1", "-engine", "model", "-env", "cartpole", "-goal", "475", "-p", "learner.batch=0x20", "-p", "loop.scale=1,1,8,1", "-o", in("b.json")),
		"no test, they come every 100 gradient steps")
	for args, want := range map[string]string{
		"-engine float":       "-engine float: " + in("run") + " began with model",
		"-goal 3":             "-goal 3: " + in("run") + " began with 475",
		"-p learner.batch=64": "-p learner.batch=64: " + in("run") + " began with 32",
		"-steps 24":           "-steps 24: " + in("run") + " has 25 gradient steps already",
	} {
		code, _, errs := etch(t, append([]string{"train", "dqn", "-resume", in("run"), "-o", in("b.json")}, strings.Fields(args)...)...)
		require.Equal(t, 2, code)
		require.Contains(t, errs, want)
	}

	// The policy through the circuit.
	require.NoError(t, os.WriteFile(in("obs.csv"), []byte("s_0,s_1,s_2,s_3\n0,0,0.1,0\n0.5,-1,-0.1,2\n"), 0o666))
	require.Contains(t, done(t, "run", "rl", "-weights", in("a.safetensors"), "-in", in("obs.csv"), "-out", in("act.csv")), "equal the model's")
	text, err := os.ReadFile(in("act.csv"))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Len(t, lines, 3)
	require.Equal(t, "action,q_0,q_1", lines[0])
	code, _, errs = etch(t, "run", "rl", "-kind", "dqn", "-weights", in("d.json"), "-in", in("obs.csv"), "-out", in("act.csv"))
	require.Equal(t, 2, code)
	require.Contains(t, errs, "is a policy of ddpg")
	code, _, errs = etch(t, "run", "rl", "-weights", in("d.json"), "-in", in("obs.csv"), "-out", in("act.csv"))
	require.Equal(t, 1, code)
	require.Contains(t, errs, "line 1: columns s_0,s_1,s_2,s_3; want s_0,s_1,s_2")
}

// TestConvert: a policy goes from JSON to .safetensors and back unchanged; other files are the
// checkpoints of the verb.
func TestConvert(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	done(t, "train", "dqn", "-steps", "1", "-o", in("p.json"))
	require.Contains(t, done(t, "convert", in("p.json"), "-o", in("p.safetensors")), "a policy of a network [4 64 2]")
	done(t, "convert", "-o="+in("back.json"), in("p.safetensors"))
	want, err := os.ReadFile(in("p.json"))
	require.NoError(t, err)
	got, err := os.ReadFile(in("back.json"))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))

	require.NoError(t, os.WriteFile(in("x.json"), []byte("{}"), 0o666))
	require.NoError(t, os.WriteFile(in("x.safetensors"), []byte("123456789"), 0o666))
	for args, want := range map[string]string{
		in("x.json") + " -o " + in("y.json"):                   "x.json: etch is ",
		in("x.safetensors") + " -o " + in("y.safetensors"):     "x.safetensors: ",
		in("x.safetensors") + " -o " + in("y.json"):            "a checkpoint",
		in("p.safetensors") + " -o " + in("y.json") + " -list": "a checkpoint",
		in("p.safetensors"):                                    "a checkpoint",
		in("p.json") + " -o " + dir:                            "is a directory",
	} {
		code, _, errs := etch(t, append([]string{"convert"}, strings.Fields(args)...)...)
		require.NotZero(t, code)
		require.Contains(t, errs, want)
		require.NoFileExists(t, in("y.json"))
	}
}

// TestOwnEnvironment: a process is an environment; when it dies or sends NaN on the way, the
// error says so, no policy is written, and the run is kept until there.
func TestOwnEnvironment(t *testing.T) {
	dir := t.TempDir()
	to, command := filepath.Join(dir, "p.json"), `"`+os.Args[0]+`" x`
	for _, c := range []struct{ how, want string }{{"dies", "it ended: exit status 1"}, {"nan", "with NaN"}} {
		t.Setenv("ETCH_TEST_TASK", c.how)
		code, _, errs := etch(t, "train", "dqn", "-env", command, "-steps", "100", "-save", filepath.Join(dir, "run"), "-o", to)
		require.Equal(t, 1, code)
		require.Contains(t, errs, c.want)
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, files, 1)

		// The environment works again: the run goes on as one that nothing has stopped.
		require.Contains(t, errs, "-resume "+filepath.Join(dir, "run"))
		t.Setenv("ETCH_TEST_TASK", "works")
		whole := filepath.Join(t.TempDir(), "whole.json")
		done(t, "train", "dqn", "-env", command, "-steps", "100", "-o", whole)
		done(t, "train", "dqn", "-resume", filepath.Join(dir, "run"), "-steps", "100", "-o", to)
		a, err := os.ReadFile(whole)
		require.NoError(t, err)
		b, err := os.ReadFile(to)
		require.NoError(t, err)
		require.Equal(t, string(a), string(b))
		require.NoError(t, os.Remove(to))
		require.NoError(t, os.Remove(filepath.Join(dir, "run")))
	}
	t.Setenv("ETCH_TEST_TASK", "works")
	done(t, "train", "dqn", "-env", command, "-steps", "20", "-p", "learner.sizes=2,16,2", "-p", "learner.tiles=2,2,2,2", "-o", to)
	p, err := policy.ReadFile(to)
	require.NoError(t, err)
	require.Equal(t, []int{2, 16, 2}, p.Sizes)
	for args, want := range map[string]string{
		"-p learner.sizes=3,16,2":                  "a network of 3 inputs and 2 outputs for 2 numbers of an observation and 2 actions",
		"-p learner.tiles=3,2,2,2":                 "a tile of 3 inputs",
		"-p learner.weight.width=40":               "format of weights: 40 bits",
		"-engine quantum":                          "circuit, model or float",
		"-p loop.scale=1":                          "1 scales for 2 numbers",
		"-p sizes=3":                               "no parameter sizes",
		"-weights " + filepath.Join(dir, "p.none"): "no such file",
	} {
		code, _, errs := etch(t, append([]string{"train", "dqn", "-env", command, "-steps", "20", "-o", filepath.Join(dir, "q.json")}, strings.Fields(args)...)...)
		require.NotZero(t, code)
		require.Contains(t, errs, want)
	}
	// Mistakes are found before anything is learned.
	done(t, "train", "dqn", "-steps", "1", "-o", filepath.Join(dir, "four.json"))
	for args, want := range map[string]string{
		"-weights " + filepath.Join(dir, "four.json"): "four.json: weights of a network [4 64 2] for one of [2 64 2]",
		"-goal x":                           "not a number",
		"-steps -5":                         "train dqn: -steps -5: want 0 and more (",
		"-env-time 0s":                      "train dqn: -env-time 0s: want more than 0 (",
		"-env-steps 0":                      "train dqn: -env-steps 0: want 1 and more (",
		"-p loop.reward=0":                  "loop.reward is 0; want a finite factor other than 0",
		"-p loop.scale=1,0":                 "loop.scale: factor 1 is 0; want",
		"-goal nan":                         "not a number",
		"-save " + dir:                      "is a directory",
		"-save " + filepath.Join(dir, "to"): "are the same file",
	} {
		code, _, errs := etch(t, append([]string{"train", "dqn", "-env", command, "-steps", "20", "-o", filepath.Join(dir, "to")}, strings.Fields(args)...)...)
		require.NotZero(t, code)
		require.Contains(t, errs, want)
		require.NoFileExists(t, filepath.Join(dir, "to"))
	}
	code, _, errs := etch(t, "train", "ddpg", "-env", command, "-o", to)
	require.Equal(t, 2, code)
	require.Contains(t, errs, "dqn takes these")
}

// TestExperiments: a seed of each kind that is quick.
func TestExperiments(t *testing.T) {
	text := done(t, "experiment", "rl-formats", "-seeds", "1")
	require.Contains(t, text, "model, 16 bits")
	require.Contains(t, text, "1 of 1")
	text = done(t, "experiment", "rl-speed", "-time", "1ms", "-repeat", "1")
	require.Equal(t, 2, strings.Count(text, "circuit, simulated"))
	code, _, errs := etch(t, "experiment", "rl-seeds", "-task", "chess")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "want cartpole or pendulum")
}

// TestReports: both systems say their cycles.
func TestReports(t *testing.T) {
	for i, want := range []string{"a gradient step of 32 samples takes 1209 cycles", "a gradient step of 64 samples takes"} {
		var text bytes.Buffer
		_, err := Designs()[i].Report(nil, &text, "")
		require.NoError(t, err)
		require.Contains(t, text.String(), want)
	}
}

// TestDataSet: learning from a file of transitions, and its mistakes.
func TestDataSet(t *testing.T) {
	dir := t.TempDir()
	in, to := filepath.Join(dir, "t.csv"), filepath.Join(dir, "p.json")
	put := func(text string) { require.NoError(t, os.WriteFile(in, []byte(text), 0o666)) }
	put("s_0,s_1,a,reward,next_0,next_1,discount\n0,1,0,1,1,2,0.99\n1,2,1,0,0,0,0\n")
	require.Contains(t, done(t, "train", "dqn", "-in", in, "-steps", "30", "-o", to), "30 gradient steps on 2 transitions")
	require.FileExists(t, to)

	// A network of the file's own shape is named; one that is given must have all actions.
	put("s_0,s_1,a,reward,next_0,next_1,discount\n0,1,0,1,1,2,0.99\n1,2,7,0,0,0,0\n1,2,1,0,0,0,0\n")
	require.Contains(t, done(t, "train", "dqn", "-in", in, "-steps", "2", "-o", to), "its greatest action, 7 in line 3, makes a network of [2 64 8]")
	require.NoError(t, os.Remove(to))
	for _, engine := range []string{"float", "model", "circuit"} {
		for args, want := range map[string]string{
			"-p learner.sizes=2,64,2 -p learner.tiles=2,2,2,2": "t.csv: line 3, column a: 7 is not an action of the network, 0 to 1",
			"-p learner.sizes=3,64,8 -p learner.tiles=3,2,2,2": "t.csv: line 1: 2 columns s_0,…; the network has 3",
		} {
			code, _, errs := etch(t, append([]string{"train", "dqn", "-in", in, "-engine", engine, "-steps", "3000", "-o", to}, strings.Fields(args)...)...)
			require.Equal(t, 1, code)
			require.Contains(t, errs, want)
			require.NoFileExists(t, to)
		}
	}

	// A run that is kept goes on without the file, to the same policy.
	done(t, "train", "dqn", "-in", in, "-steps", "30", "-o", to)
	want, err := os.ReadFile(to)
	require.NoError(t, err)
	run := filepath.Join(dir, "run")
	done(t, "train", "dqn", "-in", in, "-steps", "11", "-save", run, "-o", to)
	code, _, errs := etch(t, "train", "dqn", "-in", in, "-resume", run, "-o", to)
	require.Equal(t, 2, code)
	require.Contains(t, errs, "leave out -in")
	require.Contains(t, done(t, "train", "dqn", "-resume", run, "-steps", "30", "-o", to), "30 gradient steps")
	got, err := os.ReadFile(to)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.NoError(t, os.Remove(to))

	put("s_0,a_0,reward,next_0,discount\n0,1,0,1,1\n")
	done(t, "train", "ddpg", "-in", in, "-steps", "5", "-o", to)
	require.NoError(t, os.Remove(to))
	for text, want := range map[string]string{
		"":                                   "no header",
		"a,b\n":                              "line 1: no column s_0",
		"s_0,s_1,a,reward,next_0,discount\n": "line 1: columns s_0,s_1,a,reward,next_0,discount; want s_0,s_1,a,reward,next_0,next_1,discount",
		"s_0,a,reward,next_0,discount\n":     "no rows",
		"s_0,a,reward,next_0,discount\n0,0,x,0,0\n":     "line 2, column reward: x is not a number",
		"s_0,a,reward,next_0,discount\n0,0,NaN,0,0\n":   "line 2, column reward: NaN is not a number",
		"s_0,a,reward,next_0,discount\n0,0,0,0\n":       "line 2: 4 fields; the header has 5: s_0,a,reward,next_0,discount",
		"s_0,a,reward,next_0,discount\n0,0.5,0,0,0\n":   "line 2, column a: 0.5 is not an action",
		"s_0,a,reward,next_0,discount\n0,0,0,0,2\n":     "line 2, column discount: 2 is not 0 to 1",
		"s_0,a_0,reward,next_0,discount\n0,1.5,0,0,0\n": "line 2, column a_0: 1.5 is not -1 to 1",
	} {
		put(text)
		code, _, errs := etch(t, "train", "dqn", "-in", in, "-o", to)
		require.NotZero(t, code)
		require.Contains(t, errs, want)
		require.NoFileExists(t, to)
	}
}

// TestHelpOfParameters: the help of training lists what -p sets, and list leads there.
func TestHelpOfParameters(t *testing.T) {
	for algorithm, lines := range map[string][]string{
		"dqn":  {`-p learner.sizes=4,64,2 +1 to 4096 +observations, hidden layers, actions`, `-p capacity=4096 `, `-p loop.reward=1 +a number +factor of rewards`, `-p loop.every=4 +at least 1 +environment steps`, `-p uniform=false +true or false`},
		"ddpg": {`-p learner.actor_hidden=64`, `-p loop.noise=0.1 `, `-p alpha=0.6 `},
	} {
		text := done(t, "help", "train", algorithm)
		for _, line := range lines {
			require.Regexp(t, line, text)
		}
		code, _, errs := etch(t, "list", algorithm)
		require.Equal(t, 2, code)
		require.Contains(t, errs, "no design "+algorithm+"; etch help train "+algorithm+" shows that command")
	}
}
