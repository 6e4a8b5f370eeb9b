package rltool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFilesApart: a command that would write over what it reads, or write one file twice, is
// refused before it has read anything.
func TestFilesApart(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"p.json", "in.csv", "run"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("precious"), 0o666))
	}
	for line, want := range map[string]string{
		"run rl -weights p.json -in in.csv -out in.csv":                       "-in and -out are the same file",
		"run rl -weights p.json -in in.csv -out p.json":                       "-weights and -out are the same file",
		"run rl -weights p.json -in in.csv -out o.vcd -waves o.vcd":           "-out and -waves are the same file",
		"run learner -weights p.json -in in.csv -out in.csv":                  "-in and -out are the same file",
		"run learner -weights p.json -in in.csv -out p.json":                  "-weights and -out are the same file",
		"run learner -weights p.json -in in.csv -out s -save s":               "-out and -save are the same file",
		"run learner -weights p.json -critic run -in in.csv -out s -save run": "-critic and -save are the same file",
		"train dqn -in in.csv -steps 5 -o in.csv":                             "-in and -o are the same file",
		"train dqn -weights p.json -save p.json -o q.json":                    "-weights and -save are the same file",
		"train dqn -resume run -o run":                                        "-resume and -o are the same file",
		"train dqn -save s.json -o s.json":                                    "-o and -save are the same file",
	} {
		args := strings.Fields(line)
		for i, a := range args {
			if i > 0 && strings.HasPrefix(args[i-1], "-") && args[i-1] != "-steps" {
				args[i] = filepath.Join(dir, a)
			}
		}
		code, _, errs := etch(t, args...)
		require.Equal(t, 2, code, "%s: %s", line, errs)
		require.Contains(t, errs, want, line)
	}
	for _, name := range []string{"p.json", "in.csv", "run"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, "precious", string(text))
	}
}
