package bench_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/bench"
	"etch/ir"
)

// TestLoad: import flattens modules in which clocks are derived, so that the name of a memory has
// the instances' names and dots in it. Either form of the path finds its memory.
func TestLoad(t *testing.T) {
	d := &ir.Design{Src: ir.NewSources()}
	soc, core := ir.NewModule("soc", d.Src), ir.NewModule("core", d.Src)
	core.Mems = []ir.Memory{{Name: "ram", Width: 8, Depth: 2}, {Name: "flat.ram", Width: 8, Depth: 2}}
	soc.AddInst("core", core, 0)
	soc.Mems = []ir.Memory{{Name: "bus.core.ram", Width: 8, Depth: 2}}
	d.Top, d.Modules = soc, []*ir.Module{core, soc}
	file := filepath.Join(t.TempDir(), "a.bin")
	require.NoError(t, os.WriteFile(file, []byte{7, 9}, 0o600))

	for name, mem := range map[string]*ir.Memory{"core.ram": &core.Mems[0], "core.flat.ram": &core.Mems[1], "bus.core.ram": &soc.Mems[0]} {
		require.Empty(t, mem.Init, name)
		require.NoError(t, bench.Load(d, name, file))
		require.Len(t, mem.Init, 2, name)
		require.EqualValues(t, 9, mem.Init[1].Uint64(), name)
	}
	require.EqualError(t, bench.Load(d, "core.rom", file), "memory core.rom: module core has no memory rom")
	require.EqualError(t, bench.Load(d, "cpu.ram", file), "memory cpu.ram: module soc has no instance cpu")
	require.EqualError(t, bench.Load(d, "core.cpu.ram", file), "memory core.cpu.ram: module core has no instance cpu")
}
