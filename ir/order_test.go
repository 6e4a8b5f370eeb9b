package ir

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOrder: on random graphs with forward wires every node comes once and after
// its arguments.
func TestOrder(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		m := NewModule("m", nil)
		m.AddInput("x", 1, 0, 0)
		var wires []ID
		for range 100 {
			pick := func() ID { return ID(1 + rng.IntN(m.Len()-1)) }
			if rng.IntN(4) == 0 {
				wires = append(wires, m.Add(Node{Op: Wire, Width: 1}, 1))
				continue
			}
			m.Add(Node{Op: And, Width: 1}, pick(), pick())
		}
		for _, w := range wires { // forward to a node that reads nothing
			m.Args(w)[0] = m.Add(Node{Op: Not, Width: 1}, 1)
		}
		order, err := m.Order(Paths{})
		require.NoError(t, err)
		require.Len(t, order, m.Len()-1)
		at := make([]int, m.Len())
		for i, id := range order {
			require.Zero(t, at[id])
			at[id] = i + 1
		}
		for _, id := range order {
			for _, a := range m.Args(id) {
				require.Less(t, at[a], at[id])
			}
		}
	}
}

// TestOrderKeepsIDs: where nothing forces otherwise, IDs rise.
func TestOrderKeepsIDs(t *testing.T) {
	m := NewModule("m", nil)
	x := m.AddInput("x", 1, 0, 0)
	for range 5 {
		m.Add(Node{Op: Not, Width: 1}, x)
	}
	order, err := m.Order(Paths{})
	require.NoError(t, err)
	require.Equal(t, []ID{1, 2, 3, 4, 5, 6}, order)
}

// TestOrderDeep: a chain of a million nodes in the wrong direction needs no deep
// call stack.
func TestOrderDeep(t *testing.T) {
	const n = 1_000_000
	m := NewModule("m", nil)
	for id := ID(1); id < n; id++ {
		m.Add(Node{Op: Wire, Width: 1}, id+1)
	}
	m.AddInput("x", 1, 0, 0)
	order, err := m.Order(Paths{})
	require.NoError(t, err)
	require.Equal(t, ID(n), order[0])
	require.Equal(t, ID(1), order[n-1])
}

// twoWays is a module with p = not a and q = a register of b.
func twoWays() *Module {
	c := NewModule("two", nil)
	clk := c.AddInput("clk", 1, TypeID(Clock), 0)
	a := c.AddInput("a", 1, 0, 0)
	b := c.AddInput("b", 1, 0, 0)
	c.AddOutput("p", 1, 0, c.Add(Node{Op: Not, Width: 1}, a), 0)
	r := c.AddReg("r", 1, 0, clk, 0)
	c.Regs[0].Next = b
	c.AddOutput("q", 1, 0, r, 0)
	c.AddOutput("s", 1, 0, c.Add(Node{Op: And, Width: 1}, a, r, b), 0)
	return c
}

func TestPaths(t *testing.T) {
	c := twoWays()
	p := Paths{}
	require.Equal(t, [][]int{nil, nil, nil, {1}, nil}, p.Of(c)[:5])
	require.ElementsMatch(t, []int{1, 2}, p.Of(c)[5])

	m := NewModule("outer", nil) // the paths of a module go through its instances
	clk := m.AddInput("clk", 1, TypeID(Clock), 0)
	x := m.AddInput("x", 1, 0, 0)
	y := m.AddInput("y", 1, 0, 0)
	u := m.AddInst("u", c, 0)
	conns := m.Insts[u].Conns
	conns[0], conns[1], conns[2] = clk, x, y
	for i, name := range []string{"p", "q", "s"} {
		m.AddOutput(name, 1, 0, conns[3+i], 0)
	}
	of := p.Of(m)
	require.Equal(t, []int{1}, of[3])
	require.Empty(t, of[4])
	require.ElementsMatch(t, []int{1, 2}, of[5])
	require.Equal(t, []ID{x}, p.AppendFanin(nil, m, conns[3]))
	require.Empty(t, p.AppendFanin(nil, m, conns[4]))
}

// TestLoops: a loop is told as nodes that depend on each other, through instances
// too; a path through a register or past an instance is none.
func TestLoops(t *testing.T) {
	c := twoWays()
	build := func(out int) (*Module, []ID) {
		m := NewModule("m", nil)
		clk := m.AddInput("clk", 1, TypeID(Clock), 0)
		m.AddInst("u", c, 0)
		conns := m.Insts[0].Conns
		n := m.Add(Node{Op: Not, Width: 1}, conns[out])
		conns[0], conns[1], conns[2] = clk, n, clk
		return m, []ID{n, conns[out]}
	}
	m, nodes := build(3) // p depends on a
	_, err := m.Order(Paths{})
	var loop *LoopError
	require.True(t, errors.As(err, &loop))
	require.ElementsMatch(t, nodes, loop.Nodes)
	require.Same(t, m, loop.Mod)
	require.Contains(t, err.Error(), "module m: combinational loop of 2 nodes through %")
	for i, id := range loop.Nodes {
		next := loop.Nodes[(i+1)%len(loop.Nodes)]
		require.Contains(t, Paths{}.AppendFanin(nil, m, id), next, "each depends on the next")
	}
	m, _ = build(4) // q is a register
	_, err = m.Order(Paths{})
	require.NoError(t, err)
}
