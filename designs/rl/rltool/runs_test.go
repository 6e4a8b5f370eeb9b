package rltool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/rl/env"
	"etch/designs/rl/train"
)

// TestMeasured: the tables in the package's doc are those that the commands print of the
// runs that are kept, and a run that is made again has the result that is kept.
func TestMeasured(t *testing.T) {
	kept, err := os.ReadFile("testdata/runs.jsonl")
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	require.NoError(t, os.WriteFile(path, kept, 0o666))

	// Runs of another configuration would be made again, for hours.
	r, err := openRuns(path)
	require.NoError(t, err)
	for task, algorithm := range algorithms {
		e, err := env.Open(task, env.Limits{})
		require.NoError(t, err)
		c := train.Default(algorithm, task, e.Spec(), 1)
		key, err := digest(c)
		require.NoError(t, err)
		require.Contains(t, r.known, key, "the defaults are others than those of testdata/runs.jsonl: etch experiment rl-seeds -results")
	}

	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	for _, args := range []string{
		"rl-seeds -engine circuit", "rl-seeds -task pendulum -engine circuit", "rl-formats", "rl-formats -task pendulum", "rl-variants", "rl-variants -task pendulum",
	} {
		out := ""
		for _, line := range strings.Split(strings.TrimSpace(done(t, append(append([]string{"experiment"}, strings.Fields(args)...), "-results", path)...)), "\n") {
			if strings.Contains(line, ", seed ") {
				continue // progress
			}
			out += "//\t" + strings.TrimRight(line, " ") + "\n"
		}
		require.Contains(t, string(doc), out, args)
	}
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(kept), string(after))

	// Seed 14 is quick.
	e, err := env.Open("cartpole", env.Limits{})
	require.NoError(t, err)
	c := train.Default(train.DQN, "cartpole", e.Spec(), 14)
	want, err := r.run(t.Context(), c)
	require.NoError(t, err)
	none, err := openRuns("")
	require.NoError(t, err)
	got, err := none.run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, want, got)

	// The circuit's results are the model's: each of its steps was compared.
	for _, x := range r.known {
		if x.Engine != train.Circuit {
			continue
		}
		e, err := env.Open(x.Env, env.Limits{})
		require.NoError(t, err)
		c := train.Default(algorithms[x.Env], x.Env, e.Spec(), x.Seed)
		key, err := digest(c)
		require.NoError(t, err)
		m := r.known[key]
		require.Equal(t, []any{m.Solved, m.Steps, m.Return}, []any{x.Solved, x.Steps, x.Return}, "%s, seed %d", x.Env, x.Seed)
	}
}

// TestRuns: runs that are kept are not made again, a line that was cut short is dropped,
// and a file of something else is refused.
func TestRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	made := done(t, "experiment", "rl-formats", "-seeds", "1", "-results", path)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(text), "\n"))
	require.NoError(t, os.WriteFile(path, append(text, `{"env":"cart`...), 0o666))
	require.Equal(t, made, done(t, "experiment", "rl-formats", "-seeds", "1", "-results", path))
	again, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(text), string(again))

	require.NoError(t, os.WriteFile(path, []byte("hello\n"), 0o666))
	code, _, errs := etch(t, "experiment", "rl-formats", "-results", path)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "line 1: hello is no run")
}
