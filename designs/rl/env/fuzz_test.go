package env

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzAnswer: a line is an error of one line, or an answer of the wanted form.
func FuzzAnswer(f *testing.F) {
	for _, line := range []string{hello, reset, step, `{"obs":[1,NaN]}`, `{"obs":null}`, "{}", "[", `{"observation":2}{}`, "\"\n\""} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var answer struct {
			Obs    *[]float64 `json:"obs"`
			Reward *float64   `json:"reward"`
		}
		err := decode(line, &answer)
		if err != nil {
			require.NotContains(t, strings.TrimSpace(err.Error()), "\n")
			return
		}
		if answer.Obs != nil {
			require.NoError(t, finite(*answer.Obs...))
		}
		if answer.Reward != nil {
			require.NoError(t, finite(*answer.Reward))
		}
	})
}
