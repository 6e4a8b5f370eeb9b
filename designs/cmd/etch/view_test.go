package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"etch/designs/examples/counter"
	"etch/hw"
	"etch/sim"
	"etch/sim/replay"

	"github.com/stretchr/testify/require"
)

// TestView: a design and a recorded run are served at the printed address until a signal ends the
// command, which is no error.
func TestView(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals")
	}
	d, _, err := hw.Build(counter.Counter{Width: 8})
	require.NoError(t, err)
	s, err := sim.New(d)
	require.NoError(t, err)
	s.Record(1 << 20)
	s.Reset()
	s.Step(6)
	run := filepath.Join(t.TempDir(), "counter.run")
	require.NoError(t, replay.Create(run, d, s.Recorded()))

	for subject, last := range map[string]string{"counter": `"last":1`, run: `"last":7`} {
		cmd := exec.Command(os.Args[0], "view", subject)
		cmd.Env = append(os.Environ(), "ETCH_TEST_COMMAND=1")
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		address, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			cmd.Process.Kill()
		}
		require.NoError(t, err)
		answer, err := http.Get(strings.TrimSpace(address) + "api/design")
		require.NoError(t, err)
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		require.NoError(t, err)
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		require.NoError(t, cmd.Wait())
		require.Contains(t, string(body), last)
	}
}
