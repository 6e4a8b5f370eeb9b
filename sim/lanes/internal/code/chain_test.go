package code_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/choose"
	"etch/sim/lanes/internal/code"
	"etch/sim/net"
	"etch/testbench/tools"
)

// Programs with bodies do what the reference says, for random nets and control
// states, where instances agree about them and where they do not.
func TestBodies(t *testing.T) {
	seeds := 80
	if testing.Short() {
		seeds = tools.Trials(20, 12)
	}
	cycles, missed, compiled := 0, uint64(0), 0
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 3))
		maxW := []int{4, 16, 17, 32, 33, 64}[seed%6]
		n, tables := randomNet(r, 5+r.IntN(60), wordOps, maxW)
		all := uniform(n, tables, r)
		deciding, bodies := randomBodies(n, tables, all[0], r)
		for _, target := range targets() {
			l := code.NewLayout(n, tables, code.Words, pol)
			b, err := code.NewBodies(n, l, target, deciding)
			if err != nil {
				continue
			}
			some := r.IntN(1 + len(bodies)) // the others are added to code that ran
			b.Add(bodies[:some])
			before, err := b.Program()
			require.NoError(t, err)
			if before != nil {
				runBodies(t, fmt.Sprintf("seed %d, %s, %d bodies", seed, target.Name, some), before, code.NewGroup(l, target), n, tables, all)
				require.NoError(t, before.Close())
			}
			b.Add(bodies[some:])
			p, err := b.Program()
			require.NoError(t, err)
			if p == nil {
				continue
			}
			compiled++
			name := fmt.Sprintf("seed %d, %s", seed, target.Name)
			k, m := runBodies(t, name, p, code.NewGroup(l, target), n, tables, all)
			cycles, missed = cycles+k, missed+m
			require.NoError(t, p.Close())
		}
	}
	require.Greater(t, compiled, seeds)
	require.Less(t, 3*missed, 2*uint64(cycles), "most of %d cycles are those of bodies", cycles)
	require.Greater(t, 20*missed, uint64(cycles), "some are not")
}

// uniform makes instances of one state, of which words of some differ.
func uniform(n *net.Net, tables [][]uint64, r *rand.Rand) []*instance {
	seed := r.Uint64()
	all := make([]*instance, 64)
	for lane := range all {
		all[lane] = newInstance(n, tables, rand.New(rand.NewPCG(seed, 0)))
	}
	if r.IntN(3) == 0 {
		k := r.IntN(len(n.Regs))
		for _, s := range all {
			s.regs[k] = r.Uint64() & net.Mask(n.Regs[k].W)
		}
	}
	return all
}

// randomBodies makes bodies for states on the way of an instance.
func randomBodies(n *net.Net, tables [][]uint64, from *instance, r *rand.Rand) (deciding []int32, bodies []choose.Body) {
	s := from.clone(len(tables))
	assume := net.NewAssume(len(n.Regs))
	for k := range n.Regs {
		switch {
		case r.IntN(3) == 0:
			deciding = append(deciding, int32(k))
		case n.Regs[k].Next < 0 || r.IntN(20) == 0:
			assume.Known[k], assume.Value[k] = true, s.regs[k] // a guard
		}
	}
	var p net.Prop
	p.Bind(n)
	var seen [][]int64
	for range 30 {
		values := make([]int64, len(n.Regs))
		ok := true
		for k := range values {
			values[k] = -1
			if slices.Contains(deciding, int32(k)) {
				assume.Known[k], assume.Value[k] = true, s.regs[k]
			}
			if assume.Known[k] {
				values[k] = int64(assume.Value[k])
				ok = ok && values[k] >= 0
			}
		}
		if ok && !slices.ContainsFunc(seen, func(v []int64) bool { return slices.Equal(v, values) }) {
			seen = append(seen, values)
			p.Run(assume)
			b := choose.Body{Values: values, Fork: randomFork(p.Extract(assume), r, 2)}
			if mem := int32(r.IntN(3)); len(n.Mems) > 0 && r.IntN(9) == 0 {
				row := r.IntN(n.Mems[mem].Depth)
				b.Words = []choose.Word{{Mem: mem, Addr: uint64(row), Value: s.mems[mem][row]}}
			}
			bodies = append(bodies, b)
		}
		s.settle()
		s.step()
	}
	return deciding, bodies
}

// randomFork has a cycle fork by some of its bits.
func randomFork(n *net.Net, r *rand.Rand, depth int) *choose.Fork {
	f := &choose.Fork{Net: n, On: net.None}
	var bits []net.ID
	for i := range n.N {
		if n.N[i].W == 1 && n.N[i].Op != net.Const {
			bits = append(bits, net.ID(i))
		}
	}
	if depth == 0 || len(bits) == 0 || r.IntN(3) == 0 {
		return f
	}
	f.On = bits[r.IntN(len(bits))]
	var p net.Prop
	p.Bind(n)
	free := net.NewAssume(len(n.Regs))
	side := func(v uint64) *choose.Fork {
		p.Force(f.On, v)
		p.Run(free)
		half := p.Extract(free)
		p.Forget()
		return randomFork(half, r, depth-1)
	}
	f.Yes, f.No = side(1), side(0)
	return f
}

// clone is a copy, but for tables.
func (s *instance) clone(tables int) *instance {
	c := &instance{n: s.n, tables: s.tables, regs: slices.Clone(s.regs), v: make([]uint64, len(s.v)), mems: slices.Clone(s.mems)}
	for m := range len(c.mems) - tables {
		c.mems[m] = slices.Clone(c.mems[m])
	}
	return c
}

// runBodies compares a group with instances.
func runBodies(t *testing.T, name string, p code.Program, g *code.Group, n *net.Net, tables [][]uint64, all []*instance) (cycles int, missed uint64) {
	w := code.NewWorker()
	own := len(n.Mems) - len(tables)
	copies := make([]*instance, g.Lanes())
	for lane := range copies {
		copies[lane] = all[lane].clone(len(tables))
		g.SetLane(lane, copies[lane].regs, copies[lane].mems[:own])
	}
	for _, k := range []int{1, 7, 2, 20} {
		cycles += k
		require.Zero(t, p.Run(w, g, k, false), name)
		for lane, s := range copies {
			for range k {
				s.settle()
				s.step()
			}
			for i, v := range s.regs {
				require.Equal(t, v, g.Word(i, lane), "%s, lane %d, word %d", name, lane, i)
			}
			for m := range own {
				for row := range n.Mems[m].Depth {
					require.Equal(t, s.mems[m][row], g.Mem(m, row, lane), "%s, lane %d, memory %d, row %d", name, lane, m, row)
				}
			}
		}
	}
	return cycles, w.Missed
}
