package net

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// givenState is a state of registers and memories.
type givenState struct {
	regs []uint64
	mems [][]uint64
}

func (s givenState) Reg(r int) uint64                { return s.regs[r] }
func (s givenState) Mem(m int32, addr uint64) uint64 { return s.mems[m][addr] }

// randomNet is a net of registers, reads of two memories, and operations of all arities. The second
// memory lies over registers.
func randomNet(r *rand.Rand) *Net {
	n := New()
	var all []ID
	for i := range 12 {
		n.Regs = append(n.Regs, Reg{Slot: int32(i), W: uint8(1 + r.IntN(6)), Q: None, Next: None})
		all = append(all, n.Leaf(i))
	}
	n.Mems = []Mem{{At: 20, Words: 4, Depth: 4, W: 4}, {At: 0, Words: 4, Depth: 4, W: 4, Step: 2}}
	some := func() ID { return all[r.IntN(len(all))] }
	bit := func() ID { return n.IsZero(n.Slice(some(), 0, 1)) }
	for range 10 + r.IntN(80) {
		var x ID
		switch r.IntN(8) {
		case 0:
			x = n.Mux(bit(), some(), some())
		case 1:
			x = n.Add(some(), some(), uint8(1+r.IntN(6)))
		case 2:
			x = n.Xor(some(), some())
		case 3:
			x = n.Eq(some(), some())
		case 4:
			x = n.Read(int32(r.IntN(2)), some())
		case 5:
			x = n.Slice(some(), 0, 1)
		case 6:
			x = n.Lut(r.Uint64(), []ID{bit(), bit(), bit(), bit()})
		default:
			x = n.Not(some(), 6)
		}
		all = append(all, n.Slice(x, 0, 6))
	}
	for i := range n.Regs {
		n.Regs[i].Next = n.Slice(some(), 0, n.Regs[i].W)
	}
	return n.Prepared()
}

// Samples are taken by computing what changes; here every node of every state is computed.
func TestSamplesAgreeWithFullEvaluation(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 41))
		n := randomNet(r)
		s := givenState{make([]uint64, len(n.Regs)), [][]uint64{make([]uint64, 4), make([]uint64, 4)}}
		a := n.NewActivity(128)
		active, changed, truth := make([]uint64, len(a.active)), make([]uint64, len(a.active)), make([]uint64, len(a.active))

		var before []uint64
		var old givenState
		for k := 0; k < 128; {
			// A few words change, and sometimes the next state follows no other.
			for range r.IntN(4) {
				s.regs[r.IntN(len(s.regs))] = r.Uint64() & 3
				s.mems[0][r.IntN(4)] = r.Uint64() & 3
			}
			for i := range 4 {
				s.mems[1][i] = s.regs[2*i]
			}
			if r.IntN(8) == 0 {
				a.Gap()
				before = nil
			}
			a.Take(s)

			v := make([]uint64, len(n.N))
			for i := range n.N {
				v[i] = n.compute(ID(i), v, s)
			}
			if before != nil {
				for i := range n.N {
					nd := &n.N[i]
					at, bit := i*a.words+k/64, uint64(1)<<(k%64)
					set := func(row []uint64, on bool) {
						if on && a.live[i] {
							row[at] |= bit
						}
					}
					woken := v[i] != before[i]
					n.Args(ID(i), func(x ID) { woken = woken || v[x] != before[x] })
					if nd.Op == Read && nd.Imm == 1 {
						for j := range 4 {
							woken = woken || s.mems[1][j] != old.mems[1][j]
						}
					}
					set(active, woken)
					set(changed, v[i] != before[i])
					set(truth, v[i] != 0)
				}
				k++
			}
			before = v
			old = givenState{nil, [][]uint64{nil, append([]uint64(nil), s.mems[1]...)}}
		}
		require.True(t, a.Full())
		require.Equal(t, active, a.active, "seed %d", seed)
		require.Equal(t, changed, a.changed, "seed %d", seed)
		for i := range n.N {
			if a.live[i] {
				require.Equal(t, truth[i*a.words:][:a.words], a.truth[i*a.words:][:a.words], "seed %d, node %d", seed, i)
			}
		}
	}
}
