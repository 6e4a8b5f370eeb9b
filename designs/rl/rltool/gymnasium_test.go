package rltool

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/rl/policy"
)

// TestGymnasium: designs/rl/env/gymnasium_env.py wraps environments of Gymnasium, of actions and of
// amounts. Gymnasium is installed by hand:
//
//	python3 -m venv judges && judges/bin/pip install gymnasium==1.4.0
//	ETCH_GYMNASIUM_PYTHON=$PWD/judges/bin/python go test ./designs/rl/rltool -run Gymnasium
func TestGymnasium(t *testing.T) {
	python, err := exec.LookPath(cmp.Or(os.Getenv("ETCH_GYMNASIUM_PYTHON"), "python3"))
	if err != nil {
		t.Skip("python3 not found")
	}
	if err := exec.CommandContext(t.Context(), python, "-c", "import gymnasium").Run(); err != nil {
		t.Skip("python3 has no module gymnasium")
	}
	text, err := os.ReadFile("../env/gymnasium_env.py")
	require.NoError(t, err)
	script := string(text)

	// With amounts the answer to hello is what the comment says.
	amounts := strings.Replace(script, "Acrobot-v1", "Pendulum-v1", 1)
	amounts = strings.Replace(amounts, `"actions": int(env.action_space.n)`, `"low": list(map(float, env.action_space.low)), "high": list(map(float, env.action_space.high))`, 1)
	require.NotContains(t, amounts, "action_space.n")
	for _, c := range []struct {
		algorithm, script string
		sizes             []int
	}{{"dqn", script, []int{6, 64, 3}}, {"ddpg", amounts, []int{3, 64, 1}}} {
		dir := t.TempDir()
		path, to := filepath.Join(dir, "my_env.py"), filepath.Join(dir, "policy.json")
		require.NoError(t, os.WriteFile(path, []byte(c.script), 0o666))
		out := done(t, "train", c.algorithm, "-env", fmt.Sprintf("%q %q", python, path), "-steps", "20", "-o", to)
		require.Contains(t, out, "20 gradient steps")
		p, err := policy.ReadFile(to)
		require.NoError(t, err)
		require.Equal(t, c.sizes, p.Sizes)
	}
}
