//go:build unix

package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/explore"
)

// Roles of a child process.
const (
	roleEnv   = "ETCH_CLUSTER_ROLE" // serve, work or ask
	folderEnv = "ETCH_CLUSTER_FOLDER"
	serverEnv = "ETCH_CLUSTER_SERVER"
)

// TestMain lets the test binary be each of the processes.
func TestMain(m *testing.M) {
	role := os.Getenv(roleEnv)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := play(role, os.Getenv(folderEnv), os.Getenv(serverEnv)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// play is a child's life.
func play(role, dir, server string) error {
	ctx := context.Background()
	switch role {
	case "serve":
		return Server{Store: filepath.Join(dir, "store"), Listen: server}.Serve(ctx, os.Stderr, func(string) {})
	case "work":
		w := Worker{Dial: Dial{URL: server}, Jobs: 1, Build: "b", AckWait: time.Second}
		w.Ready = func() { os.WriteFile(readyName(dir, os.Getpid()), nil, 0o666) }
		w.Remake = func(string, json.RawMessage) (*explore.Plan, error) {
			p, err := toy(filepath.Join(dir, "log"))
			p.Measures = p.Measures[1:]
			return &p, err
		}
		return w.Work(ctx, os.Stderr)
	}
	p, err := toy(filepath.Join(dir, "log"))
	if err != nil {
		return err
	}
	pool, err := NewPool(Dial{URL: server}, "b", filepath.Join(dir, "asker"), os.Stderr)
	if err != nil {
		return err
	}
	defer pool.Close()
	p.Pool = pool
	_, err = asked(filepath.Join(dir, "asker"), p)
	return err
}

// readyName is a file that a worker leaves when it has reached the server.
func readyName(dir string, pid int) string {
	return filepath.Join(dir, fmt.Sprintf("ready-%d", pid))
}

// toyJobs is the number of dear measurements of the plan toy.
const toyJobs = 240

// heldName is a file beside the log of toy: while it is there, the last measurements wait.
const heldName = "held"

// toy is 240 candidates with a cheap measure and a dear one of 10 ms, which leaves a
// line in the file log each time. The last four end only when nothing holds them.
func toy(log string) (explore.Plan, error) {
	number := func(c explore.Candidate, name string) float64 {
		x, _ := strconv.ParseFloat(c.Values[name], 64)
		return x
	}
	p := explore.Plan{Design: "toy", Axes: []explore.Axis{{Name: "area"}, {Name: "time"}}}
	p.Measures = []explore.Measure{
		{Name: "area", Tool: "toy 1", ByValues: true, Run: func(_ context.Context, c explore.Candidate) (map[string]float64, error) {
			return map[string]float64{"area": number(c, "k") * number(c, "j")}, nil
		}},
		{Name: "time", Tool: "toy 1", ByValues: true, Cost: explore.Dear, Spec: json.RawMessage(`{}`), Run: func(_ context.Context, c explore.Candidate) (map[string]float64, error) {
			f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			fmt.Fprintf(f, "%s %s\n", c.Values["k"], c.Values["j"])
			time.Sleep(10 * time.Millisecond)
			for held := true; held && number(c, "k") == 60; {
				_, err := os.Stat(filepath.Join(filepath.Dir(log), heldName))
				if held = err == nil; held {
					time.Sleep(10 * time.Millisecond)
				}
			}
			if number(c, "k") == 7 && number(c, "j") == 3 {
				return nil, fmt.Errorf("7 times 3 is too hard")
			}
			return map[string]float64{"time": 1000 / number(c, "k") / (number(c, "j") + 1)}, nil
		}},
	}
	for _, text := range []string{"k=1..60", "j=1..4"} {
		s, err := explore.ParseSweep(text)
		if err != nil {
			return p, err
		}
		p.Sweeps = append(p.Sweeps, s)
	}
	return p, nil
}

// child is a process of a role.
type child struct {
	cmd  *exec.Cmd
	end  chan struct{}
	err  error
	errs *bytes.Buffer
}

func start(t *testing.T, role, dir, server string) *child {
	c := &child{cmd: exec.Command(os.Args[0]), end: make(chan struct{}), errs: &bytes.Buffer{}}
	c.cmd.Env = append(os.Environ(), roleEnv+"="+role, folderEnv+"="+dir, serverEnv+"="+server)
	c.cmd.Stderr = c.errs
	require.NoError(t, c.cmd.Start())
	go func() { c.err = c.cmd.Wait(); close(c.end) }()
	t.Cleanup(func() { c.kill() })
	return c
}

// startWorker starts a worker and waits until it has reached the server. A worker that finds no
// server at its start ends with an error, as it must for a wrong address; only later it waits for one.
func startWorker(t *testing.T, dir, server string) *child {
	t.Helper()
	c := start(t, "work", dir, server)
	require.Eventually(t, func() bool {
		_, err := os.Stat(readyName(dir, c.cmd.Process.Pid))
		return err == nil
	}, 60*time.Second, 2*time.Millisecond)
	return c
}

// kill kills a child and reports whether it still lived.
func (c *child) kill() bool {
	select {
	case <-c.end:
		return false
	default:
	}
	c.cmd.Process.Kill()
	<-c.end
	return c.err != nil
}

// freePort is an address of this machine that nobody has.
func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}

// up waits for a server.
func up(t *testing.T, server string) {
	t.Helper()
	require.Eventually(t, func() bool {
		p, err := NewPool(Dial{URL: server}, "b", "x", os.Stderr)
		if err == nil {
			p.Close()
		}
		return err == nil
	}, 30*time.Second, 20*time.Millisecond)
}

// journalLines counts the complete lines of the asker's journal.
func journalLines(t *testing.T, dir string) int {
	text, err := os.ReadFile(filepath.Join(dir, "asker", explore.JournalName))
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	return bytes.Count(text, []byte("\n"))
}

// A sweep with three workers, in which workers, server and asker are killed in turn, 20
// times at random moments (6 with -short), ends with the table of a run alone. Nothing
// is lost or counted twice, and not more is measured again than was under way.
func TestKilled(t *testing.T) {
	kills := 20
	if testing.Short() {
		kills = 6
	}
	const workers = 3
	dir, server := t.TempDir(), freePort(t)
	r := rand.New(rand.NewPCG(18, 4))

	// A sweep that ends before the last kill would leave nothing to kill.
	held := filepath.Join(dir, heldName)
	require.NoError(t, os.WriteFile(held, nil, 0o666))
	serve := start(t, "serve", dir, server)
	up(t, server)
	var work [workers]*child
	for i := range work {
		work[i] = startWorker(t, dir, server)
	}
	ask := start(t, "ask", dir, server)

	killed, lastCount := map[string]int{}, 0
	for n := range kills {
		// Time begins with a new result: a sweep that stands still would be killed in vain.
		require.Eventually(t, func() bool { return journalLines(t, dir) >= toyJobs+4+n*(toyJobs-30)/kills }, 60*time.Second, 2*time.Millisecond, "%s", ask.errs)
		time.Sleep(time.Duration(r.IntN(60_000)) * time.Microsecond)
		switch n % 3 {
		case 0:
			i := r.IntN(workers)
			if work[i].kill() {
				killed["worker"]++
			}
			work[i] = startWorker(t, dir, server)
		case 1:
			if serve.kill() {
				killed["server"]++
			}
			time.Sleep(time.Duration(r.IntN(300)) * time.Millisecond)
			serve = start(t, "serve", dir, server)
			up(t, server)
		default:
			if ask.kill() {
				killed["asker"]++
			}
			require.GreaterOrEqual(t, journalLines(t, dir), lastCount, "results are lost")
			ask = start(t, "ask", dir, server)
		}
		lastCount = journalLines(t, dir)
	}
	require.NoError(t, os.Remove(held))
	select {
	case <-ask.end:
	case <-time.After(60 * time.Second):
		t.Fatalf("the sweep does not end: %s", ask.errs)
	}
	require.NoError(t, ask.err, "%s", ask.errs)
	require.Equal(t, kills, killed["worker"]+killed["server"]+killed["asker"], "%v", killed)

	// The same table as alone.
	table := func(dir string) string {
		p, err := toy(filepath.Join(t.TempDir(), "log"))
		require.NoError(t, err)
		o, err := asked(dir, p)
		require.NoError(t, err)
		require.Equal(t, toyJobs-1, o.Count(explore.Done))
		text, err := o.CSV()
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, table(t.TempDir()), table(filepath.Join(dir, "asker")))

	text, err := os.ReadFile(filepath.Join(dir, "asker", explore.JournalName))
	require.NoError(t, err)
	seen := map[explore.Key]bool{}
	for line := range bytes.Lines(text) {
		var rec explore.Record
		require.NoError(t, json.Unmarshal(line, &rec))
		require.False(t, seen[rec.Key()], "counted twice: %s", line)
		seen[rec.Key()] = true
	}
	require.Len(t, seen, 2*toyJobs)
	log, err := os.ReadFile(filepath.Join(dir, "log"))
	require.NoError(t, err)
	n := strings.Count(string(log), "\n")
	require.GreaterOrEqual(t, n, toyJobs)
	require.LessOrEqual(t, n, toyJobs+kills*workers, "more was repeated than was under way")
	t.Logf("%v killed, %d measurements for %d results", killed, n, toyJobs)
}
