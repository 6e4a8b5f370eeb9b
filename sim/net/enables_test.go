package net

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// holdingNet is a net of bits and words whose registers hold their values behind muxes and logic, and a
// register that nothing holds.
func holdingNet(r *rand.Rand) *Net {
	n := New()
	for i := range 8 {
		n.Regs = append(n.Regs, Reg{Slot: int32(i), W: 1, Q: None, Next: None}, Reg{Slot: int32(8 + i), W: 4, Q: None, Next: None})
	}
	reg := func(w uint8) ID { return n.Leaf(2*r.IntN(8) + int(w/4)) }
	bit := func() ID {
		return [](func() ID){
			func() ID { return reg(1) },
			func() ID { return n.Not(reg(1), 1) },
			func() ID { return n.Eq(reg(4), n.Const(uint64(r.IntN(16)))) },
		}[r.IntN(3)]()
	}
	data := func(w uint8) ID {
		if r.IntN(3) == 0 {
			return n.Const(r.Uint64N(1 << w))
		}
		return n.Xor(reg(w), reg(w))
	}

	// From the inside out: choices between what there is and other data, some within an arm.
	for i := range n.Regs {
		q, w := n.Leaf(i), n.Regs[i].W
		x := q
		for range 1 + r.IntN(5) {
			switch r.IntN(5) {
			case 0:
				x = n.Mux(bit(), data(w), x)
			case 1:
				x = n.Mux(bit(), x, data(w))
			case 2:
				x = n.Mux(bit(), x, n.Mux(bit(), q, data(w)))
			case 3:
				if w == 1 {
					x = n.Or(bit(), x)
				}
			case 4:
				if w == 1 {
					x = n.And(bit(), x)
				}
			}
		}
		n.Regs[i].Next = x
	}
	n.Regs[1].Next = data(4)
	return n
}

// A register keeps its value where its enable is 0. Where it is 1, the next value without the arms that
// hold is the next value.
func TestEnables(t *testing.T) {
	none, zeros, ones, shorter := 0, 0, 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := holdingNet(r)
		before := len(n.N)
		m := n.Enables()
		require.Len(t, n.N, before, "the net itself must not change")
		require.NoError(t, m.Verify())

		// The values that partitions take in cycles with an enable.
		taken := make([]ID, len(m.Regs))
		for i := range m.Regs {
			taken[i] = None
			if m.On[i] < 0 {
				none++
				continue
			}
			x := m.Regs[i].Next
			k := taker{m, m.Regs[i].Q, map[ID]ID{}}
			if taken[i] = k.next(x); m.N[x].Op == Mux && taken[i] != x {
				shorter++
			}
			require.GreaterOrEqual(t, taken[i], ID(0))
		}

		v := make([]uint64, len(m.N))
		for range 50 {
			s := givenState{}
			for i := range m.Regs {
				s.regs = append(s.regs, r.Uint64()&Mask(m.Regs[i].W))
			}
			for i := range m.N {
				v[i] = m.compute(ID(i), v, s)
			}
			for i := range m.Regs {
				q := &m.Regs[i]
				switch on := m.On[i]; {
				case on < 0:
				case v[on] == 0:
					zeros++
					require.Equal(t, v[q.Q], v[q.Next], "seed %d, register %d keeps its value", seed, i)
				default:
					ones++
					require.Equal(t, v[q.Next], v[taken[i]], "seed %d, register %d takes a value", seed, i)
				}
			}
		}
	}
	require.Greater(t, none, 300)
	require.Greater(t, zeros, 10000)
	require.Greater(t, ones, 10000)
	require.Greater(t, shorter, 1000)
}

// Registers without a way to hold have no enable, and those with equal muxes have the same.
func TestEnablesOfRecord(t *testing.T) {
	n := New()
	for i := range 6 {
		n.Regs = append(n.Regs, Reg{Slot: int32(i), W: 8, Q: None, Next: None})
	}
	write, clear := n.IsZero(n.Leaf(4)), n.Eq(n.Leaf(4), n.Const(1))
	for i := range 3 {
		n.Regs[i].Next = n.Mux(clear, n.Const(0), n.Mux(write, n.Leaf(3+i%2), n.Leaf(i)))
	}
	n.Regs[3].Next = n.Add(n.Leaf(3), n.Const(1), 8)
	n.Regs[4].Next = n.Mux(write, n.Leaf(3), n.Leaf(2))
	n.Regs[5].Next = n.And(n.Leaf(5), write) // which keeps a bit of it at most
	m := n.Enables()
	require.Equal(t, m.On[0], m.On[1])
	require.Equal(t, m.On[0], m.On[2])
	require.Equal(t, Or, m.N[m.On[0]].Op)
	require.Equal(t, []ID{None, None, None}, m.On[3:])
}

// A record that is seldom written is a part of its own, which runs when it is written. What only its
// next values need is in the part, and changes of it wake nobody.
func TestPartOfEnable(t *testing.T) {
	n := New()
	const fields = 12
	for i := range fields + 1 {
		n.Regs = append(n.Regs, Reg{Slot: int32(i), W: 16, Q: None, Next: None})
	}
	count := n.Leaf(fields)
	write := n.IsZero(n.Slice(count, 0, 4))
	n.Regs[fields].Next = n.Add(count, n.Const(1), 16)
	for i := range fields {
		n.Regs[i].Next = n.Mux(write, n.Xor(n.Make(Mul, 16, count, count, None, 0), n.Const(uint64(i)+1)), n.Leaf(i))
	}
	m := n.Enables().Prepared()
	a, k := m.NewActivity(64), uint64(0)
	for range 65 {
		a.Take(counting{&k})
	}
	p := a.Partition(400, &standard.Parts)

	at := p.Of[p.Net.Regs[0].Next]
	part := &p.Parts[at]
	require.Equal(t, m.On[0], part.Enable)
	require.Less(t, p.Of[part.Enable], at)
	require.True(t, p.Kept()[part.Enable])
	require.InDelta(t, 1.0/16, part.Share, 0.02)
	for i := range fields {
		require.Equal(t, at, p.Of[p.Net.Regs[i].Next])
	}
	muls := 0
	for _, x := range part.Nodes {
		require.NotEqual(t, Mux, p.Net.N[x].Op, "nothing chooses where the enable is known")
		if p.Net.N[x].Op == Mul {
			muls++
		}
	}
	require.Equal(t, 1, muls)
	s := p.Sections()
	require.Contains(t, s.Readers(fields), at)
	require.NotContains(t, s.ofReg.of(fields), at)

	// The counter runs in every cycle, and nothing wakes it.
	require.True(t, p.Parts[p.Of[p.Net.Regs[fields].Next]].Busy)
	require.False(t, part.Busy)
}
