package emit

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"etch/sim/choose"
	"etch/sim/native/amd64"
	"etch/sim/native/cpu"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
	"etch/sim/net/randnet"
)

// TestBanksWithAVX512 executes the AVX-512 code of banks instruction by
// instruction and compares the words that it leaves with those of the bank.
func TestBanksWithAVX512(t *testing.T) {
	f := cpu.Features{Popcnt: true, BMI: true, AVX2: true, AVX512: true}
	t.Run("BW", func(t *testing.T) {
		executeBanks(t, f, maxShuffled, windowBytes, []string{"vbroadcasti32x4"}, 1, 2, 8, 11, 16)
	})
	f.VBMI = true
	t.Run("VBMI", func(t *testing.T) {
		executeBanks(t, f, maxPermuted, pairBytes, []string{"vpermi2b"}, 1, 2, 4, 7, 8)
	})
}

// executeBanks checks banks of at most limit bytes of operands. They must use the
// named instructions, besides those that all use, and among them must be some
// with each number of sets of operands.
func executeBanks(t *testing.T, f cpu.Features, limit, set int32, names []string, sets ...int32) {
	seen, met := map[string]int{}, map[int32]int{}
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 9))
		n := randnet.Layered(r, 1+int(seed%6), randnet.Registers(seed)).Gather(&choose.Standard().Net.Banks)
		s := schedule.Scheduler{Costs: &choose.Standard().Branches}
		c := schedule.Prepare(&s, n, net.NewAssume(len(n.Regs)), FirstScratch)
		c.Allocate(&schedule.Allocator{}, x86Pool)
		v := nodeValues(n, r)
		for i := range n.N {
			if n.N[i].Op != net.Tables || c.Loc[i].K == schedule.Nowhere {
				continue
			}
			_, size := schedule.StagedBytes(n, net.ID(i))
			if size > limit {
				continue // another code
			}
			met[(size+set-1)/set]++
			if err := bankAgrees(c, net.ID(i), f, v, seen); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
	for _, name := range append(names, "vmovdqu8", "vptestmb", "vpaddb", "vpshufb", "kmovq", "kmovq store", "vzeroupper") {
		if seen[name] == 0 {
			t.Errorf("no bank has used %s", name)
		}
	}
	for _, k := range sets {
		if met[k] == 0 {
			t.Errorf("no bank has %d sets of operands; banks by sets: %v", k, met)
		}
	}
}

// nodeValues is the values of all nodes for a random state.
func nodeValues(n *net.Net, r *rand.Rand) []uint64 {
	v := make([]uint64, len(n.N))
	for i := range n.N {
		nd := &n.N[i]
		arg := func(x net.ID) uint64 {
			if x < 0 {
				return 0
			}
			return v[x]
		}
		switch nd.Op {
		case net.Leaf:
			v[i] = r.Uint64() & net.Mask(nd.W)
		case net.Lut:
			at := uint64(0)
			for k, x := range n.Operands(net.ID(i)) {
				at |= v[x] << k
			}
			v[i] = nd.Imm >> at & 1
		case net.Tables:
		case net.TableWord:
			in := n.Operands(nd.A)
			v[i] = n.Banks[n.N[nd.A].Imm].Eval(int(nd.Imm), func(k int) uint64 { return v[in[k]] })
		default:
			v[i] = net.Eval(nd.Op, nd.W, nd.Imm, arg(nd.A), arg(nd.B), arg(nd.C))
		}
	}
	return v
}

// bankAgrees executes the code of bank x with its operands where c has them.
func bankAgrees(c *schedule.Code, x net.ID, f cpu.Features, v []uint64, seen map[string]int) error {
	n := c.N
	e := newX86(f)
	e.c, e.n, e.at = c, n, -1
	e.bank(x)
	e.Ret()
	e.writeConstants()
	if err := e.Resolve(); err != nil {
		return err
	}
	m := &machine{code: e.Code, mem: make([]byte, 8*(int(c.Scratch)+len(n.Regs))), seen: seen}
	base := uint64(memBase + 8*c.Scratch)
	for i := range m.g {
		m.g[i] = 0xdead0000 + uint64(i)
	}
	m.g[stateR], m.g[stateW] = base, base
	word := func(at int32) []byte { return m.bytes(base-8*uint64(at+1), 8) }
	for _, y := range n.Operands(x) {
		switch l := c.Loc[y]; {
		case n.N[y].Op == net.Leaf:
			binary.LittleEndian.PutUint64(m.bytes(base+8*uint64(n.Regs[n.N[y].Imm].Slot), 8), v[y])
		case l.K == schedule.InReg:
			m.g[l.Reg] = v[y]
		case l.K == schedule.InScratch:
			binary.LittleEndian.PutUint64(word(l.At), v[y])
		}
	}
	before := m.g
	if err := m.run(); err != nil {
		return fmt.Errorf("%v\n%x", err, e.Code)
	}
	for r := range m.g {
		if amd64.Reg(r) != tmpA && amd64.Reg(r) != tmpC && m.g[r] != before[r] {
			return fmt.Errorf("register %d is %#x after the code, %#x before", r, m.g[r], before[r])
		}
	}
	in := n.Operands(x)
	b := n.Banks[n.N[x].Imm]
	for w := range b.Words {
		want := b.Eval(w, func(k int) uint64 { return v[in[k]] })
		if got := binary.LittleEndian.Uint64(word(c.Loc[x].At - int32(w))); got != want {
			return fmt.Errorf("bank %d, word %d: %#x, want %#x", x, w, got, want)
		}
	}
	return nil
}
