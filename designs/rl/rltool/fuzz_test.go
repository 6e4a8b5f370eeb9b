package rltool

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzTransitions: a file is an error of one line that names it, or transitions of one
// shape, of finite numbers.
func FuzzTransitions(f *testing.F) {
	for _, text := range []string{
		"s_0,a,reward,next_0,discount\n0,1,2,3,0.5\n", "s_0,a_0,a_1,reward,next_0,discount,weight\n0,1,-1,3,0.5,1,0.25\n",
		"s_0,s_2,a,reward,next_0,discount\n", "s_0,a,reward,next_0,discount\n1e999,0,0,0,0\n", "\"", "s_0,a\r\n1\r\n",
	} {
		f.Add(text)
	}
	path := filepath.Join(f.TempDir(), "t.csv")
	f.Fuzz(func(t *testing.T, text string) {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		rows, err := readTransitions(path, true)
		if err != nil {
			require.Contains(t, err.Error(), path)
			require.NotContains(t, strings.TrimSpace(err.Error()), "\n")
			return
		}
		spec := rows.spec
		require.NotEmpty(t, rows.data)
		require.Len(t, rows.weights, len(rows.data))
		require.Len(t, rows.lines, len(rows.data))
		require.NoError(t, rows.within(spec))
		for _, x := range rows.data {
			require.Len(t, x.State, spec.Observation)
			require.Len(t, x.Next, spec.Observation)
			require.Len(t, x.Action.Amounts, len(spec.Low))
			require.True(t, x.Action.Number == 0 || x.Action.Number < spec.Actions)
			for _, v := range append(append(x.State, x.Next...), x.Reward, x.Discount) {
				require.False(t, math.IsNaN(v) || math.IsInf(v, 0))
			}
		}
	})
}
