package native

import (
	"testing"
	"unsafe"

	"etch/sim/native/internal/emit"
	"etch/sim/net"

	"github.com/stretchr/testify/require"
)

func TestCellsAreNarrow(t *testing.T) {
	var r room
	var got []emit.Cell
	for _, w := range []uint8{1, 8, 9, 32, 1, 33, 64} {
		got = append(got, r.take(w))
	}
	require.Equal(t, []emit.Cell{
		{At: 0, Bytes: 1}, {At: 1, Bytes: 1}, {At: 4, Bytes: 4}, {At: 8, Bytes: 4}, {At: 12, Bytes: 1},
		{At: 16, Bytes: 8}, {At: 24, Bytes: 8},
	}, got)
	require.Equal(t, int32(32), r.bytes)
}

// Registers of all widths, at once and deferred, in cells: a ring in which each takes the value of the
// one before, so that whatever the order of the parts some are read behind their write.
func TestRegistersInCells(t *testing.T) {
	n := net.New()
	const count = 64
	for i := range count {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(i), W: uint8(i + 1), Q: net.None, Next: net.None})
	}
	for i := range count {
		before := n.Leaf((i + count - 1) % count)
		n.Regs[i].Next = n.Add(n.Slice(before, 0, min(n.Width(before), uint8(i+1))), n.Const(3), uint8(i+1))
	}

	code, act, want := partsOf(t, n, n.Enables().Prepared(), count, 1)
	late, near := 0, 0
	for i, c := range act.cells.regs {
		bytes := uint8(8)
		if w := i + 1; w <= 8 {
			bytes = 1
		} else if w <= 32 {
			bytes = 4
		}
		require.Equal(t, bytes, c.Bytes, "register of %d bits", i+1)
		if act.s.Deferred(int32(i)) {
			late++
		} else {
			near++
		}
	}
	require.Positive(t, late)
	require.Positive(t, near)

	// The words of the state are equal after each call, and a word that is written from outside is
	// seen, because it was declared as shared.
	var slots []uint32
	for i := range count {
		slots = append(slots, uint32(i))
	}
	act.share(slots)
	got := make([]uint64, partsRoom+count)[partsRoom:]
	copy(got, want)
	base := unsafe.Pointer(&got[0])
	act.raise(base)
	for i := range 200 {
		act.renew(base)
		code.Run(base, uint64(1+i%3))
		act.note(base)
		for range 1 + i%3 {
			step(n, want)
		}
		require.Equal(t, want, got, "call %d", i)
		k := i * 7 % count
		v := uint64(i) * 0x9e3779b97f4a7c15 & net.Mask(n.Regs[k].W)
		want[k], got[k] = v, v
	}
}

func TestNearestPlaces(t *testing.T) {
	n := net.New()
	cells := make([]emit.Cell, 8)
	for i := range cells {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(i), W: 1, Q: net.None, Next: net.None})
	}
	for i, at := range []int32{-9000, -9001, -5000, -4990, -4760, -4740, -100, -400} {
		cells[i] = emit.Cell{At: at, Bytes: 1}
	}
	use := func(i int) { n.And(n.Leaf(i), n.Leaf((i+1)%2)) }
	for _, i := range []int{2, 3, 4, 5} {
		for range 2 {
			use(i)
		}
	}

	// Each of the first two places has two uses, so a register points at both. Three of the others are
	// in reach of one, with one use each, which does not pay.
	got := nearest(&net.PartNet{Net: n, Words: make([]net.PartWord, 8)}, make([]emit.Change, 8), cells)
	require.Equal(t, []int32{-9001 + emit.Reach}, got)
}

// The mask of a write is a register in a cell of a byte, while both temporaries are in use.
func TestMaskInCell(t *testing.T) {
	const count, depth = 4, 8
	n := net.New()
	n.Mems = []net.Mem{{At: count, Words: depth, Depth: depth, W: 8}}
	for i := range count {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(i), W: 8, Q: net.None, Next: net.None})
	}
	addr, mask, data := n.Leaf(0), n.Leaf(1), n.Leaf(2)
	n.Regs[0].Next = n.Add(addr, n.Const(1), 8)
	n.Regs[1].Next = n.Add(mask, n.Const(37), 8)
	n.Regs[2].Next = n.Add(n.Xor(data, mask), n.Const(11), 8)
	n.Regs[3].Next = n.Read(0, n.Slice(addr, 1, 3))
	n.Writes = []net.Write{{Mem: 0, En: net.None, Addr: n.Slice(addr, 0, 3), Data: data, Mask: mask}}

	// The write has a part of its own: one that writes the mask too would read a copy.
	code, act, want := partsOf(t, n, n.Enables().Prepared(), count+depth, 1)
	require.Equal(t, uint8(1), act.cells.regs[1].Bytes)
	got := make([]uint64, partsRoom+len(want))[partsRoom:]
	copy(got, want)
	act.raise(unsafe.Pointer(&got[0]))
	for i := range 100 {
		code.Run(unsafe.Pointer(&got[0]), 1)
		act.note(unsafe.Pointer(&got[0]))
		step(n, want)
		require.Equal(t, want, got, "cycle %d", i)
	}
}
