package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/net"
)

// TestRotationsAgreeWithSemantics makes rotations and shifts to the left of words
// of all widths about 32 and 64, from registers and from values.
func TestRotationsAgreeWithSemantics(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := net.New()
		const regs = 6
		for i := range regs {
			w := []uint8{31, 32, 33, 63, 64, 64}[i]
			n.Regs = append(n.Regs, net.Reg{Slot: int32(i), W: w, Q: net.None, Next: net.None})
			n.Leaf(i)
		}
		for i := range regs {
			g := &n.Regs[i]
			x := n.Leaf((i + r.IntN(regs)) % regs)
			for range 1 + r.IntN(4) {
				x = n.Xor(n.Slice(x, 0, min(n.Width(x), g.W)), g.Q)
				w := n.Width(x)
				if w < 2 {
					break
				}
				at := uint8(1 + r.IntN(int(w)-1))
				low := n.Slice(x, w-at, at)
				if r.IntN(2) == 0 {
					low = n.Const(r.Uint64() & net.Mask(at) >> r.IntN(64))
				}
				x = n.Cat(n.Slice(x, 0, w-at), low, at)
			}
			g.Next = n.Slice(x, 0, g.W)
		}
		n = n.Compact()
		f := host
		f.BMI = f.BMI && seed%2 == 0
		c, err := Compile(n, f)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]uint64, regs)
		for i, g := range n.Regs {
			want[i] = r.Uint64() & net.Mask(g.W)
		}
		block := make([]uint64, c.Scratch()+regs)
		got := block[c.Scratch():]
		copy(got, want)
		for cycle := range 10 {
			step(n, want)
			c.Run(unsafe.Pointer(&got[0]), 1)
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("seed %d, cycle %d, register %d: %#x, want %#x\n%s", seed, cycle, i, got[i], want[i], n)
				}
			}
		}
		c.Close()
	}
}
