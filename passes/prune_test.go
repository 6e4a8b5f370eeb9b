package passes_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/ir/text"
	"etch/passes"
	"etch/testbench/randcircuit"
)

// TestPrune: on random designs the pruned copy does the same, has nothing that it could spare, and
// what is visible has the values that it has in the design.
func TestPrune(t *testing.T) {
	var total passes.Count
	var compared int
	for seed := range seeds(t, 100) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 40, Modules: int(seed % 4), State: true, Stmts: true, Extern: seed%3 == 0})
		before := text.String(d)
		flat := d.Clone()
		_, err := passes.Flatten(flat)
		require.NoError(t, err)
		v := passes.Visible{Names: half(flat.Top)}

		small, c, err := passes.Prune(d, v)
		require.NoError(t, err)
		require.NoError(t, ir.Verify(small), "seed %d", seed)
		require.Equal(t, before, text.String(d), "seed %d: the input was changed", seed)
		sameBehaviour(t, d, small, seed, 12)
		compared += sameState(t, flat, small, v.Names, seed)
		total.Add(c)

		_, again, err := passes.Prune(small, v)
		require.NoError(t, err)
		require.Zero(t, again.Total(), "seed %d", seed)
	}
	require.NotZero(t, total[passes.DeadRegs])
	require.NotZero(t, total[passes.DeadMems])
	require.NotZero(t, compared)
}

// half is the names of every other register and memory.
func half(m *ir.Module) (names []string) {
	for i := 0; i < len(m.Regs); i += 2 {
		if name := m.NameOf(m.Regs[i].Node); name != "" {
			names = append(names, name)
		}
	}
	for i := 0; i < len(m.Mems); i += 2 {
		names = append(names, m.Mems[i].Name)
	}
	return names
}

// sameState compares registers and memories by name in flat designs that run side by side. It
// returns the number of values compared.
func sameState(t *testing.T, a, b *ir.Design, names []string, seed uint64) (n int) {
	t.Helper()
	ka, kb := newMachine(a, seed), newMachine(b, seed)
	rng := rand.New(rand.NewPCG(seed, 7))
	for cycle := range 12 {
		in := randomInputs(rng, a.Top)
		ka.set(in)
		kb.set(in)
		for _, name := range names {
			va, vb := ka.named(name), kb.named(name)
			require.NotEmpty(t, va, "seed %d: %s", seed, name)
			require.Equal(t, va, vb, "seed %d, cycle %d: %s", seed, cycle, name)
			n += len(va)
		}
		ka.step("clk0", "clk1")
		kb.step("clk0", "clk1")
	}
	return n
}

// named is the values of a register of the top, or the words of a memory; nil if there is none.
func (k *machine) named(name string) []bits.Value {
	for i := range k.top.m.Regs {
		if id := k.top.m.Regs[i].Node; k.top.m.NameOf(id) == name {
			return []bits.Value{k.value(k.top, id)}
		}
	}
	for i := range k.top.m.Mems {
		if k.top.m.Mems[i].Name == name {
			return k.top.mems[i]
		}
	}
	return nil
}

// monitored has a value that only the assertion of an instance reads, one that nothing reads, and
// a memory that is written only.
const monitored = `etch 1
top t
module monitor {
  input clk: 1 clock = %clk
  input x: 4 = %x
  %clk: 1 clock = input clk
  %x: 4 = input x
  %last last: 4 = reg
  %more more: 4 = reg
  %same: 1 = eq %last %x
  reg %last next %x clk %clk
  reg %more next %last clk %clk
  assert moves clk %clk cond %same
}
module t {
  input clk: 1 clock = %clk
  input x: 4 = %x
  output y: 4 = %x
  %clk: 1 clock = input clk
  %x: 4 = input x
  %old mon_old: 4 = reg
  reg %old next %x clk %clk
  memory log: 16 x 4
  write w clk %clk addr %x data %old
  instance mon of monitor { clk %clk, x %x }
}
`

func TestPruneVisible(t *testing.T) {
	d, err := text.Parse(strings.NewReader(monitored), "monitored")
	require.NoError(t, err)
	for _, c := range []struct {
		v    passes.Visible
		regs string
		mems int
	}{
		{passes.Visible{}, "mon.last", 0},
		{passes.Visible{Silent: true}, "", 0},
		{passes.Visible{Silent: true, Names: []string{"mon"}}, "mon.last mon.more", 0}, // and not mon_old
		{passes.Visible{Silent: true, Names: []string{"mon.last"}}, "mon.last", 0},
		{passes.Visible{Names: []string{"log"}}, "mon.last mon_old", 1},
	} {
		small, _, err := passes.Prune(d, c.v)
		require.NoError(t, err)
		require.NoError(t, ir.Verify(small))
		var names []string
		for _, r := range small.Top.Regs {
			names = append(names, small.Top.NameOf(r.Node))
		}
		require.ElementsMatch(t, strings.Fields(c.regs), names, "%+v", c.v)
		require.Len(t, small.Top.Mems, c.mems, "%+v", c.v)
		require.Equal(t, c.v.Silent, len(small.Top.Stmts) == 0)
	}

	for _, name := range []string{"mon.las", "last", "", "mon."} {
		_, _, err := passes.Prune(d, passes.Visible{Names: []string{name}})
		require.ErrorContains(t, err, `no register, memory, instance or other value called "`+name+`"`)
	}

	_, _, err = passes.Prune(doubling(60), passes.Visible{})
	require.ErrorContains(t, err, "more than")
}
