package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"etch/sim/choose"
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
		pol := choose.Standard()
		pol.Packs.NarrowFrom = int32(seed%2) << 20
		if k, rest := pack.Find(n, &pol.Packs); k != nil {
			packed++
			c, err = compilePacked(k, rest, Options{Features: host, Policy: pol})
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

// A graph whose vectors exceed the registers is packed too: some are spilled.
func TestPackOfManyVectors(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) || !emit.Here.Vectors(host) {
		t.Skip("no vectors for packs on this machine")
	}
	const count, values = 20, 18
	n := net.New()
	for i := range count {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(i), W: 32, Q: net.None, Next: net.None})
	}
	for i := range count {
		// Multiples of the register, all of which are used once before any is used again.
		a := []net.ID{net.None, n.Leaf(i)}
		for k := 2; k <= values; k++ {
			a = append(a, n.Add(a[k/2], a[(k+1)/2], 32))
		}
		var sums [2]net.ID
		for k := 1; k <= values; k++ {
			product := n.Make(net.Mul, 32, a[k], a[values+1-k], net.None, 0)
			for j, x := range []net.ID{product, n.Xor(a[k], n.Not(a[values+1-k], 32))} {
				if k == 1 {
					sums[j] = x
				} else {
					sums[j] = n.Add(sums[j], x, 32)
				}
			}
		}
		n.Regs[i].Next = n.Add(sums[0], sums[1], 32)
	}
	pol := choose.Standard()
	pol.Packs.NarrowFrom = 0
	k, rest := pack.Find(n, &pol.Packs)
	if k == nil {
		t.Fatal("the net has no packs")
	}
	c, err := compilePacked(k, rest, Options{Features: host, Policy: pol})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	want := make([]uint64, count)
	for i := range want {
		want[i] = uint64(i*2654435761) & net.Mask(32)
	}
	block := make([]uint64, (c.Scratch()+7)&^7+count)
	got := block[(c.Scratch()+7)&^7:]
	copy(got, want)
	c.Run(unsafe.Pointer(&got[0]), 5)
	for range 5 {
		step(n, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("register %d: %#x, want %#x", i, got[i], want[i])
		}
	}
}
