package net

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// machine runs a net, op by op.
type machine struct {
	n    *Net
	regs []uint64
	mems [][]uint64
	v    []uint64
}

func newMachine(n *Net) *machine {
	m := &machine{n: n, regs: make([]uint64, len(n.Regs)), v: make([]uint64, len(n.N))}
	for i := range n.Mems {
		m.mems = append(m.mems, make([]uint64, n.Mems[i].Words))
	}
	return m
}

func (m *machine) settle() {
	n := m.n
	at := func(x ID) uint64 {
		if x < 0 {
			return 0
		}
		return m.v[x]
	}
	for i := range n.N {
		nd := &n.N[i]
		switch nd.Op {
		case Leaf:
			m.v[i] = m.regs[nd.Imm]
		case Read:
			m.v[i] = 0
			if a := at(nd.A); a < uint64(len(m.mems[nd.Imm])) {
				m.v[i] = m.mems[nd.Imm][a]
			}
		case Lut:
			row := uint64(0)
			for k, y := range n.Pool[nd.A : nd.A+nd.B] {
				row |= m.v[y] << k
			}
			m.v[i] = nd.Imm >> row & 1
		default:
			m.v[i] = Eval(nd.Op, nd.W, nd.Imm, at(nd.A), at(nd.B), at(nd.C))
		}
	}
}

// step does a cycle, and reports false where the net stops before it.
func (m *machine) step() bool {
	n := m.n
	m.settle()
	if n.Stop >= 0 && m.v[n.Stop] != 0 {
		return false
	}
	for r := range n.Regs {
		if x := n.Regs[r].Next; x >= 0 {
			m.regs[r] = m.v[x]
		}
	}
	for i := range n.Writes {
		if w := &n.Writes[i]; w.En < 0 || m.v[w.En] != 0 {
			m.mems[w.Mem][m.v[w.Addr]] = m.v[w.Data]
		}
	}
	return true
}

// sleepy makes a random net most of whose registers seldom change.
func sleepy(r *rand.Rand) *Net {
	n := New()
	regs := 6 + r.IntN(30)
	for i := range regs {
		n.Regs = append(n.Regs, Reg{Slot: int32(i), W: uint8(1 + r.IntN(12)), Q: None, Next: None})
	}
	n.Regs[0].W = 12 // counts
	n.Mems = []Mem{{At: 100, Words: 8, Depth: 8, W: 8}, {At: 108, Words: 8, Depth: 8, W: 8}}
	var all []ID
	for i := range regs {
		all = append(all, n.Leaf(i))
	}
	count := all[0]
	pick := func() ID {
		if r.IntN(3) > 0 {
			return all[len(all)-1-r.IntN(min(len(all), 8))]
		}
		return all[r.IntN(len(all))]
	}
	for range 10 + r.IntN(120) {
		a, b := pick(), pick()
		w := uint8(1 + r.IntN(12))
		var x ID
		switch r.IntN(9) {
		case 0:
			x = n.Add(a, b, w)
		case 1:
			x = n.Xor(a, b)
		case 2:
			x = n.And(a, b)
		case 3:
			x = n.Mux(n.Slice(a, 0, 1), b, pick())
		case 4:
			x = n.Eq(a, b)
		case 5:
			x = n.Slice(a, 0, w)
		case 6:
			x = n.Read(int32(r.IntN(2)), n.Slice(a, 0, 3))
		case 7:
			x = n.Lut(r.Uint64(), []ID{n.Slice(a, 0, 1), n.Slice(b, 0, 1), n.Slice(pick(), 0, 1)})
		default:
			x = n.Or(n.Slice(a, 0, 1), n.Slice(b, 0, 1))
		}
		all = append(all, x)
	}
	n.Regs[0].Next = n.Add(count, n.Const(1), 12)
	for i := 1; i < regs; i++ {
		w := n.Regs[i].W
		x := n.Slice(pick(), 0, w)
		switch r.IntN(5) {
		case 0, 1: // now and then
			x = n.Mux(n.Eq(n.Slice(count, 0, 5), n.Const(uint64(r.IntN(32)))), x, n.Leaf(i))
		case 2:
			x = n.Leaf(1 + r.IntN(regs-1))
			x = n.Slice(x, 0, w)
		case 3:
			continue // an input
		}
		n.Regs[i].Next = x
	}
	if r.IntN(2) == 0 {
		n.Writes = append(n.Writes, Write{Mem: 0, En: n.Eq(n.Slice(count, 0, 4), n.Const(3)), Addr: n.Slice(pick(), 0, 3), Data: n.Slice(pick(), 0, 8), Mask: None})
	}
	if r.IntN(4) == 0 {
		n.Stop = n.Eq(n.Slice(pick(), 0, 6), n.Const(9))
	}
	for i := range r.IntN(3) {
		n.Outs = append(n.Outs, Out{int32(200 + i), pick()})
	}
	return n
}

// A net with gates does what it does without, also where samples told nothing of
// what comes, and when its inputs change and all flags go up.
func TestGatedKeepsBehaviour(t *testing.T) {
	seeds := uint64(3000)
	if testing.Short() {
		seeds = 500
	}
	regions, rested, kept := 0, 0, 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 77))
		n := sleepy(r)
		a := newMachine(n)
		for i := range a.regs {
			a.regs[i] = r.Uint64() & Mask(n.Regs[i].W)
		}
		samples := []int{3, 60, 64, 100}[r.IntN(4)]
		words := (samples + 63) / 64
		changed := make([]uint64, len(n.Regs)*words)
		before := append([]uint64(nil), a.regs...)
		for s := range samples {
			copy(before, a.regs)
			if !a.step() {
				a.regs[0]++
				a.regs[1+r.IntN(len(a.regs)-1)] = 0
			}
			for i := range before {
				if before[i] != a.regs[i] {
					changed[i*words+s/64] |= 1 << (s % 64)
				}
			}
		}
		least := []float64{0, -1000, -10}[r.IntN(3)]
		division := n.divide(changed, words, samples, least, &standard.Regions)
		gated, flags, words2 := n.Gated(division, func(i int) int32 { return int32(1000 + i) })
		regions += division.Count
		kept += len(words2)
		b := newMachine(gated)
		copy(b.regs, a.regs)
		for i := range a.mems {
			copy(b.mems[i], a.mems[i])
		}
		up := func() {
			for _, k := range flags {
				b.regs[k] = 1
			}
		}
		up()
		for cycle := range 200 {
			ok := a.step()
			require.Equal(t, ok, b.step(), "seed %d cycle %d: stop", seed, cycle)
			for i := range n.Outs {
				require.Equal(t, a.v[n.Outs[i].Node], b.v[gated.Outs[i].Node], "seed %d cycle %d: output %d\n%s\n%s", seed, cycle, i, n, gated)
			}
			require.Equal(t, a.regs, b.regs[:len(a.regs)], "seed %d cycle %d\n%s\n%s", seed, cycle, n, gated)
			require.Equal(t, a.mems, b.mems)
			for _, k := range flags {
				if b.regs[k] == 0 {
					rested++
				}
			}
			if !ok || r.IntN(40) == 0 { // somebody writes to the state
				i := r.IntN(len(a.regs))
				a.regs[i] = r.Uint64() & Mask(n.Regs[i].W)
				b.regs[i] = a.regs[i]
				up()
			}
		}
	}
	require.Greater(t, regions, int(seeds)/2)
	require.Greater(t, rested, 20*int(seeds))
	require.Greater(t, kept, int(seeds)/10)
	t.Logf("%d regions, %d cycles of rest, %d kept values", regions, rested, kept)
}
