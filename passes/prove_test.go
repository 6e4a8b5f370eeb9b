package passes_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"etch/ir/text"
	"etch/passes"
	"etch/testbench/equiv"
	"etch/testbench/randcircuit"
)

// proofs are the options under which a pass keeps the behaviour: from power-up on,
// for every order of edges, statements included.
func proofs() []equiv.Option {
	return []equiv.Option{equiv.FromPowerUp(), equiv.Statements(), equiv.WithoutABC(), equiv.Limit(20 * time.Second)}
}

// TestGoldenProved: what each pass makes of the cases in testdata is equal to what
// it was given, for all inputs and all starts.
func TestGoldenProved(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		name := filepath.Base(filepath.Dir(path))
		t.Run(name+"/"+strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			for _, f := range archive.Files {
				if f.Name != "before" {
					continue
				}
				before, err := text.Parse(strings.NewReader(string(f.Data)), path)
				require.NoError(t, err)
				after := before.Clone()
				runPass(t, name, after, &passes.Options{Flatten: true, KeepNames: strings.Contains(string(archive.Comment), "options: keepnames")})
				equiv.CheckDesigns(t, before, after, proofs()...)
			}
		})
	}
}

// TestRandomProved: each pass, and all together, on small random designs with
// state, proved and not only run.
func TestRandomProved(t *testing.T) {
	for name, pass := range modulePasses() {
		t.Run(name, func(t *testing.T) {
			for seed := range seeds(t, 10) {
				d := randcircuit.Design(seed, randcircuit.Config{Nodes: 15, Modules: int(seed % 3), State: seed%4 != 0, Falls: seed%4 == 3, Stmts: true, Widths: randcircuit.Narrow})
				after := d.Clone()
				pass(after)
				equiv.CheckDesigns(t, d, after, proofs()...)
			}
		})
	}
}
