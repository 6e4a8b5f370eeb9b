package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/net"

	"github.com/stretchr/testify/require"
)

// severalMachines puts nets side by side into one; some registers of one follow from
// those of others too if tied, and a sum follows from all.
func severalMachines(r *rand.Rand, tied bool, parts ...*net.Net) *net.Net {
	n := net.New()
	sum := net.None
	var before []net.ID
	for _, p := range parts {
		slot, mem := uint32(words(n)), len(n.Mems)
		for _, m := range p.Mems {
			m.At += slot
			n.Mems = append(n.Mems, m)
		}
		reg := len(n.Regs)
		for _, q := range p.Regs {
			n.Regs = append(n.Regs, net.Reg{Slot: q.Slot + int32(slot), W: q.W, Q: net.None, Next: net.None})
		}
		to := make([]net.ID, len(p.N))
		at := func(x net.ID) net.ID {
			if x < 0 {
				return net.None
			}
			return to[x]
		}
		for i := range p.N {
			switch nd := &p.N[i]; nd.Op {
			case net.Const:
				to[i] = n.Const(nd.Imm)
			case net.Leaf:
				to[i] = n.Leaf(reg + int(nd.Imm))
			case net.Lut:
				var args []net.ID
				for _, x := range p.Pool[nd.A : nd.A+nd.B] {
					args = append(args, to[x])
				}
				to[i] = n.Lut(nd.Imm, args)
			case net.Read:
				to[i] = n.Read(int32(nd.Imm)+int32(mem), to[nd.A])
			default:
				to[i] = n.Make(nd.Op, nd.W, at(nd.A), at(nd.B), at(nd.C), nd.Imm)
			}
		}
		var mine []net.ID
		for i, q := range p.Regs {
			next := at(q.Next)
			if next >= 0 && tied && len(before) > 0 && r.IntN(4) == 0 {
				next = n.Xor(next, n.Slice(before[r.IntN(len(before))], 0, 1))
			}
			n.Regs[reg+i].Next = next
			mine = append(mine, n.Leaf(reg+i))
		}
		for _, w := range p.Writes {
			n.Writes = append(n.Writes, net.Write{Mem: w.Mem + int32(mem), En: at(w.En), Addr: at(w.Addr), Data: at(w.Data), Mask: at(w.Mask)})
		}
		before = append(before, mine...)
	}
	for _, x := range before {
		if sum < 0 {
			sum = x
		} else {
			sum = n.Xor(sum, x)
		}
	}
	n.Regs = append(n.Regs, net.Reg{Slot: int32(words(n)), W: 64, Q: net.None, Next: net.None})
	acc := n.Leaf(len(n.Regs) - 1)
	n.Regs[len(n.Regs)-1].Next = n.Add(acc, sum, 64)
	return n.Compact()
}

// words is how many words of state a net has.
func words(n *net.Net) int {
	k := uint32(0)
	for i := range n.Regs {
		k = max(k, uint32(n.Regs[i].Slot)+1)
	}
	for i := range n.Mems {
		k = max(k, n.Mems[i].At+uint32(n.Mems[i].Words))
	}
	return int(k)
}

// TestTeams runs state machines side by side, with and without ties, and compares
// them with the semantics.
func TestTeams(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	seeds, teams, bodies := uint64(40), 0, 0
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 21))
		var parts []*net.Net
		for range 2 + r.IntN(3) {
			m := stateMachine(r, randomNet(r, 20+r.IntN(60)))
			m.Regs[len(m.Regs)-1].Slot = int32(words(m)) // behind the memories
			parts = append(parts, m)
		}
		n := severalMachines(r, seed%2 == 1, parts...)
		run, err := New(n, Options{Features: host, Policy: choose.Eager()})
		require.NoError(t, err)
		want := make([]uint64, words(n))
		for _, q := range n.Regs {
			want[q.Slot] = r.Uint64() & net.Mask(q.W)
		}
		block := make([]uint64, run.Scratch()+len(want))
		got := block[run.Scratch():]
		copy(got, want)
		for cycle := 0; cycle < 2000; cycle += 50 {
			for range 50 {
				step(n, want)
			}
			for left := uint64(50); left > 0; {
				left = run.Run(unsafe.Pointer(&got[0]), left)
			}
			require.Equal(t, want, got, "seed %d, cycle %d", seed, cycle)
		}
		if team, ok := run.(*Engine); ok && team.isTeam() {
			teams++
			bodies += team.Bodies()
		}
		require.NoError(t, run.Close())
	}
	require.Greater(t, 2*teams, int(seeds), "few nets were taken apart: the test tries nothing")
	require.Greater(t, bodies, 2*teams)
}

// TestMembersLookTogether: making code is for all members, so that one of them alone
// must have wasted as much as that is worth, and when it is done all take part that
// have wasted what their own review takes.
func TestMembersLookTogether(t *testing.T) {
	team := &Engine{took: 10e6, rivalry: rivalry{pol: choose.Standard()}}
	for range 4 {
		m := &machine{in: team, sampler: sampler{pol: team.pol}}
		m.patience, m.perCycle = 4e6, 1000
		m.plan = &choose.Plan{General: 100, Costs: []float64{100, 50}}
		team.machines = append(team.machines, m)
	}
	misses := func(k ...float64) {
		for i, m := range team.machines {
			m.misses, m.generals = k[i], k[i] // 500 machine cycles are wasted in each
		}
	}
	reviews := func() (who []int) {
		if team.reviewing = team.reviewDue(); team.reviewing {
			for i, m := range team.machines {
				if m.reviewDue() {
					who = append(who, i)
				}
			}
		}
		return who
	}
	misses(20_000, 20_000, 1000, 20_000)
	require.Empty(t, reviews(), "31 M are wasted")
	misses(20_000, 20_000, 1000, 40_000)
	require.Equal(t, []int{0, 1, 3}, reviews(), "41 M are wasted, less than 1 M of them by one")
	misses(90_000, 0, 0, 0)
	require.Equal(t, []int{0}, reviews(), "one is enough")
	team.took = 1000
	misses(7000, 7000, 7000, 7000)
	require.Empty(t, reviews(), "nobody asks")
	misses(7000, 7000, 7000, 8000)
	require.Len(t, reviews(), 4)
	team.machines[3].fixed = true
	require.Empty(t, reviews(), "one that has settled does not ask")
}
