package gaetool

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite testdata/learning")

// The tables of learning that the documentation speaks of, byte for byte: runs depend
// on nothing but their configuration. A file's first line is its command. About 25
// minutes of two processors.
func TestLearningTables(t *testing.T) {
	if os.Getenv("ETCH_SLOW") == "" {
		t.Skip("set ETCH_SLOW=1 to run this test")
	}
	files, err := filepath.Glob("testdata/learning/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			line, _, _ := strings.Cut(string(want), "\n")
			args, found := strings.CutPrefix(line, "etch experiment gae-quant ")
			require.True(t, found, line)
			code, out, errs := command(t, Quant, append(strings.Fields(args), "-o", t.TempDir())...)
			require.Zero(t, code, errs)
			got := line + "\n" + strings.TrimSuffix(out[:strings.Index(out, "\nwrote ")], "\n") + "\n"
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o666))
				return
			}
			require.Equal(t, string(want), got)
		})
	}
}

// What the tables are cited for still is what they say: at a reward scale of 10 raw
// rewards do not train the pendulum, standardised ones do, and the circuit's 8 bits
// with them. Two seeds are enough for that.
func TestLearningAtALargeScale(t *testing.T) {
	if os.Getenv("ETCH_SLOW") == "" {
		t.Skip("set ETCH_SLOW=1 to run this test")
	}
	plan := quantPlan{config: defaultQuant(), Variants: numbers{5}, Bits: numbers{8}, Baselines: true, Seeds: 2}
	plan.config.RewardScale = 10
	rows, err := plan.run(os.Stderr)
	require.NoError(t, err)
	for _, r := range rows {
		m, _ := interval(r.Controller)
		if r.Name == "float64" {
			require.Less(t, m, -600.0, r.Name)
			continue
		}
		require.Greater(t, m, -250.0, r.Name)
	}
}
