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

// TestInterruptedRun: a signal ends a run with its waves complete, without results,
// and no hidden file stays.
func TestInterruptedRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals")
	}
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
				waves := filepath.Join(dir, "w.fst")
				cmd := exec.Command(os.Args[0], "run", c.design, "-in", in, "-out", filepath.Join(dir, "out.csv"), "-waves", waves)
				cmd.Env = append(os.Environ(), "ETCH_TEST_COMMAND=1")
				var errs bytes.Buffer
				cmd.Stderr = &errs
				require.NoError(t, cmd.Start())

				// Until it has begun with the waves, under their hidden name.
				for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(10 * time.Millisecond) {
					if hidden, _ := filepath.Glob(filepath.Join(dir, ".w.fst.*")); len(hidden) > 0 {
						break
					}
					require.True(t, time.Now().Before(deadline), "no waves: %s", errs.String())
				}
				time.Sleep(50 * time.Millisecond)
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
			}
		})
	}
}
