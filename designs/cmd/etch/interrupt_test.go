package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary be the command, for signals.
func TestMain(m *testing.M) {
	if os.Getenv("ETCH_TEST_COMMAND") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestInterruptedSim: a signal ends a simulation with the waves and prints until then.
func TestInterruptedSim(t *testing.T) {
	fir := filepath.Join(t.TempDir(), "Count.fir")
	require.NoError(t, os.WriteFile(fir, []byte("circuit Count :\n  module Count :\n    input clock : Clock\n    output o : UInt<8>\n    reg r : UInt<8>, clock\n    r <= tail(add(r, UInt<8>(1)), 1)\n    o <= r\n"), 0o666))
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		dir := t.TempDir()
		out := interrupted(t, s, dir, "sim", fir, "-cycles", "1000000000000", "-print", "o")
		require.Contains(t, out, "o = ")
	}
}

// TestInterruptedRun: a signal ends a run with its waves complete, without results.
func TestInterruptedRun(t *testing.T) {
	for _, c := range []struct {
		design, header, row string
	}{
		{"dwc", "cos,sin,speed", "0.5,0.5,1"},
		{"gae", "reward,value,next_value,terminated,truncated", "1,2,3,1,0"},
		{"replay", "op,index,value", "insert,,1\nsample,,1"},
		{"float", "a,b", "1.5,2.5"},
	} {
		t.Run(c.design, func(t *testing.T) {
			for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
				in, dir := filepath.Join(t.TempDir(), "in.csv"), t.TempDir()
				require.NoError(t, os.WriteFile(in, []byte(c.header+"\n"+strings.Repeat(c.row+"\n", 300_000)), 0o666))
				interrupted(t, s, dir, "run", c.design, "-in", in, "-out", filepath.Join(dir, "out.csv"))
			}
		})
	}
}

// interrupted runs the command with waves into dir until a signal ends it, checks that
// they are all that it leaves there, and returns its output.
func interrupted(t *testing.T, s os.Signal, dir string, args ...string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals")
	}
	waves := filepath.Join(dir, "w.fst")
	cmd := exec.Command(os.Args[0], append(args, "-waves", waves)...)
	cmd.Env = append(os.Environ(), "ETCH_TEST_COMMAND=1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Start())

	// Until it has begun with the waves, under their hidden name.
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if hidden, _ := filepath.Glob(filepath.Join(dir, ".w.fst.*")); len(hidden) > 0 {
			break
		}
		require.True(t, time.Now().Before(deadline), "no waves: %s", errs.String())
	}
	time.Sleep(50 * time.Millisecond) // runs end by themselves in less than a second
	require.NoError(t, cmd.Process.Signal(s))
	err := cmd.Wait()
	require.Equal(t, 130, cmd.ProcessState.ExitCode(), "%v %v: %s", s, err, errs.String())
	require.Contains(t, errs.String(), "interrupted")

	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "%v", entries)
	text, err := os.ReadFile(waves)
	require.NoError(t, err)
	require.True(t, len(text) > 100 && text[0] == 0 && text[8] == 0x49, "an FST header")
	return out.String()
}

// TestInterruptedTraining: a signal ends demonstrations and experiments with a word and with 130,
// and results that are there stay.
func TestInterruptedTraining(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals")
	}
	for _, c := range []struct{ line, started string }{
		{"demo lowprecision -area=false", "crash"},
		{"experiment lowprecision -variants float32,hAdam -seeds 1 -jobs 2 -o .", ""},
		{"experiment rl-seeds -seeds 2 -results runs.jsonl", ""},
		{"demo replay", "step 100"},
	} {
		cmd := exec.Command(os.Args[0], strings.Fields(c.line)...)
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), "ETCH_TEST_COMMAND=1")
		said := filepath.Join(t.TempDir(), "said")
		f, err := os.Create(said)
		require.NoError(t, err)
		defer f.Close()
		cmd.Stdout, cmd.Stderr = f, f
		require.NoError(t, cmd.Start())

		// Until it is at work.
		for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
			text, err := os.ReadFile(said)
			require.NoError(t, err)
			if c.started != "" && strings.Contains(string(text), c.started) {
				break
			}
			entries, _ := os.ReadDir(cmd.Dir)
			if c.started == "" && len(entries) > 0 {
				time.Sleep(200 * time.Millisecond)
				break
			}
			require.True(t, time.Now().Before(deadline), "%s: %s", c.line, text)
		}
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		cmd.Wait()
		text, err := os.ReadFile(said)
		require.NoError(t, err)
		require.Equal(t, 130, cmd.ProcessState.ExitCode(), "%s: %s", c.line, text)
		require.Regexp(t, `: interrupted[^\n]*\n$`, string(text), c.line)
	}
}
