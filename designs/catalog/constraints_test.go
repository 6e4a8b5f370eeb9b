package catalog

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/designs/examples/crossing"
	"etch/designs/gae"
	"etch/designs/gae/model"
	"etch/hw"
	"etch/ir"
	"etch/testbench/tools"
)

// padded has a listener to a line, on another clock than its own.
type padded struct{}

type paddedPorts struct {
	Other hw.Domain `dir:"in"`
	Line  hw.Pad[hw.Bit]
	Talk  hw.Bit `dir:"in"`
	Heard hw.Bit `dir:"out"`
}

func (padded) Ports() paddedPorts { return paddedPorts{Line: hw.InOut(hw.Bit{})} }

func (padded) Build(m *hw.Module, p paddedPorts) {
	talk := hw.Delay(m, "talk", p.Talk, 1, hw.Low)
	l := hw.Inst(m.On(p.Other), "listener", listener{}, listenerPorts{Line: p.Line, Talk: talk})
	p.Heard.Set(hw.Sync(m, "heard", l.Heard))
}

// listener takes what is on a line into its clock, and pulls it low when it is to.
type listener struct{}

type listenerPorts struct {
	Line  hw.Pad[hw.Bit]
	Talk  hw.Bit `dir:"in"`
	Heard hw.Bit `dir:"out"`
}

func (listener) Ports() listenerPorts { return listenerPorts{Line: hw.InOut(hw.Bit{})} }

func (listener) Build(m *hw.Module, p listenerPorts) {
	p.Line.DriveLow(hw.Sync(m, "pulls", p.Talk))
	p.Heard.Set(hw.Sync(m, "hears", p.Line.Value()))
}

// TestConstraintsHit: each pattern for cells in the XDC and SDC of a design hits a
// register or a memory that yosys makes with the hierarchy kept: under the names of
// its instances.
func TestConstraintsHit(t *testing.T) {
	sys := model.Paper()
	sys.Rows, sys.Depth = 2, 16
	build := func(d *ir.Design, _ any, err error) *ir.Design {
		require.NoError(t, err)
		return d
	}
	bridge, _, err := hw.Build(crossing.Bridge{Width: 8, Depth: 4})
	bridge = build(bridge, nil, err)
	pads, _, err := hw.Build(padded{})
	pads = build(pads, nil, err)
	two, _, err := hw.Build(gae.TwoClocks{System: sys})
	two = build(two, nil, err)
	const xilinx, pad, plain = "synth_xilinx -noiopad -noclkbuf", "synth_xilinx -noclkbuf", "synth -noabc" // buffers of pads need ports

	for _, c := range []struct {
		name, script string
		d            *ir.Design
		least        int // patterns
	}{
		{"bridge", xilinx, bridge, 5}, {"bridge, generic", plain, bridge, 5},
		{"pads", pad, pads, 4}, {"pads, generic", "hierarchy -top padded; proc; tribuf; " + plain, pads, 4}, // synth takes z for x else
		{"gae on two clocks", "synth -run :fine", two, 20}, // words: gates take half a minute
	} {
		t.Run(c.name, func(t *testing.T) {
			var periods []verilog.Period
			for i, p := range c.d.Top.Ports {
				if p.Type == ir.TypeID(ir.Clock) {
					periods = append(periods, verilog.Period{Port: verilog.PortNames(c.d.Top)[i], NS: 4})
				}
			}
			require.Len(t, periods, 2)
			xdc, sdc, err := verilog.Constraints(c.d, periods)
			require.NoError(t, err)
			mods := synthesised(t, c.d, c.script)
			patterns := map[string]bool{}
			for _, list := range regexp.MustCompile(`get_cells \{([^}]*)\}`).FindAllStringSubmatch(string(xdc)+string(sdc), -1) {
				for _, p := range strings.Fields(list[1]) {
					patterns[p] = true
				}
			}
			require.GreaterOrEqual(t, len(patterns), c.least)
			below := 0
			for p := range patterns {
				if len(mods.hits(verilog.TopName(c.d), p)) == 0 {
					t.Errorf("%s hits nothing", p)
				}
				if strings.Contains(p, "/") {
					below++
				}
			}
			require.NotZero(t, below, "all is in the top")
			require.Empty(t, mods.hits(verilog.TopName(c.d), "nothing_reg[*]"))
		})
	}
}

// modules is what yosys's write_json writes.
type modules map[string]struct {
	Cells map[string]struct {
		Type        string
		Connections map[string][]any
	}
	Netnames map[string]struct{ Bits []any }
}

// synthesised has yosys synthesise a design, with its hierarchy.
func synthesised(t *testing.T, d *ir.Design, script string) modules {
	t.Helper()
	yosys := tools.Need(t, "yosys")[0]
	text, err := verilog.Text(d, verilog.Options{})
	require.NoError(t, err)
	dir := t.TempDir()
	file, out := filepath.Join(dir, "d.v"), filepath.Join(dir, "d.json")
	require.NoError(t, os.WriteFile(file, text, 0o666))
	said, err := yosys.Command(t.Context(), "-q", "-p", "read_verilog "+file+"; "+script+" -top "+verilog.TopName(d)+"; write_json "+out).CombinedOutput()
	require.NoError(t, err, "%s", said)
	read, err := os.ReadFile(out)
	require.NoError(t, err)
	var doc struct{ Modules modules }
	require.NoError(t, json.Unmarshal(read, &doc))
	return doc.Modules
}

// hits lists the cells that a pattern means: instance/register_reg[*] is the
// flip-flops that drive the register's net, memory_reg* what has the memory's name or
// drives one of its words.
func (m modules) hits(top, pattern string) (cells []string) {
	parts := strings.Split(pattern, "/")
	in := top
	for _, inst := range parts[:len(parts)-1] {
		in = m[in].Cells[inst].Type
	}
	name := parts[len(parts)-1]
	memory, isMemory := strings.CutSuffix(name, "_reg*")
	register := strings.TrimSuffix(strings.TrimSuffix(name, "[*]"), "_reg")
	bits := m[in].Netnames[register].Bits
	if isMemory { // of which a word may be a register
		for net, n := range m[in].Netnames {
			if strings.HasPrefix(net, memory+"[") {
				bits = append(bits, n.Bits...)
			}
		}
	}
	for cell, c := range m[in].Cells {
		switch {
		case isMemory && strings.Contains(cell, memory):
			cells = append(cells, cell)
		case isFlipFlop.MatchString(c.Type) && slices.ContainsFunc(c.Connections["Q"], func(q any) bool { return slices.Contains(bits, q) }):
			cells = append(cells, cell)
		}
	}
	return cells
}

var isFlipFlop = regexp.MustCompile(`^(FD[A-Z]+|\$_[A-Z]*DFF[A-Z]*_[NP0-9]*_|\$[a-z]*dff[a-z]*)$`)
