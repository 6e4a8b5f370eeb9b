package lowprectool

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/designs/lowprec/sac"
)

// The documentation has the tables of the stored runs, the stored runs are of today's
// settings, and runs made again are the stored lines.
func TestReturns(t *testing.T) {
	var text strings.Builder
	code := cli.App{Commands: []cli.Command{cli.Verb("experiment", "experiment", "", Experiment)}}.
		Run([]string{"experiment", "lowprecision", "-stored"}, cli.Output{Out: &text, Err: &text})
	require.Zero(t, code, text.String())
	doc, err := os.ReadFile("returns.go")
	require.NoError(t, err)
	require.Equal(t, string(returnsDoc(text.String())), string(doc), "go run ./designs/cmd/etch experiment lowprecision -stored -doc designs/lowprec/lowprectool/returns.go")

	// Every run of the tables is stored: one that is not is of a setting that has changed since.
	list, err := parseEntries("stored runs", storedRuns)
	require.NoError(t, err)
	results := map[sac.Config]*sac.Result{}
	for _, x := range list {
		results[unnamed(x.Config)] = x.Result
	}
	for _, s := range storedTables {
		s.jobs = 1
		configs, err := s.configs()
		require.NoError(t, err)
		for _, c := range configs {
			require.Contains(t, results, unnamed(c))
		}
	}

	// Runs that crash early are made again within seconds.
	lines := strings.Split(string(storedRuns), "\n")
	for _, name := range []string{"fp16 naive", "loss scaling", "hAdam"} {
		at := slices.IndexFunc(list, func(x entry) bool { return x.Config.Name == name && x.Config.Seed == 2 })
		require.NotEqual(t, -1, at, name)
		r, err := sac.Train(context.Background(), list[at].Config, nil, nil)
		require.NoError(t, err)
		line, err := json.Marshal(entry{list[at].Config, r})
		require.NoError(t, err)
		require.Equal(t, lines[at], string(line))
	}
}
