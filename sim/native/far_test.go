package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/native/internal/emit"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
	"etch/testbench/tools"
)

// spreadState moves the state of a net of randomNet apart, so that it fills words
// up to about most, and returns how many words it has.
func spreadState(r *rand.Rand, n *net.Net, most uint32) int {
	at := uint32(0)
	step := func() uint32 { return 1 + r.Uint32N(most/uint32(len(n.Regs)+len(n.Mems))) }
	memory := r.IntN(len(n.Regs))
	for i := range n.Regs {
		if i == memory {
			for m := range n.Mems {
				at += step()
				n.Mems[m].At = at
				at += uint32(n.Mems[m].Words)
			}
		}
		at += step()
		n.Regs[i].Slot = int32(at)
	}
	return int(at) + 1
}

// TestFarState runs nets whose state and scratch words lie far from each other:
// processors reach less than that from one register.
func TestFarState(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	const largest = 3 << 20 // words
	block := make([]uint64, largest+20000)
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 11))
		n := randomNet(r, 5+r.IntN(150))
		size := spreadState(r, n, []uint32{600, 20000, largest}[seed%3])
		c := schedule.Prepare(&schedule.Scheduler{Costs: &choose.Standard().Branches}, n, net.Assume{}, []int32{emit.FirstScratch, 4000, 9000}[seed/3%3])
		c.Allocate(&schedule.Allocator{}, emit.Here.Registers(emit.InPlain)[:4])
		text, err := emit.Plain(emit.Here, c, host)
		if err != nil {
			t.Fatal(err)
		}
		code, err := newCode(text, int(c.Scratch), len(n.N))
		if err != nil {
			t.Fatal(err)
		}
		agree(t, seed, n, code, block[:code.Scratch()+size], 6)
		code.Close()
	}
}

// TestFarBodies is that of special bodies.
func TestFarBodies(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	special := 0
	for seed := range uint64(tools.Trials(9, 3)) {
		r := rand.New(rand.NewPCG(seed, 16))
		n := stateMachine(r, randomNet(r, 40))
		size := spreadState(r, n, []uint32{600, 20000, 200_000}[seed%3])
		code, err := New(n, Options{Features: host, Policy: choose.Eager()})
		if err != nil {
			t.Fatal(err)
		}
		agree(t, seed, n, code, make([]uint64, code.Scratch()+size), 6000)
		if e, ok := code.(*Engine); ok && e.Bodies() > 0 {
			special++
		}
		code.Close()
	}
	if special == 0 {
		t.Error("no net got special bodies")
	}
}

// agree runs code for some cycles on a random state at the end of block, against
// the semantics.
func agree(t *testing.T, seed uint64, n *net.Net, code Runner, block []uint64, cycles int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 12))
	got := block[code.Scratch():]
	var used []uint32
	for _, g := range n.Regs {
		used = append(used, uint32(g.Slot))
		got[g.Slot] = r.Uint64() & net.Mask(g.W)
	}
	for _, m := range n.Mems {
		for i := range uint32(m.Words) {
			used = append(used, m.At+i)
			got[m.At+i] = r.Uint64() & net.Mask(m.W)
		}
	}
	small := *n // the same state side by side
	small.Regs, small.Mems = append([]net.Reg{}, n.Regs...), append([]net.Mem{}, n.Mems...)
	for i := range small.Regs {
		small.Regs[i].Slot = int32(i)
	}
	at := uint32(len(n.Regs))
	for i := range small.Mems {
		small.Mems[i].At = at
		at += uint32(small.Mems[i].Words)
	}
	want := make([]uint64, len(used))
	for i, slot := range used {
		want[i] = got[slot]
	}
	for cycle := range cycles {
		step(&small, want)
		if left := code.Run(unsafe.Pointer(&got[0]), 1); left != 0 {
			t.Fatalf("seed %d: %d cycles are left", seed, left)
		}
		for i, slot := range used {
			if got[slot] != want[i] {
				t.Fatalf("seed %d, cycle %d, word %d: %#x, want %#x\n%s", seed, cycle, slot, got[slot], want[i], n)
			}
		}
	}
}

// TestLongCode runs nets that take more code than conditional jumps of processors
// reach over.
func TestLongCode(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	r := rand.New(rand.NewPCG(0, 13))
	n := randomNet(r, 500_000)
	size := spreadState(r, n, 600)
	code, err := Compile(n, host)
	if err != nil {
		t.Fatal(err)
	}
	defer code.Close()
	if code.Size() <= 1<<20 {
		t.Errorf("%d bytes are no long code", code.Size())
	}
	agree(t, 0, n, code, make([]uint64, code.Scratch()+size), 6)
}
