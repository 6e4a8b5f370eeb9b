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
		_, found, err := bench.Load(d, name, file)
		require.NoError(t, err)
		require.Same(t, mem, found)
		require.Len(t, mem.Init, 2, name)
		require.EqualValues(t, 9, mem.Init[1].Uint64(), name)
	}
	_, _, err := bench.Load(d, "core.rom", file)
	require.EqualError(t, err, "memory core.rom: module core has no memory rom")
	_, _, err = bench.Load(d, "cpu.ram", file)
	require.EqualError(t, err, "memory cpu.ram: module soc has no instance cpu")
	_, _, err = bench.Load(d, "core.cpu.ram", file)
	require.EqualError(t, err, "memory core.cpu.ram: module core has no instance cpu")

	require.Equal(t, []string{"core"}, bench.Instances(d, core))
	require.Equal(t, []string{""}, bench.Instances(d, soc))
}
