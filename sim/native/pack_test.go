package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/native/internal/emit"
	"etch/sim/native/internal/pack"
	"etch/sim/net"
	"etch/sim/net/randnet"
	"etch/testbench/tools"
)

// stops reports whether the net stops before the next cycle: its condition is
// that the low bits of a register are 3.
func stops(n *net.Net, state []uint64) bool {
	if n.Stop < 0 {
		return false
	}
	x := n.N[n.Stop].A
	for n.N[x].Op != net.Leaf {
		x = n.N[x].A
	}
	return state[n.Regs[n.N[x].Imm].Slot]&31 == 3
}

func TestPackedArraysAgreeWithSemantics(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) || !emit.Here.Vectors(host) {
		t.Skip("no vectors for packs on this machine")
	}
	packed, seeds := 0, tools.Trials(1500, 300)
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 11))
		n := randnet.Arrays(r)
		var c *Code
		var err error
		if k, rest := pack.Find(n, int32(seed%2)<<20); k != nil {
			packed++
			c, err = compilePacked(k, rest, host)
		} else {
			c, err = Compile(n, host)
		}
		if err != nil {
			t.Fatal(err)
		}
		size := int(n.Regs[len(n.Regs)-1].Slot) + 1 + 4
		want := make([]uint64, size)
		for _, g := range n.Regs {
			want[g.Slot] = r.Uint64() & net.Mask(g.W)
		}
		block := make([]uint64, (c.Scratch()+7)&^7+size)
		got := block[(c.Scratch()+7)&^7:]
		copy(got, want)
		for call := range 6 {
			cycles := 1 + r.IntN(3)
			left := cycles
			for ; left > 0 && !stops(n, want); left-- {
				step(n, want)
			}
			at := unsafe.Pointer(&got[0])
			now := 0
			if call%2 == 0 {
				now = int(c.Run(at, uint64(cycles)))
			} else {
				if now = int(c.RunOn(at, 1, false)); now == 0 && cycles > 1 {
					now = int(c.RunOn(at, uint64(cycles-1), true))
				} else {
					now += cycles - 1
				}
				c.GiveBack(at)
			}
			if now != left {
				t.Fatalf("seed %d, call %d: %d cycles are left, want %d", seed, call, now, left)
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("seed %d, call %d, word %d: %#x, want %#x\n%d registers", seed, call, i, got[i], want[i], len(n.Regs))
				}
			}
		}
		c.Close()
	}
	if packed < seeds/3 {
		t.Errorf("%d nets were packed: this tests little", packed)
	}
	t.Logf("%d nets were packed", packed)
}
