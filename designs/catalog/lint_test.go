package catalog

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/designs/cli"
	"etch/testbench/tools"
)

// others are two more sets of parameters for every design that has any.
var others = map[string][]cli.Values{
	"counter":           {{"width": "1"}, {"width": "65"}},
	"regfile":           {{"regs": "5", "width": "1"}, {"bypass": "false", "width": "64"}},
	"arbiter":           {{"n": "2"}, {"n": "9"}},
	"fifo":              {{"depth": "2"}, {"depth": "128"}},
	"crossing":          {{"width": "1", "depth": "4"}, {"width": "33", "depth": "32"}},
	"uart":              {{"clocks_per_bit": "2"}, {"clocks_per_bit": "65536"}},
	"learner":           {{"tiles": "4,8,8,2"}, {"sizes": "3,6,4,5", "tiles": "1,2,6,1,2,5", "batch": "4", "dp": "2", "double": "true", "tau": "300"}},
	"rl":                {{"learner.tiles": "4,8,8,2", "learner.dp": "2", "k": "16", "read": "2"}, {"learner.sizes": "3,6,4,5", "learner.tiles": "1,2,6,1,2,5", "learner.batch": "4", "learner.tau": "300", "capacity": "37"}},
	"optimizer":         {{"weights": "64", "format": "bf16", "method": "adam", "kahan": "false"}, {"weights": "40", "correction": "folded", "div": "3", "hypot": "0"}},
	"loss_scaler":       {{"groups": "1", "growth": "1"}, {"groups": "16", "format": "bf16", "floor": "16", "start": "1"}},
	"learner_ddpg":      {{"actor_tiles": "3,8,8,1", "critic_tiles": "4,8,8,1"}, {"actions": "3", "actor_hidden": "5,4", "critic_hidden": "6", "actor_tiles": "2,3,1,4,2,2", "critic_tiles": "4,1,2,1", "batch": "4", "dp": "2", "tau": "0", "count": "true"}},
	"rl_ddpg":           {{"learner.actor_tiles": "3,8,8,1", "learner.critic_tiles": "4,8,8,1", "learner.dp": "2", "capacity": "100"}, {"learner.batch": "4", "learner.tau": "0", "capacity": "37", "k": "2"}},
	"i2c":               {{"quarter": "5", "words": "2"}, {"quarter": "65536", "words": "64"}},
	"fixedmac":          {{"integer": "1", "fraction": "7"}, {"integer": "20", "fraction": "20", "round": "half-even"}},
	"divider":           {{"numerator": "8", "divisor": "3", "bits_per_cycle": "1"}, {"numerator": "33", "divisor": "33", "fraction": "7"}},
	"divider_signed":    {{"numerator": "8", "divisor": "3", "fraction": "0"}, {"bits_per_cycle": "5", "quotient": "20"}},
	"divider_pipelined": {{"numerator": "8", "divisor": "5", "fraction": "0", "quotient": "0"}, {"bits_per_stage": "7"}},
	"root":              {{"radicand": "2"}, {"radicand": "31", "fraction": "9", "bits_per_cycle": "3"}},
	"root_pipelined":    {{"radicand": "2", "bits_per_stage": "1"}, {"radicand": "31", "fraction": "9"}},
	"systolic":          {{"n": "2"}, {"n": "3", "pe.data": "5", "pe.sum": "11"}},
	"matmul":            {{"rows": "1", "cols": "1", "products": "1"}, {"cols": "3", "products": "1000"}},
	"float":             {{"op": "fma", "format": "bf16", "rounding": "dynamic", "stages": "4"}, {"op": "div", "format": "e4m3fn", "rounding": "rup", "flags": "false", "stages": "1"}},
	"function":          {{"function": "sin", "format": "bf16", "flags": "true"}, {"function": "recip", "format": "e4m3", "ulp": "0.75"}},
	"protocol":          {{"words": "16", "clocks_per_bit": "4", "tries": "1"}, {"tries": "9", "contents": "1,2,3"}},
	"rv32i":             {{"words": "64"}, {"words": "4096", "program": "0x13,0x6f"}},
	"dwc":               {{"head": "counts", "pipeline.input": "true"}, {"rom": "block", "pipeline.counts": "2"}},
	"gae":               {{"rows": "2", "depth": "16", "k": "1"}, {"rows": "3", "ping_pong": "true", "round_robin": "true", "narrow": "true"}},
	"gae_element":       {{"k": "1"}, {"k": "3", "data.width": "20", "data.frac": "8"}},
	"gae_row":           {{"depth": "16", "stack": "4"}, {"narrow": "true", "restore_rewards": "true"}},
	"gae_statistics":    {{"code_bits": "5"}, {"rows": "2", "depth": "64"}},
	"gae_welford":       {{"frac": "16"}, {"frac": "20"}},
	"replay":            {{"capacity": "37", "k": "16", "read": "2", "strata": "2"}, {"capacity": "100", "form": "scan", "early": "true"}},
	"replay_memory":     {{"capacity": "37", "k": "16", "read": "2", "strata": "2", "data": "1"}, {"capacity": "2", "leaf": "32", "fraction": "20", "flight": "1", "data": "200"}},
}

// TestLint exports every design with its defaults and with two other sets of
// parameters, and has verilator -Wall read them: the pinned version, and the one on
// PATH where that is another. There may be no warning.
func TestLint(t *testing.T) {
	var versions []tools.Tool
	for _, design := range Designs() {
		sets := []cli.Values{nil}
		if len(design.Params) > 0 {
			require.Len(t, others[design.Name], 2, design.Name)
			sets = append(sets, others[design.Name]...)
		}
		if testing.Short() {
			sets = sets[:1]
		}
		for i, set := range sets {
			t.Run(fmt.Sprint(design.Name, i), func(t *testing.T) {
				net, err := design.Build(set)
				require.NoError(t, err)
				v, err := verilog.Text(net, verilog.Options{})
				require.NoError(t, err)
				if versions == nil {
					versions = bothVerilators(t)
				}
				file := filepath.Join(t.TempDir(), verilog.TopName(net)+".v")
				require.NoError(t, os.WriteFile(file, v, 0o644))
				for _, tool := range versions {
					lint(t, tool, verilog.TopName(net), file)
				}
			})
		}
	}
}

// bothVerilators are the pinned verilator and the machine's own.
func bothVerilators(t *testing.T) []tools.Tool {
	list := tools.Need(t, "verilator")[:1]
	if path, err := exec.LookPath("verilator"); err == nil && path != list[0].Path {
		list = append(list, tools.Tool{Path: path})
	}
	return list
}

// lint fails unless verilator has nothing to say but how long it took.
func lint(t *testing.T, tool tools.Tool, top, file string) {
	t.Helper()
	out, err := tool.Command(t.Context(), "--lint-only", "-Wall", "--top-module", top, file).CombinedOutput()
	var said []byte
	for line := range bytes.Lines(out) {
		if !bytes.HasPrefix(line, []byte("- ")) {
			said = append(said, line...)
		}
	}
	require.NoError(t, err, "%s", said)
	require.Empty(t, string(said))
}
