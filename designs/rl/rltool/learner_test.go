package rltool

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/rl/policy"
)

// someTransitions is a file of random ones; action gives the fields of the action.
func someTransitions(rows, observation int, actions string, action func(r *rand.Rand) string, weighted bool) string {
	r := rand.New(rand.NewPCG(3, 4))
	header := append(numbered("s", observation), actions, "reward")
	header = append(append(header, numbered("next", observation)...), "discount")
	if weighted {
		header = append(header, "weight")
	}
	text := strings.Join(header, ",") + "\n"
	number := func() string { return fmt.Sprintf("%.4f", 2*r.Float64()-1) }
	for range rows {
		var fields []string
		for range observation {
			fields = append(fields, number())
		}
		fields = append(fields, action(r), number())
		for range observation {
			fields = append(fields, number())
		}
		fields = append(fields, []string{"0", "0.99"}[r.IntN(2)])
		if weighted {
			fields = append(fields, fmt.Sprintf("%.3f", r.Float64()))
		}
		text += strings.Join(fields, ",") + "\n"
	}
	return text
}

// values of a column of a CSV file.
func column(t *testing.T, path, name string) (all []float64) {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	for at, h := range rows[0] {
		for _, row := range rows[1:] {
			if h == name {
				x, err := strconv.ParseFloat(row[at], 64)
				require.NoError(t, err)
				all = append(all, x)
			}
		}
	}
	return all
}

// TestRunLearner: a user's weights and batches go through both learners; losses are those
// of the definition, and fall; the weights that are saved are others, and of the same shape.
func TestRunLearner(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, text string) { require.NoError(t, os.WriteFile(in(name), []byte(text), 0o666)) }
	done(t, "train", "dqn", "-steps", "5", "-o", in("q.json"))
	done(t, "train", "ddpg", "-steps", "5", "-o", in("a.safetensors"))
	put("q.csv", someTransitions(70, 4, "a", func(r *rand.Rand) string { return strconv.Itoa(r.IntN(2)) }, true))
	put("a.csv", someTransitions(40, 3, "a_0", func(r *rand.Rand) string { return fmt.Sprint(2*r.Float64() - 1) }, false))

	text := done(t, "run", "learner", "-weights", in("q.json"), "-in", in("q.csv"), "-steps", "30", "-synchronise", "10", "-p", "rate=2", "-p", "count=true",
		"-out", in("losses.csv"), "-save", in("q2.safetensors"), "-waves", in("l.fst"))
	require.Contains(t, text, "30 gradient steps of 32 samples, 1090 cycles each")
	require.Contains(t, text, "the last 6 rows are no whole batch")
	require.FileExists(t, in("l.fst"))
	delta, priority, rows := column(t, in("losses.csv"), "delta"), column(t, in("losses.csv"), "priority"), column(t, in("losses.csv"), "row")
	q, target := column(t, in("losses.csv"), "q"), column(t, in("losses.csv"), "target")
	require.Len(t, delta, 30*32)
	require.Equal(t, []float64{1, 33, 1}, []float64{rows[0], rows[32], rows[64]})
	square := func(xs []float64) (sum float64) {
		for _, x := range xs {
			sum += x * x
		}
		return sum
	}
	require.Less(t, square(delta[len(delta)-64:]), square(delta[:64]))
	for i, d := range delta {
		require.Equal(t, target[i]-q[i], d)
		require.InDelta(t, math.Pow(math.Abs(d)+0.01, 0.6), priority[i], 0.001)
	}
	before, err := policy.ReadFile(in("q.json"))
	require.NoError(t, err)
	after, err := policy.ReadFile(in("q2.safetensors"))
	require.NoError(t, err)
	require.Equal(t, before.Sizes, after.Sizes)
	require.Equal(t, before.Scale, after.Scale)
	require.NotEqual(t, before.Layers, after.Layers)

	// Actor and critic; the critic that is saved goes on.
	run := func(more ...string) string {
		return done(t, append([]string{"run", "learner", "-weights", in("a.safetensors"), "-in", in("a.csv"), "-out", in("losses.csv"), "-p", "batch=8"}, more...)...)
	}
	require.Contains(t, run("-save-critic", in("c.json"), "-save", in("a2.json")), "5 gradient steps of 8 samples")
	run("-critic", in("c.json"))
	require.Contains(t, run("-steps", "40", "-p", "critic_rate=-6", "-p", "count=true"), "saturated")

	// Through the system, too.
	put("obs.csv", "s_0,s_1,s_2\n1,0,0\n0.2,-0.9,8\n")
	require.Contains(t, done(t, "run", "rl", "-weights", in("a2.json"), "-in", in("obs.csv"), "-out", in("act.csv")), "2 observations")
	for _, a := range column(t, in("act.csv"), "a_0") {
		require.InDelta(t, 0, a, 1)
	}
}

