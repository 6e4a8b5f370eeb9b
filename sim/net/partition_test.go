package net

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// quiet is a state of zeros.
type quiet struct{}

func (quiet) Reg(int) uint64           { return 0 }
func (quiet) Mem(int32, uint64) uint64 { return 0 }

// Memories that take each other's words: both are read before either is written.
func TestPartitionOfExchange(t *testing.T) {
	n := New()
	n.Regs = []Reg{{Slot: 0, W: 2, Q: None, Next: None}, {Slot: 1, W: 8, Q: None, Next: None}}
	n.Mems = []Mem{{At: 2, Words: 4, Depth: 4, W: 8}, {At: 6, Words: 4, Depth: 4, W: 8}, {At: 10, Words: 4, Depth: 4, W: 8}}
	at := n.Leaf(0)
	for m := range int32(3) {
		n.Writes = append(n.Writes, Write{Mem: m, En: None, Addr: at, Data: n.Xor(n.Read((m+1)%3, at), n.Leaf(1)), Mask: None})
	}
	n = n.Prepared()
	for _, largest := range []float64{1, 400} {
		a := n.NewActivity(64)
		for range 5 {
			a.Take(quiet{})
		}
		p := a.Partition(largest)
		for i := range n.N {
			for w := range n.Writes {
				if n.N[i].Op == Read && int(n.Writes[w].Mem) == int(n.N[i].Imm) {
					require.LessOrEqual(t, p.Of[i], p.Unit[w], "read %d and write %d", i, w)
				}
			}
		}
		for w := range n.Writes {
			require.LessOrEqual(t, p.Of[n.Writes[w].Data], p.Unit[w])
			require.Contains(t, p.Parts[p.Unit[w]].Writes, w)
		}
	}
}
