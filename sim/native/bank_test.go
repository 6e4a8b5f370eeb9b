package native

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/net"
	"etch/sim/net/randnet"
)

func banks(n *net.Net) int { return len(n.Gather(&choose.Standard().Net.Banks).Banks) }

func TestBanksAgreeWithSemantics(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	for _, f := range []struct {
		name string
		has  cpu.Features
	}{
		{"host", host},
		{"AVX2", cpu.Features{Popcnt: true, BMI: host.BMI, AVX2: true}},
		{"BMI", cpu.Features{Popcnt: true, BMI: true}},
		{"popcnt", cpu.Features{Popcnt: true}},
	} {
		t.Run(f.name, func(t *testing.T) {
			if f.has.AVX2 && !host.AVX2 || f.has.BMI && !host.BMI {
				t.Skip("this processor lacks " + f.name)
			}
			with := 0
			for seed := range uint64(150) {
				r := rand.New(rand.NewPCG(seed, 8))
				n := randnet.Layered(r, 1+int(seed%6), randnet.Registers(seed))
				if banks(n) > 0 {
					with++
				}
				if err := agrees(n, f.has, r); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			if with < 80 {
				t.Errorf("%d of 150 nets have banks", with)
			}
		})
	}
}

// agrees runs the code of n from a random state and compares it with step.
func agrees(n *net.Net, f cpu.Features, r *rand.Rand) error {
	c, err := Compile(n, f)
	if err != nil {
		return err
	}
	defer c.Close()
	want := make([]uint64, len(n.Regs))
	for i, g := range n.Regs {
		want[i] = r.Uint64() & net.Mask(g.W)
	}
	block := make([]uint64, c.Scratch()+len(want))
	got := block[c.Scratch():]
	copy(got, want)
	for cycle := range 6 {
		step(n, want)
		if left := c.Run(unsafe.Pointer(&got[0]), 1); left != 0 {
			return fmt.Errorf("%d cycles are left", left)
		}
		for i := range want {
			if got[i] != want[i] {
				return fmt.Errorf("cycle %d, word %d: %#x, want %#x\n%s", cycle, i, got[i], want[i], n)
			}
		}
	}
	return nil
}
