package gae_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/designs/gae"
	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/fixed"
	"etch/testbench/tools"
)

// synthesised is the cells of an element after synth_xilinx: their types and
// parameters.
func synthesised(t *testing.T, family string, e model.Element) (cells []struct {
	Type       string
	Parameters map[string]string
}) {
	yosys := tools.Need(t, "yosys")[0]
	d, _, err := hw.Build(gae.Element{Element: e})
	require.NoError(t, err)
	text, err := verilog.Text(d, verilog.Options{NoPositions: true})
	require.NoError(t, err)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.v"), filepath.Join(dir, "out.json")
	require.NoError(t, os.WriteFile(in, text, 0o644))
	said, err := yosys.Command(t.Context(), "-q", "-p", "read_verilog "+in+"; synth_xilinx -flatten -family "+family+" -top element; write_json "+out).CombinedOutput()
	require.NoError(t, err, string(said))
	var doc struct {
		Modules map[string]struct {
			Cells map[string]struct {
				Type       string
				Parameters map[string]string
			}
		}
	}
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &doc))
	for _, c := range doc.Modules["element"].Cells {
		cells = append(cells, c)
	}
	return cells
}

// An element of 27 bits takes one DSP48E2 for each of its k + 1 multipliers, where
// 32 bits would take four.
func TestDSPs(t *testing.T) {
	if testing.Short() {
		t.Skip("synthesis")
	}
	for _, k := range []int{1, 2} {
		e := model.Paper().Element
		e.K = k
		dsp := 0
		for _, c := range synthesised(t, "xcup", e) {
			if c.Type == "DSP48E2" {
				dsp++
			}
		}
		require.Equal(t, k+1, dsp)
	}
}

// Synthesis can put the registers around a multiplier into the DSP block: yosys does
// so for the 7 series, whose multiplier is 25 by 18.
func TestRegistersInDSP(t *testing.T) {
	if testing.Short() {
		t.Skip("synthesis")
	}
	e := model.Paper().Element
	e.Data = fixed.Format{Width: 25, Frac: 14}
	packed := map[string]int{}
	blocks := 0
	for _, c := range synthesised(t, "xc7", e) {
		if c.Type != "DSP48E1" {
			continue
		}
		blocks++
		for _, r := range []string{"AREG", "BREG", "MREG", "PREG"} {
			if strings.HasSuffix(c.Parameters[r], "1") || strings.HasSuffix(c.Parameters[r], "10") {
				packed[r]++
			}
		}
	}
	require.Equal(t, 3, blocks)
	t.Logf("registers inside of %d blocks: %v", blocks, packed)
	require.GreaterOrEqual(t, packed["MREG"], 2)
	require.GreaterOrEqual(t, packed["PREG"], 2)
}