// TestRunLearnerRefused: each mistake has one message, and nothing is written.
func TestRunLearnerRefused(t *testing.T) {
	dir, files := t.TempDir(), t.TempDir()
	in := func(name string) string { return filepath.Join(files, name) }
	put := func(name, text string) { require.NoError(t, os.WriteFile(in(name), []byte(text), 0o666)) }
	done(t, "train", "dqn", "-steps", "1", "-o", in("q.json"))
	done(t, "train", "ddpg", "-steps", "1", "-o", in("a.json"))
	number := func(r *rand.Rand) string { return strconv.Itoa(r.IntN(2)) }
	put("q.csv", someTransitions(32, 4, "a", number, false))
	put("three.csv", someTransitions(32, 3, "a", number, false))
	put("few.csv", someTransitions(20, 4, "a", number, false))
	put("many.csv", someTransitions(32, 4, "a", func(r *rand.Rand) string { return "5" }, false))
	put("a.csv", someTransitions(64, 3, "a_0", number, false))
	put("w.csv", strings.Replace(someTransitions(32, 4, "a", number, true), "\n", ",x\n", 1))
	put("heavy.csv", "s_0,a,reward,next_0,discount,weight\n0,0,0,0,0,1.5\n")
	put("big.json", `{"etch":"policy 1","sizes":[4,2],"layers":[{"weight":[[1,2,3,1e9],[0,0,0,0]],"bias":[0,0]}]}`)
	put("one.json", `{"etch":"policy 1","sizes":[1,2],"layers":[{"weight":[[1],[0]],"bias":[0,0]}]}`)
	for _, c := range []struct{ args, want string }{
		{"-weights q.json -in three.csv", "has 4 inputs, and"},
		{"-weights q.json -in few.csv", "has 20 rows, fewer than a batch of 32"},
		{"-weights q.json -in many.csv", "one of number 5 in line 2"},
		{"-weights q.json -in a.csv", "is a policy of dqn, and"},
		{"-weights a.json -in three.csv", "is a policy of ddpg, and"},
		{"-weights a.json -in a.csv -critic q.json", "weights of a network [4 64 2] for one of [4 64 1]"},
		{"-weights q.json -in q.csv -critic a.json", "are of ddpg"},
		{"-weights q.json -in w.csv", "line 1: columns"},
		{"-weights one.json -in heavy.csv", "line 2, column weight: 1.5 is not 0 to 1"},
		{"-weights big.json -in q.csv", "layer 0: weight 3 of row 0 is 1e+09, outside"},
		{"-weights none.json -in q.csv", "no such file"},
		{"-weights q.json -in q.csv -p batch=12", "a batch of 12"},
		{"-weights q.json -in q.csv -p tiles=5,2,2,2", "a tile of 5 inputs for 4"},
		{"-weights q.json -in q.csv -p sizes=4,32,2", "weights of a network [4 64 2] for one of [4 32 2]"},
		{"-weights q.json -in q.csv -p weight.width=40", "format of weights: 40 bits"},
		{"-weights q.json -in q.csv -p dp=64", "DP = 64"},
		{"-weights q.json -in q.csv -p beat=3", "no parameter beat"},
		{"-weights q.json -in q.csv -alpha 2", "want 0 to 1"},
		{"-weights q.json -in q.csv -steps -1", "-steps -1"},
		{"-weights q.json", "are needed"},
	} {
		args := strings.Fields(c.args)
		for i, a := range args {
			if strings.HasSuffix(a, ".json") || strings.HasSuffix(a, ".csv") {
				args[i] = in(a)
			}
		}
		code, _, errs := etch(t, append([]string{"run", "learner", "-out", filepath.Join(dir, "l.csv"), "-save", filepath.Join(dir, "p.json")}, args...)...)
		require.NotZero(t, code, c.args)
		require.Contains(t, errs, c.want, c.args)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, left, c.args)
	}
}
