package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/yosys"
	"etch/ir"
	"etch/sim"
	"etch/testbench"
	"etch/testbench/tools"
)

// A public core with a system of ours around it, in testdata/cores.
type publicCore struct {
	name, top, reset string
	files            []string // below the folder of cores; patterns
}

var publicCores = []publicCore{
	{"picorv32", "picorv32_soc", "!resetn", []string{"YosysHQ+picorv32/picorv32.v"}},
	{"femtorv32", "femtorv32_soc", "!resetn", []string{"femtorv/femtorv32_quark.v"}},
	{"serv", "serv_soc", "rst", []string{"olofk+serv/rtl/serv_*.v"}},
}

// sources are the Verilog files of a core, none if they are not at hand:
// ETCH_CORES is the folder they are below.
func (c publicCore) sources(t *testing.T) (files []string) {
	t.Helper()
	dir := os.Getenv("ETCH_CORES")
	if dir == "" {
		t.Skip("public cores are not kept here: set ETCH_CORES to a folder that has them")
	}
	for _, f := range c.files {
		found, err := filepath.Glob(filepath.Join(dir, f))
		require.NoError(t, err)
		require.NotEmpty(t, found, f)
		files = append(files, found...)
	}
	own, err := filepath.Abs(filepath.Join("testdata/cores", c.name+".v"))
	require.NoError(t, err)
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "synth_wrapper.v") })
	return append(files, own)
}

// hex is the endless program as $readmemh reads it.
func hex(t *testing.T) string {
	t.Helper()
	words, err := program()
	require.NoError(t, err)
	var b strings.Builder
	for i := range 1024 {
		w := uint32(0)
		if i < len(words) {
			w = words[i]
		}
		fmt.Fprintf(&b, "%08x\n", w)
	}
	file := filepath.Join(t.TempDir(), "program.hex")
	require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o666))
	return file
}

// foreign reads a core.
func (c publicCore) foreign(t *testing.T) Foreign {
	t.Helper()
	tool := tools.Need(t, "yosys")[0]
	src := yosys.Source{Files: c.sources(t), Top: c.top, Params: []ir.Param{{Name: "PROGRAM", Value: `"` + hex(t) + `"`}}}
	d, err := yosys.Read(t.Context(), tool.Command, src)
	require.NoError(t, err)
	return Foreign{Name: c.name, Body: d, Extern: ir.Extern{Module: c.top, Files: src.Files, Params: src.Params}, Reset: []string{c.reset}}
}

// whole is a design whose top has the ports of a core and nothing but it inside.
func (f Foreign) whole() *ir.Design {
	box := f.box()
	m := ir.NewModule("around", f.Body.Src)
	for _, p := range box.Ports {
		if p.Dir == ir.In {
			m.AddInput(p.Name, p.Width, p.Type, 0)
		}
	}
	at := m.AddInst("dut", box, 0)
	for k, p := range box.Ports {
		if p.Dir == ir.In {
			m.Insts[at].Conns[k] = m.Ports[m.PortIndex(p.Name)].Node
		} else {
			m.AddOutput(p.Name, p.Width, p.Type, m.Insts[at].Conns[k], 0)
		}
	}
	return &ir.Design{Top: m, Modules: []*ir.Module{box, m}, Src: f.Body.Src}
}

// TestPublicCores runs a program on public cores and compares every output in
// every cycle with Verilator, which runs the Verilog as it is.
func TestPublicCores(t *testing.T) {
	for _, c := range publicCores {
		t.Run(c.name, func(t *testing.T) {
			f := c.foreign(t)
			tools.Need(t, "verilator")
			s := testbench.Run(t, f.whole(), testbench.CoSim("verilator"), testbench.WithoutReset())
			name, low := strings.CutPrefix(c.reset, "!")
			on := uint64(1)
			if low {
				on = 0
			}
			rst, err := s.Sim.Signal(name)
			require.NoError(t, err)
			require.NoError(t, s.Sim.Set(rst, on))
			s.Step(3)
			require.NoError(t, s.Sim.Set(rst, 1-on))
			s.Step(30_000)
			words, err := s.Sim.Signal("words")
			require.NoError(t, err)
			t.Logf("%s: %d words in %d cycles", c.name, s.Sim.Get(words), s.Sim.Cycles())
		})
	}
}

// TestCoreOutput: what the cores put out is what the processor of etch puts out
// for the same program.
func TestCoreOutput(t *testing.T) {
	want := outputs(8)
	for _, c := range publicCores {
		t.Run(c.name, func(t *testing.T) {
			f := c.foreign(t)
			net, err := f.around(f.Body.Top, f.Body)
			require.NoError(t, err)
			require.NoError(t, ir.Verify(net))
			s, err := sim.New(net, sim.WithEngine(sim.Native))
			require.NoError(t, err)
			s.Reset()
			word, err := s.Signal("dut.word")
			require.NoError(t, err)
			count, err := s.Signal("dut.words")
			require.NoError(t, err)
			var got []uint32
			for len(got) < len(want) && s.Cycles() < 40_000_000 {
				s.Step(50)
				if s.Get(count) > uint64(len(got)) {
					got = append(got, uint32(s.Get(word)))
				}
			}
			require.Equal(t, want, got)
		})
	}
}

// outputs are the first n words that the program puts out, by its model.
func outputs(n int) (all []uint32) {
	for x := uint32(2463534242); len(all) < n; {
		var words []uint32
		words, x = round(x)
		all = append(all, words...)
	}
	return all[:n]
}
