package passes

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// plainTable is a table as slices of bools, to check lutTable against.
type plainTable struct{ value, reach []bool }

func randomTable(rng *rand.Rand, n int, unreachable bool) (lutTable, plainTable) {
	t, p := newLutTable(n), plainTable{make([]bool, 1<<n), make([]bool, 1<<n)}
	ignore := rng.IntN(1 << n) // inputs that make no difference
	for a := range 1 << n {
		p.value[a] = rng.IntN(2) == 1
		if b := a &^ ignore; b < a {
			p.value[a] = p.value[b]
		}
		p.reach[a] = !unreachable || rng.IntN(3) != 0
		set(t.value, a, p.value[a])
		set(t.reach, a, p.reach[a])
	}
	return t, p
}

// decides reports whether the inputs of mask decide the entries that can occur.
func (p plainTable) decides(mask int) bool {
	seen := map[int]bool{}
	for a, v := range p.value {
		if !p.reach[a] {
			continue
		}
		if w, ok := seen[a&mask]; ok && w != v {
			return false
		}
		seen[a&mask] = v
	}
	return true
}

// TestSupport: what is found decides the table, nothing can be left out of it, and
// for small tables no other set is smaller.
func TestSupport(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := range 10 {
		for i := range 60 {
			table, plain := randomTable(rng, n, i%2 == 0)
			mask := table.support()
			require.True(t, plain.decides(mask))
			for k := range n {
				require.False(t, mask>>k&1 == 1 && plain.decides(mask&^(1<<k)), "input %d of %d is not needed", k, n)
			}
			if n > smallLut {
				continue
			}
			for other := range 1 << n {
				if popcount(other) < popcount(mask) {
					require.False(t, plain.decides(other))
				}
			}
		}
	}
}

func popcount(mask int) int {
	n := 0
	for ; mask != 0; mask &= mask - 1 {
		n++
	}
	return n
}

// TestProject: the projected table has the entries of the old one at every address
// that can occur, and zeros at the others.
func TestProject(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for n := range 9 {
		for i := range 30 {
			table, plain := randomTable(rng, n, i%2 == 0)
			mask := table.support()
			small, ok := table.project(mask)
			require.True(t, ok)
			reached := map[int]bool{}
			for a := range 1 << n {
				if plain.reach[a] {
					b := gatherBits(a, mask)
					reached[b] = true
					require.Equal(t, plain.value[a], get(small.value, b))
				}
			}
			for b := range 1 << small.n {
				require.Equal(t, reached[b], get(small.reach, b))
				require.False(t, get(small.value, b) && !reached[b])
			}
		}
	}
}

// TestInputs: fixing, flipping and joining inputs reads the addresses it should.
func TestInputs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for n := 2; n < 9; n++ {
		table, plain := randomTable(rng, n, false)
		j := 1 + rng.IntN(n-1)
		i := rng.IntN(j)
		fixed0, fixed1, flipped, same := table.fix(j, 0), table.fix(j, 1), table.flip(j), table.same(i, j)
		for a := range 1 << n {
			below := a&(1<<j-1) | a>>(j+1)<<j // a without input j
			require.Equal(t, plain.value[a], get(flipped.value, a^1<<j))
			require.Equal(t, plain.value[a], get([]lutTable{fixed0, fixed1}[a>>j&1].value, below))
			if a>>i&1 == a>>j&1 {
				require.Equal(t, plain.value[a], get(same.value, below))
			}
		}
		require.Equal(t, table.value, table.flip(j).flip(j).value)
	}
}
