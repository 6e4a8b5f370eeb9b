package net

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// underCondition builds a net of four registers that an index selects, under a condition.
func underCondition(condition func(n *Net, leaf func(w uint8) ID) ID) *Net {
	n := New()
	leaf := func(w uint8) ID {
		n.Regs = append(n.Regs, Reg{Slot: int32(len(n.Regs)), W: w, Q: None, Next: None})
		return n.Leaf(len(n.Regs) - 1)
	}
	on, index, data := condition(n, leaf), leaf(2), leaf(8)
	for k := range uint64(4) {
		q := leaf(8)
		n.Regs[len(n.Regs)-1].Next = n.Mux(n.And(on, n.Eq(index, n.Const(k))), data, q)
	}
	return n
}

// TestVectorsOfLongConditions: a condition takes time by its size, and no stack, however its Ands
// are shared.
func TestVectorsOfLongConditions(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 18))

	// A short condition is found, and each of its terms.
	short := underCondition(func(n *Net, leaf func(uint8) ID) ID { return n.And(leaf(1), n.And(leaf(1), leaf(1))) })
	require.Len(t, short.Vectors(&standard.Vectors).Mems, 1)

	// A chain of Ands.
	chain := underCondition(func(n *Net, leaf func(uint8) ID) ID {
		x := leaf(1)
		for range 30_000 {
			x = n.And(x, leaf(1))
		}
		return x
	})
	require.NoError(t, chain.Vectors(&standard.Vectors).Verify())

	// Every And is an operand twice, so that there are 2 to the 60 paths.
	shared := underCondition(func(n *Net, leaf func(uint8) ID) ID {
		x := leaf(1)
		for range 60 {
			x = n.And(n.And(x, leaf(1)), n.And(x, leaf(1)))
		}
		return x
	})
	require.NoError(t, shared.Vectors(&standard.Vectors).Verify())
}
