package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/examples/counter"
	"etch/hw"
	"etch/sim"
)

// simulate is a command that runs a counter for n cycles and fails with fail.
func simulate(n int, fail error) Command {
	return Command{Name: "run", Run: func(_ *App, args []string, out Output) error {
		f := NewFlags("run", out)
		waves := f.Waves()
		if _, err := f.Positional(args); err != nil {
			return err
		}
		d, _, err := hw.Build(counter.Counter{Width: 8})
		if err != nil {
			return err
		}
		s, err := sim.New(d)
		if err != nil {
			return err
		}
		s.Reset()
		if err := waves.Trace(s); err != nil {
			return err
		}
		s.Step(n)
		return waves.Close(fail)
	}}
}

func TestWaves(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args  string
		fail  error
		code  int
		err   string // on standard error
		begin string // of the file a.vcd
		times string // the first and the last
	}{
		{args: ""},
		{args: "-waves DIR/a.vcd", begin: "$version etch", times: "#10 #210"},
		{args: "-waves DIR/a.vcd -waves-cycles 5:8", begin: "$version etch", times: "#50 #80"},
		{args: "-waves DIR/a.vcd -waves-cycles 5:", begin: "$version etch", times: "#50 #210"},
		{args: "-waves DIR/a.vcd -waves-cycles :8", begin: "$version etch", times: "#10 #80"},
		{args: "-waves DIR/a.vcd", fail: errors.New("oh"), code: 1, err: "oh", begin: "$version etch", times: "#10 #210"},
		{args: "-waves DIR/a.vcd -waves-cycles 90:95", code: 1, err: "the run was shorter"},
		{args: "-waves-cycles 5:8", code: 2, err: "-waves-cycles without -waves"},
		{args: "-waves DIR/a.vcd -waves-cycles 8:8", code: 2, err: `"8:8" is not a range of cycles as in 100:200`},
		{args: "-waves DIR/a.vcd -waves-cycles 8", code: 2, err: `"8" is not`},
		{args: "-waves DIR/a.vcd -waves-cycles -8:x", code: 2, err: `"-8:x" is not`},
		{args: "-waves DIR/a.txt", code: 2, err: "a.txt does not end in .vcd or .fst"},
		{args: "-waves DIR/no/a.vcd", code: 1, err: "no/a.vcd"},
	} {
		path := filepath.Join(dir, "a.vcd")
		os.Remove(path)
		var o, e bytes.Buffer
		app := App{Name: "demo", Commands: []Command{simulate(20, c.fail)}}
		args := append([]string{"run"}, strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)
		require.Equal(t, c.code, app.Run(args, Output{&o, &e}), "%s: %s", c.args, e.String())
		require.Contains(t, e.String(), c.err, c.args)
		b, err := os.ReadFile(path)
		if c.begin == "" {
			require.ErrorIs(t, err, os.ErrNotExist, c.args)
			continue
		}
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(b), c.begin))
		var times []string
		for _, line := range strings.Split(string(b), "\n") {
			if strings.HasPrefix(line, "#") {
				times = append(times, line)
			}
		}
		require.Equal(t, c.times, times[0]+" "+times[len(times)-1], c.args)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.LessOrEqual(t, len(left), 1, "temporary files")
}
