package catalog

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
)

// call runs a command line.
func call(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	app := App()
	code = app.Run(args, cli.Output{Out: &o, Err: &e})
	return code, o.String(), e.String()
}

// A verb says what it misses by its own word.
func TestVerbs(t *testing.T) {
	for want, args := range map[string][]string{
		"etch experiment: no experiment nope; there are dwc-size, dwc-noise":           {"experiment", "nope"},
		"etch experiment: the name of the experiment is missing; there are dwc-size, ": {"experiment"},
		"etch run: no design nope; there are dwc":                                      {"run", "nope"},
	} {
		code, _, errs := call(args...)
		require.Equal(t, 2, code)
		require.Contains(t, errs, want)
	}
}

// every calls f for each command and sub-command, with its words.
func every(t *testing.T, f func(t *testing.T, words []string, c cli.Command)) {
	var visit func(words []string, list []cli.Command)
	visit = func(words []string, list []cli.Command) {
		for _, c := range list {
			mine := append(append([]string{}, words...), c.Name)
			t.Run(strings.Join(mine, "_"), func(t *testing.T) { f(t, mine, c) })
			visit(mine, c.Subs)
		}
	}
	visit(nil, App().Verbs())
}

// Help of each command: usage first, at least two examples for a verb, flags; the same for help and -h.
func TestHelpOfEvery(t *testing.T) {
	every(t, func(t *testing.T, words []string, c cli.Command) {
		code, out, errs := call(append(words, "-h")...)
		require.Zero(t, code)
		require.Empty(t, errs)
		require.True(t, strings.HasPrefix(out, "usage: etch "+strings.Join(words, " ")), out)
		_, help, _ := call(append([]string{"help"}, words...)...)
		require.Equal(t, out, help)
		if len(words) == 1 && c.Name != "version" && c.Name != "completion" {
			require.GreaterOrEqual(t, len(c.Examples), 2)
			require.Contains(t, out, "\nexamples:\n  etch "+c.Examples[0])
		}
		for _, e := range c.Examples {
			require.True(t, strings.HasPrefix(e, words[0]), e)
		}
	})
}

// oneLine requires the exit code and one line of a message.
func oneLine(t *testing.T, want int, args ...string) {
	t.Helper()
	code, out, errs := call(args...)
	require.Equal(t, want, code, "%v: %s", args, errs)
	require.Empty(t, out, "%v", args)
	require.Equal(t, 1, strings.Count(errs, "\n"), "%v: %s", args, errs)
	require.Regexp(t, `^etch [a-z]`, errs)
	require.NotRegexp(t, `(equiv|prove|sim|export): (equiv|prove|sim|export):`, errs)
}

// optional is a part of a usage that may be left out.
var optional = regexp.MustCompile(`\[[^][]*(\[[^][]*\][^][]*)*\]…?`)

// A command without its arguments, or with a flag that it does not have, exits with 2 and one
// line on standard error.
func TestMistakesOfEvery(t *testing.T) {
	every(t, func(t *testing.T, words []string, c cli.Command) {
		oneLine(t, 2, append(append([]string{}, words...), "-no-such-flag")...)
		first, _, _ := strings.Cut(optional.ReplaceAllString(c.Usage, ""), "|") // of several forms
		if strings.TrimSpace(first) != "" {
			oneLine(t, 2, words...)
		}
	})
}

// A missing file exits with 1 and one line that names it.
func TestMissingFiles(t *testing.T) {
	dir := t.TempDir()
	none := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"sim", none("x.fir")}, {"sim", none("x.etch"), "-cycles", "1"}, {"sim", none("x.v"), "-cycles", "1"},
		{"sim", "counter", "-cycles", "1", "-waves", none("no/x.vcd")},
		{"import", none("x.fir")}, {"import", none("x.v")}, {"import", none("x.etch")},
		{"equiv", none("x.fir"), "counter"}, {"equiv", "counter", none("x.etch")}, {"prove", none("x.v")},
		{"convert", none("x.pt"), "-o", none("m.json")}, {"convert", "-list", none("x.safetensors")},
		{"run", "dwc", "-in", none("x.csv"), "-out", none("y.csv")},
		{"run", "gae", "-in", none("x.csv"), "-out", none("y.csv")},
		{"run", "replay", "-in", none("x.csv"), "-out", none("y.csv")},
		{"run", "float", "-in", none("x.csv"), "-out", none("y.csv")},
		{"run", "rl", "-weights", none("w.json"), "-in", none("x.csv"), "-out", none("y.csv")},
		{"train", "dwc", "-resume", none("x.run"), "-o", none("m.json")},
		{"fuzz", none("x.etch")},
		{"view", none("x.run")}, {"view", none("x.fir")}, {"view", none("x.etch")}, {"view", none("x.v")},
		{"view", none("x.fst")}, {"view", none("x.vcd")},
		{"why", none("x.run"), "count@1"}, {"why", none("x.fir"), "count@1"}, {"cover", none("counts")},
	} {
		oneLine(t, 1, args...)
		_, _, errs := call(args...)
		require.Contains(t, errs, dir, "%v", args)
	}
}

// A design is simulated by its name; -json says the end of the run.
func TestSimByName(t *testing.T) {
	code, out, errs := call("sim", "counter", "-p", "width=4", "-set", "en=1", "-cycles", "5", "-print", "count", "-json")
	require.Zero(t, code, errs)
	var got struct {
		Cycles uint64
		Values []struct{ Name, Value string }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got), out)
	require.Equal(t, uint64(6), got.Cycles)
	require.Equal(t, "5", got.Values[0].Value)
	oneLine(t, 2, "sim", "counter", "-cycles", "1", "-set", "count=1")
	oneLine(t, 2, "sim", "countr", "-cycles", "1")
	oneLine(t, 2, "sim", "counter", "-p", "widht=1", "-cycles", "1")
}

// Proofs speak JSON too.
func TestProofJSON(t *testing.T) {
	code, out, errs := call("prove", "fifo", "-p", "depth=4", "-json")
	require.Zero(t, code, errs)
	var all []struct{ Assertion, Outcome string }
	require.NoError(t, json.Unmarshal([]byte(out), &all), out)
	require.NotEmpty(t, all)
	require.Equal(t, "equal", all[0].Outcome)
	code, out, _ = call("equiv", "counter", "counter", "-json")
	require.Zero(t, code)
	require.Contains(t, out, `"outcome": "equal"`)
}
