//go:build unix

package explore

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	killFolder  = "ETCH_EXPLORE_KILL" // in a child: the folder to explore in
	killWorkers = 3
	killRuns    = 20
	// killResults is the number of results of killPlan: enough for each kill to find it at work.
	killResults = 2 * 90 * 4
)

// killPlan is 360 candidates with a cheap and a dear measure of a few milliseconds.
// Each run of a measure leaves a line in the file log, by one write, before its result.
func killPlan(log string) (Plan, error) {
	measure := func(name string, cost int, each time.Duration, number func(k, j float64) float64) Measure {
		return Measure{Name: name, Tool: "sleep 1", Cost: cost, ByValues: true, Run: func(_ context.Context, c Candidate) (map[string]float64, error) {
			f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			fmt.Fprintf(f, "%s %s %s\n", name, c.Values["k"], c.Values["j"])
			time.Sleep(each)
			k, _ := strconv.ParseFloat(c.Values["k"], 64)
			j, _ := strconv.ParseFloat(c.Values["j"], 64)
			return map[string]float64{name: number(k, j)}, nil
		}}
	}
	p := Plan{Design: "d", Workers: killWorkers, Axes: []Axis{{"area", false}, {"time", false}}, Measures: []Measure{
		measure("area", 0, time.Millisecond, func(k, j float64) float64 { return k * j }),
		measure("time", Dear, 3*time.Millisecond, func(k, j float64) float64 { return 1000 / k / (j + 1) }),
	}}
	for _, text := range []string{"k=1..90", "j=1..4"} {
		s, err := ParseSweep(text)
		if err != nil {
			return p, err
		}
		p.Sweeps = append(p.Sweeps, s)
	}
	return p, nil
}

// TestKillChild is what TestKilled kills: no test by itself.
func TestKillChild(t *testing.T) {
	dir := os.Getenv(killFolder)
	if dir == "" {
		t.Skip("run by TestKilled")
	}
	p, err := killPlan(filepath.Join(dir, "log"))
	require.NoError(t, err)
	explored(t, dir, p)
}

// An exploration that is killed 20 times at random moments loses no result, counts none
// twice, repeats only what was under way, and ends with the table of one that was not
// killed.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(18, 1))
	killed := 0
	for range killRuns {
		before := lines(t, dir)
		cmd := exec.Command(os.Args[0], "-test.run=^TestKillChild$")
		cmd.Env = append(os.Environ(), killFolder+"="+dir)
		require.NoError(t, cmd.Start())

		// Time begins with the first new result or, now and then, at once: a child on a busy
		// machine takes long to start.
		if r.IntN(5) > 0 {
			require.Eventually(t, func() bool { return lines(t, dir) > before || before == killResults }, 30*time.Second, time.Millisecond)
		}
		time.Sleep(time.Duration(r.IntN(25_000)) * time.Microsecond)
		require.NoError(t, cmd.Process.Kill())
		if cmd.Wait() != nil {
			killed++
		}
		require.GreaterOrEqual(t, lines(t, dir), before, "results are lost")
	}
	require.Equal(t, killRuns, killed, "a sweep came to its end before it was killed")

	log := filepath.Join(dir, "log")
	p, err := killPlan(log)
	require.NoError(t, err)
	got, err := explored(t, dir, p).CSV()
	require.NoError(t, err)
	other := t.TempDir()
	q, err := killPlan(filepath.Join(other, "log"))
	require.NoError(t, err)
	want, err := explored(t, other, q).CSV()
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))

	text, err := os.ReadFile(filepath.Join(dir, JournalName))
	require.NoError(t, err)
	seen := map[Key]bool{}
	for line := range bytes.Lines(text) {
		rec, err := parseRecord(line)
		require.NoError(t, err)
		require.False(t, seen[rec.Key()], "counted twice: %s", line)
		seen[rec.Key()] = true
	}
	require.Len(t, seen, killResults)
	runs, err := os.ReadFile(log)
	require.NoError(t, err)
	n := strings.Count(string(runs), "\n")
	require.LessOrEqual(t, n, killResults+killed*killWorkers, "more was repeated than was under way")
	t.Logf("%d kills, %d measurements for %d results", killed, n, killResults)
}

// lines counts the complete lines of a folder's journal.
func lines(t *testing.T, dir string) int {
	text, err := os.ReadFile(filepath.Join(dir, JournalName))
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	return bytes.Count(text, []byte("\n"))
}
