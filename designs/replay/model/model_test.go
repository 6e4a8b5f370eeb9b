package model

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// scan is the specification of Find by running sums over a plain list.
func scan(leaf []uint64, x uint64) int {
	for i, p := range leaf {
		if x < p {
			return i
		}
		x -= p
	}
	return -1
}

func TestAgainstList(t *testing.T) {
	for _, c := range []int{1, 2, 5, 8, 37} {
		p := Params{Capacity: c, Leaf: 16, Fraction: 12}
		m, err := New(p, 1)
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(1, uint64(c)))
		leaf, born := make([]uint64, c), make([]int, c)
		inserted, state, pmax, laps, head := 0, uint64(1), uint64(1<<12), 0, 0

		for range 20_000 {
			v := uint64(r.IntN(1 << 16))
			if r.IntN(3) == 0 {
				v = 0
			}
			switch r.IntN(40) {
			default:
				if r.IntN(2) == 0 {
					v = pmax
				}
				i, g := m.Insert(v)
				require.Equal(t, head, i)
				require.Equal(t, uint8(laps), g)
				leaf[i], born[i] = v, laps
				pmax = max(pmax, v)
				if inserted++; i == c-1 {
					laps++
				}
				head = (head + 1) % c
			case 0:
				m.Clear()
				clear(leaf)
				inserted, head, pmax = 0, 0, 1<<12
				laps++
			case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12:
				i, late := r.IntN(c), r.IntN(2)
				d := m.Update(i, uint8(born[i]-late), v)
				switch {
				case i >= min(inserted, c):
					require.Equal(t, Unfilled, d)
				case late == 1:
					require.Equal(t, Stale, d)
				default:
					require.Equal(t, Kept, d)
					leaf[i], pmax = v, max(pmax, v)
				}
			case 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24:
				b := r.IntN(6)
				j := r.IntN(1 << b)
				state ^= state << 13
				state ^= state >> 7
				state ^= state << 17
				u := p.DrawBits()
				x := new(big.Int).SetUint64(uint64(j)<<u + state>>(64-u))
				x.Rsh(x.Mul(x, new(big.Int).SetUint64(m.Sum())), uint(u+b))
				d := m.Stratified(j, b)
				if d.Empty {
					require.Zero(t, m.Sum())
					break
				}
				i := scan(leaf, x.Uint64())
				require.Equal(t, Drawn{Index: i, Generation: uint8(born[i]), Priority: leaf[i], Sum: m.Sum()}, d)
			}

			var sum uint64
			for _, p := range leaf {
				sum += p
			}
			require.Equal(t, sum, m.Sum())
			require.Equal(t, pmax, m.Max())
			require.Equal(t, min(inserted, c), m.Count())
		}
	}
}

func TestFindEnds(t *testing.T) {
	m, err := New(Params{Capacity: 3, Leaf: 8, Fraction: 4}, 9)
	require.NoError(t, err)
	require.True(t, m.Sample().Empty)
	m.Insert(0)
	require.True(t, m.Find(0).Empty)
	m.Insert(5)
	m.Insert(0)
	require.Equal(t, 1, m.Find(0).Index)
	require.Equal(t, 1, m.Find(4).Index)
	require.True(t, m.Find(5).OutOfRange)
}

func TestRefused(t *testing.T) {
	for _, p := range []Params{{0, 16, 12}, {1<<20 + 1, 16, 12}, {4, 0, 0}, {4, 33, 12}, {4, 16, 16}, {4, 16, -1}} {
		require.Error(t, p.Validate(), p)
	}
	_, err := New(Params{4, 16, 12}, 0)
	require.ErrorContains(t, err, "seed 0")
}

// A state that is refused leaves the tree as it was.
func TestRestoreRefused(t *testing.T) {
	m, err := New(Params{Capacity: 3, Leaf: 8, Fraction: 4}, 9)
	require.NoError(t, err)
	m.Insert(5)
	m.Insert(7)
	before, sum := m.State(), m.Sum()
	for _, s := range []State{
		{Leaves: []uint64{1, 2, 40}, Max: 16, Generator: 1},
		{Leaves: []uint64{1, 2}, Head: 1, Max: 16, Generator: 1},
		{Leaves: []uint64{1}, Head: 1, Max: 256, Generator: 1},
		{Leaves: []uint64{1}, Head: 1, Max: 16},
	} {
		require.Error(t, m.Restore(s), "%+v", s)
		require.Equal(t, before, m.State(), "%+v", s)
		require.Equal(t, sum, m.Sum(), "%+v", s)
	}

	want := State{Leaves: []uint64{1, 2, 3}, Head: 2, Lap: 4, Max: 16, Generator: 1}
	require.NoError(t, m.Restore(want))
	require.Equal(t, want, m.State())
	require.Equal(t, uint64(6), m.Sum())
}
