package catalog

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/backends/yosys"
	"etch/ir"
	"etch/testbench/equiv"
	"etch/testbench/tools"
)

// hard are the designs that are not proved equal to their own Verilog:
// a memory whose address register yosys moves, 4 million gates, wide
// products beside memories (half a million gates and more; the optimiser 130,000).
var hard = map[string]bool{}

// fromVerilog writes a design as Verilog and has yosys read it.
func fromVerilog(t *testing.T, d *ir.Design) *ir.Design {
	t.Helper()
	tool := tools.Need(t, "yosys")[0]
	text, err := verilog.Text(d, verilog.Options{})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "d.v")
	require.NoError(t, os.WriteFile(file, text, 0o666))
	back, err := yosys.Read(t.Context(), tool.Command, yosys.Source{Files: []string{file}, Top: verilog.TopName(d)})
	require.NoError(t, err)
	return back
}

// Every listed design is equal to its own Verilog read back, whose registers may have
// other names, or is not decided; it never differs.
func TestEqualToVerilog(t *testing.T) {
	for _, design := range Designs() {
		t.Run(design.Name, func(t *testing.T) {
			switch {
			case design.Name == "i2c":
				t.Skip("pads are not read back")
			case design.Name == "gae" && os.Getenv("ETCH_SLOW") == "":
				t.Skip("ETCH_SLOW=1 for half a minute")
			case testing.Short() && (hard[design.Name] || design.Name == "gae_statistics" || design.Name == "rv32i"):
				t.Skip("takes seconds")
			}
			d, err := design.Build(nil)
			require.NoError(t, err)
			limit := time.Minute
			if hard[design.Name] {
				limit = 4 * time.Second
			}
			r, err := equiv.Compare(d, fromVerilog(t, d), equiv.Limit(limit))
			require.NoError(t, err)
			t.Log(r)
			if require.NotEqual(t, equiv.Different, r.Outcome, "%v", r); !hard[design.Name] {
				require.Equal(t, equiv.Equal, r.Outcome, "%v", r)
			}
		})
	}
}

// Most mistakes that are planted in what comes back are found, with a run that shows
// them.
func TestPlantedDiffers(t *testing.T) {
	const tries = 6
	for _, design := range Designs() {
		switch design.Name {
		case "divider", "fifo", "pixel", "root", "fixedmac":
		default:
			continue
		}
		t.Run(design.Name, func(t *testing.T) {
			d, err := design.Build(nil)
			require.NoError(t, err)
			back := fromVerilog(t, d)
			rng, found := rand.New(rand.NewPCG(3, 7)), 0
			for range tries {
				bad := planted(back, rng)
				if bad == nil || ir.Verify(bad) != nil {
					continue
				}
				r, err := equiv.Compare(d, bad, equiv.Limit(3*time.Second), equiv.WithoutABC())
				require.NoError(t, err)
				if c := r.Counterexample; r.Outcome == equiv.Different {
					require.NotEmpty(t, c.Port)
					require.False(t, c.A.Equal(c.B))
					found++
				}
			}
			t.Log(found, "of", tries)
			require.GreaterOrEqual(t, found, tries/2)
		})
	}
}
