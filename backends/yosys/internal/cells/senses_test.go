package cells

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
)

// cone is logic behind a clock for tests: a level, inputs and registers, and what is
// made of them.
type cone struct {
	m      *ir.Module
	level  ir.ID
	leaves []ir.ID // besides the level, of one bit
}

func newCone(leaves int) *cone {
	c := &cone{m: ir.NewModule("cone", ir.NewSources())}
	clk := c.m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	c.level = c.m.AddInput("level", 1, 0, 0)
	for i := range leaves {
		id := ir.None
		if i%2 == 0 {
			id = c.m.AddInput("a"+string(rune('a'+i)), 1, 0, 0)
		} else {
			id = c.m.AddReg("r"+string(rune('a'+i)), 1, 0, clk, 0)
			c.m.Regs[len(c.m.Regs)-1].Next = id
		}
		c.leaves = append(c.leaves, id)
	}
	return c
}

func (c *cone) op(op ir.Op, args ...ir.ID) ir.ID {
	w := int32(c.m.Width(args[len(args)-1]))
	if op == ir.Eq {
		w = 1
	}
	return c.m.Add(ir.Node{Op: op, Width: w}, args...)
}

// value is what a node is while leaves are the bits of set.
func (c *cone) value(set uint64, level uint64, memo map[ir.ID]bits.Value, id ir.ID) bits.Value {
	if id == c.level {
		return bits.New(1, level)
	}
	for i, l := range c.leaves {
		if l == id {
			return bits.New(1, set>>i&1)
		}
	}
	v, ok := memo[id]
	if !ok {
		var args []bits.Value
		for _, a := range c.m.Args(id) {
			args = append(args, c.value(set, level, memo, a))
		}
		v = ir.Eval(c.m, id, args)
		memo[id] = v
	}
	return v
}

// TestSenses: a bit that rises with some values of the leaves when the level rises,
// or falls, is known to; and often no more than that is said.
func TestSenses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	tight := 0
	for range 600 {
		c := newCone(4)
		all := append([]ir.ID{c.level, c.level}, c.leaves...)
		pick := func() ir.ID { return all[len(all)-1-rng.IntN(min(len(all), 7))] }
		for range 10 {
			op := [...]ir.Op{ir.And, ir.Or, ir.And, ir.Or, ir.Not, ir.Mux, ir.Xor, ir.Eq, ir.Slice}[rng.IntN(9)]
			switch op {
			case ir.Not:
				all = append(all, c.op(op, pick()))
			case ir.Mux:
				all = append(all, c.op(op, pick(), pick(), pick()))
			case ir.Slice:
				pair := c.m.Add(ir.Node{Op: ir.And, Width: 2}, c.cat(pick(), pick()), c.cat(pick(), pick()))
				all = append(all, c.m.Add(ir.Node{Op: ir.Slice, Width: 1, Aux: int32(rng.IntN(2))}, pair))
			default:
				all = append(all, c.op(op, pick(), pick()))
			}
		}
		clk := all[len(all)-1]
		up, down := newSenses(&lowering{builder: builder{m: c.m}}, clk, c.level).sense(clk, 0)
		var rises, falls bool
		for set := range uint64(1 << len(c.leaves)) {
			low := c.value(set, 0, map[ir.ID]bits.Value{}, clk).Bit(0)
			high := c.value(set, 1, map[ir.ID]bits.Value{}, clk).Bit(0)
			rises, falls = rises || low < high, falls || low > high
		}
		require.False(t, rises && !up || falls && !down, "it rises %v %v, said %v %v", rises, falls, up, down)
		if rises != falls && rises == up && falls == down {
			tight++
		}
	}
	require.Greater(t, tight, 30, "one edge only is seldom told from both")
}

func (c *cone) cat(args ...ir.ID) ir.ID {
	return c.m.Add(ir.Node{Op: ir.Cat, Width: int32(len(args))}, args...)
}

// TestSensesOfManyWays: logic to whose end very many ways lead, behind conditions
// with as much logic, is looked at a few times at most, and is known for what it is.
func TestSensesOfManyWays(t *testing.T) {
	c := newCone(8)
	g, sel := c.level, c.leaves[1]
	const depth = 30000
	for k := range depth {
		sel = c.op(ir.Xor, sel, c.op(ir.And, c.leaves[k%8], c.leaves[(k+3)%8]))
		g = c.op(ir.Mux, sel, g, c.op(ir.And, g, c.leaves[k%8]))
	}
	s := newSenses(&lowering{builder: builder{m: c.m}}, g, c.level)
	up, down := s.sense(g, 0)
	require.True(t, up)
	require.False(t, down)
	require.Greater(t, s.visits, 3*depth)
	require.LessOrEqual(t, s.visits, 3*c.m.Len())

	g = c.op(ir.Not, g)
	up, down = newSenses(&lowering{builder: builder{m: c.m}}, g, c.level).sense(g, 0)
	require.Equal(t, [2]bool{false, true}, [2]bool{up, down})
}
