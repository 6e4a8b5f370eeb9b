package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/net"
	"etch/sim/net/randnet"
	"etch/testbench/tools"
)

// TestSpecialisedBodiesKeepBanks runs layers of look-ups under a state machine,
// which bodies are made for, and compares them with the semantics.
func TestSpecialisedBodiesKeepBanks(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	special := 0
	for seed := range uint64(tools.Trials(6, 3)) {
		r := rand.New(rand.NewPCG(seed, 10))
		n := stateMachine(r, randnet.Layered(r, 6, 20))
		if banks(n) == 0 {
			continue
		}
		e, err := New(n, Options{Features: host, Policy: choose.Eager()})
		if err != nil {
			t.Fatal(err)
		}
		want := make([]uint64, len(n.Regs))
		for i, g := range n.Regs[:len(n.Regs)-1] {
			want[i] = r.Uint64() & net.Mask(g.W)
		}
		block := make([]uint64, e.Scratch()+len(want))
		got := block[e.Scratch():]
		copy(got, want)
		for cycle := 0; cycle < 12000; cycle += 100 {
			for range 100 {
				step(n, want)
			}
			for left := uint64(100); left > 0; {
				left = e.Run(unsafe.Pointer(&got[0]), left)
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("seed %d, cycle %d, word %d: %#x, want %#x", seed, cycle, i, got[i], want[i])
				}
			}
		}
		if e, ok := e.(*Engine); ok && e.Bodies() > 0 {
			special++
		}
		e.Close()
	}
	if special == 0 && Adapts() {
		t.Error("no net got special bodies")
	}
}

// stateMachine adds a state of three bits to n, by which each register takes its
// next value, its own with a bit turned, or what a chain of sums makes.
func stateMachine(r *rand.Rand, n *net.Net) *net.Net {
	at := len(n.Regs)
	n.Regs = append(n.Regs, net.Reg{Slot: int32(at), W: 3, Q: net.None, Next: net.None})
	q := n.Leaf(at)
	n.Regs[at].Next = n.Add(q, n.Const(1), 3)
	for i := range n.Regs[:at] {
		reg := &n.Regs[i]
		if reg.Next < 0 {
			continue
		}
		leaf := n.Leaf(i)
		x := n.Xor(leaf, n.Const(1))
		for range 12 {
			x = n.Add(n.Mux(n.Slice(x, 0, 1), n.Xor(x, leaf), n.Not(x, reg.W)), n.Const(r.Uint64()&net.Mask(reg.W)), reg.W)
		}
		next := n.Mux(n.Eq(q, n.Const(uint64(r.IntN(8)))), x, reg.Next)
		n.Regs[i].Next = n.Mux(n.Eq(q, n.Const(uint64(r.IntN(8)))), n.Xor(leaf, n.Const(1)), next)
	}
	return n.Compact()
}
