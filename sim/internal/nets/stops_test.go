package nets

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/net"
)

// flags are registers of one bit in a net of their own, and a register of 32 bits.
type flags struct {
	n    *net.Net
	bit  []net.ID
	word net.ID
}

func newFlags(bits int) flags {
	n := net.New()
	f := flags{n: n}
	for i := range bits + 1 {
		w := uint8(1)
		if i == bits {
			w = 32
		}
		n.Regs = append(n.Regs, net.Reg{Slot: int32(i + 1), W: w, Q: net.None, Next: net.None})
	}
	for i := range bits {
		f.bit = append(f.bit, n.Leaf(i))
	}
	f.word = n.Leaf(bits)
	return f
}

// costly is a chain of so many steps over the word, to one bit.
func (f flags) costly(steps int, salt uint64) net.ID {
	x := f.word
	for i := range steps {
		x = f.n.Xor(f.n.Add(x, f.n.Const(salt+uint64(i)), 32), f.n.Slice(x, 3, 20))
	}
	return f.n.Slice(x, 7, 1)
}

// values evaluates all nodes.
func (f flags) values(regs []uint64) []uint64 {
	v := make([]uint64, len(f.n.N))
	arg := func(x net.ID) uint64 {
		if x < 0 {
			return 0
		}
		return v[x]
	}
	for i := range f.n.N {
		nd := &f.n.N[i]
		if nd.Op == net.Leaf {
			v[i] = regs[nd.Imm]
			continue
		}
		v[i] = net.Eval(nd.Op, nd.W, nd.Imm, arg(nd.A), arg(nd.B), arg(nd.C))
	}
	return v
}

// skipped reports whether the costly logic is computed under a select only: without the arms of
// muxes x costs at most as much.
func (f flags) skipped(x net.ID, most float32) bool {
	for todo := []net.ID{x}; len(todo) > 0; {
		nd := &f.n.N[todo[0]]
		todo = todo[1:]
		if most -= nd.Cost(); most < 0 {
			return false
		}
		if nd.Op == net.Mux {
			todo = append(todo, nd.A)
			continue
		}
		for _, y := range [3]net.ID{nd.A, nd.B, nd.C} {
			if y >= 0 {
				todo = append(todo, y)
			}
		}
	}
	return true
}

// TestAnyStop checks that the sum of guarded conditions is their disjunction, on random ones.
func TestAnyStop(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		f := newFlags(8)
		pool := append([]net.ID{f.costly(12, 1), f.costly(30, 2), f.costly(2, 3)}, f.bit...)
		var says []net.ID
		for range 1 + r.IntN(6) {
			x := pool[r.IntN(len(pool))]
			for range r.IntN(5) {
				y := pool[r.IntN(len(pool))]
				switch r.IntN(4) {
				case 0:
					x = f.n.And(x, f.n.Not(y, 1))
				case 1:
					x = f.n.Not(f.n.Or(x, y), 1)
				case 2:
					x = f.n.Or(x, y)
				default:
					x = f.n.And(x, y)
				}
			}
			says = append(says, x)
		}

		z := anyStop(f.n, says)
		for range 50 {
			regs := make([]uint64, 9)
			for i := range regs {
				regs[i] = r.Uint64() & 1
			}
			regs[8] = r.Uint64() & 0xffffffff
			v, want := f.values(regs), uint64(0)
			for _, x := range says {
				want |= v[x]
			}
			require.Equal(t, want, v[z], "seed %d", seed)
		}
	}
}

// TestStopsSkipLogic checks which logic the stop test may skip.
func TestStopsSkipLogic(t *testing.T) {
	f := newFlags(4)
	long, other := f.costly(40, 1), f.costly(40, 100)
	guarded := func(i int, x net.ID) net.ID { return f.n.And(f.bit[i], x) }

	// A register guards the logic, also through De Morgan's rule, and where conditions share it.
	require.True(t, f.skipped(anyStop(f.n, []net.ID{guarded(0, long)}), 10))
	require.True(t, f.skipped(anyStop(f.n, []net.ID{f.n.Not(f.n.Or(f.n.Not(f.bit[0], 1), long), 1)}), 10))
	require.True(t, f.skipped(anyStop(f.n, []net.ID{guarded(0, long), guarded(1, f.n.Not(long, 1)), guarded(2, other)}), 20))

	// Conditions of different logic have selects of their own: one does not bring in the other.
	apart := f.n.N[anyStop(f.n, []net.ID{guarded(0, long), guarded(1, other)})]
	require.Equal(t, net.Or, apart.Op)

	// Nothing guards one of two conditions that share logic, and a short one needs no select.
	require.False(t, f.skipped(anyStop(f.n, []net.ID{guarded(0, long), f.n.Not(long, 1)}), 100))
	require.Equal(t, net.And, f.n.N[anyStop(f.n, []net.ID{guarded(0, f.costly(3, 1))})].Op)
	require.Equal(t, f.n.Const(0), anyStop(f.n, nil))
}
