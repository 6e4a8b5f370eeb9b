package lanes_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/simtest"
	"etch/sim/lanes"
	"etch/sim/vcd"
)

// A lane can be traced whatever memories are packed.
func TestTracePacked(t *testing.T) {
	l, err := lanes.New(simtest.Alone(simtest.Counter(8, false)), 4, sim.WithPacking(1<<22))
	require.NoError(t, err)
	defer l.Close()
	var waves bytes.Buffer
	w := vcd.New(&waves)
	require.NoError(t, l.Trace(1, w))
	require.NoError(t, l.SetAll(l.Top()[2], 1))
	l.Step(7)
	require.NoError(t, l.Err())
	require.NoError(t, w.Close())
	require.NotZero(t, waves.Len())
}

// A memory that groups hold is not packed either while lanes are apart.
func TestApartUnpacked(t *testing.T) {
	b := simtest.NewBuild("top")
	const depth = 1<<20 + 8 // packed by default
	at := b.Register("at", 32, depth-4)
	b.Feed(at, b.Put(ir.Add, 32, at, b.Number(32, 1)))
	b.Mems = append(b.Mems, ir.Memory{Name: "ram", Depth: depth, Width: 1,
		Writes: []ir.WritePort{{Clk: b.Clk, Addr: at, Data: b.Cut(at, 0, 1)}}})
	b.AddOutput("out", 1, 0, b.Add(ir.Node{Op: ir.MemRead, Width: 1}, at), 0)
	d := simtest.Design(b)

	l, err := lanes.New(d, 2, sim.WithPacking(depth+1))
	require.NoError(t, err)
	defer l.Close()
	mem, err := l.Mem("ram")
	require.NoError(t, err)
	require.NoError(t, mem.Write(1, 7, bits.New(1, 1)))
	if !l.Apart(true) {
		t.Skip("no machine code")
	}
	require.True(t, l.IsApart())
	l.Step(4)
	for _, apart := range []bool{true, false} {
		l.Apart(apart)
		require.Equal(t, uint64(0), mem.Read(0, 7).Uint64())
		require.Equal(t, uint64(1), mem.Read(1, 7).Uint64())
		require.Equal(t, uint64(1), mem.Read(1, depth-3).Uint64())
		require.Equal(t, uint64(0), mem.Read(1, depth-2).Uint64())
	}
}
