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

// seconds are the designs that take more than two.
var seconds = map[string]bool{"protocol": true, "optimizer": true, "learner": true, "learner_ddpg": true, "gae": true, "replay_memory": true, "rl": true, "rl_ddpg": true}

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

// Every listed design is proved equal to its own Verilog read back, whose registers may have
// other names.
func TestEqualToVerilog(t *testing.T) {
	for _, design := range Designs() {
		t.Run(design.Name, func(t *testing.T) {
			if testing.Short() && seconds[design.Name] {
				t.Skip("takes seconds")
			}
			d, err := design.Build(nil)
			require.NoError(t, err)
			r, err := equiv.Compare(d, fromVerilog(t, d), equiv.Limit(2*time.Minute))
			require.NoError(t, err)
			require.Equal(t, equiv.Equal, r.Outcome, "%v", r)
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
