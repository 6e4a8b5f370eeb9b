package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/native/internal/emit"
	"etch/sim/net"
)

// restingNet makes a net of units of random nodes whose inputs seldom change. They
// see each other's registers now and then, and a counter that moves all the time.
func restingNet(r *rand.Rand) *net.Net {
	n := net.New()
	units, each := 2+r.IntN(6), 3+r.IntN(4)
	regs := 1 + units*each
	for range regs {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(len(n.Regs)), W: uint8(1 + r.IntN(64)>>(4*r.IntN(2))), Q: net.None, Next: net.None})
	}
	n.Regs[0].W = 16
	n.Mems = []net.Mem{{At: uint32(regs), Words: 16, Depth: 16, W: 32}, {At: uint32(regs + 16), Words: 4, Depth: 4, W: 64}}
	count := n.Leaf(0)
	now := func() net.ID { // in one of 64 cycles
		return n.Eq(n.Slice(count, 0, 6), n.Const(uint64(r.IntN(64))))
	}
	for u := range units {
		g := &growth{r: r, n: n, regs: regs}
		own := func() int { return 1 + u*each + r.IntN(each) }
		for k := range each {
			g.all = append(g.all, n.Leaf(1+u*each+k))
		}
		if r.IntN(3) == 0 {
			g.all = append(g.all, n.Leaf(r.IntN(regs)))
		}
		g.regs = 1 // of leaves, the counter alone is found by chance
		for range 10 + r.IntN(80) {
			g.node()
		}
		for k := range each {
			q := &n.Regs[1+u*each+k]
			x := n.Slice(g.pick(), 0, q.W)
			switch r.IntN(4) {
			case 0:
				x = n.Mux(now(), x, n.Leaf(1+u*each+k))
			case 1:
				x = n.Mux(n.Slice(n.Leaf(own()), 0, 1), n.Leaf(1+u*each+k), x)
			case 2:
				if s := n.Leaf(own()); n.Width(s) == 1 {
					x = n.Mux(s, x, n.Leaf(1+u*each+k))
				}
			}
			q.Next = x
		}
		if r.IntN(2) == 0 {
			n.Writes = append(n.Writes, net.Write{Mem: 0, En: now(), Addr: g.narrow(4), Data: g.narrow(32), Mask: net.None})
		}
		if r.IntN(6) == 0 {
			n.Stop = n.And(n.Slice(g.pick(), 0, 1), now())
		}
	}
	n.Regs[0].Next = n.Add(count, n.Const(1), 16)
	return n.Compact()
}

// Code with gates does what the semantics say while somebody writes to the state
// between calls, whatever the samples were that its regions come from.
func TestGatesAgreeWithSemantics(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	seeds := uint64(250)
	if testing.Short() {
		seeds = 40
	}
	gated, rests := 0, 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 11))
		n := restingNet(r)
		size := len(n.Regs) + 20
		want := make([]uint64, size)
		shake := func() {
			for _, q := range n.Regs[1:] {
				want[q.Slot] = r.Uint64() & net.Mask(q.W)
			}
		}
		shake()
		for i := range 16 {
			want[len(n.Regs)+i] = uint64(r.Uint32())
		}
		changed := make([]uint64, len(n.Regs))
		for s := range 64 {
			before := append([]uint64(nil), want...)
			step(n, want)
			for i := range n.Regs {
				if before[i] != want[i] && i < len(n.Regs)-r.IntN(4) { // some are overlooked
					changed[i] |= 1 << s
				}
			}
		}
		division := n.Divide(changed, 1, 64, &choose.Standard().Net.Regions)
		if division.Count == 0 {
			continue
		}
		gated++
		g := &Gated{pol: choose.Standard(), n: n, f: host, room: 1 << 16, on: true}
		code, err := g.compileRegions(division)
		if err != nil {
			t.Fatal(err)
		}
		g.gates = code
		block := make([]uint64, g.room+size)
		got := block[g.room:]
		for call := range 60 {
			if call%7 == 0 {
				shake()
			}
			copy(got, want)
			for left := 1 + r.IntN(40); left > 0; {
				k := 1 + r.IntN(left)
				stayed := int(g.call(unsafe.Pointer(&got[0]), uint64(k), true))
				for range k - stayed {
					if n.Stop >= 0 && settled(n, want)[n.Stop] != 0 {
						t.Fatalf("seed %d: did not stop", seed)
					}
					step(n, want)
				}
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("seed %d, call %d, word %d: %#x, want %#x", seed, call, i, got[i], want[i])
					}
				}
				for i := range division.Count {
					if block[g.room-(emit.FirstScratch+i+1)] == 0 {
						rests++
					}
				}
				if left -= k; stayed > 0 {
					if n.Stop < 0 || settled(n, want)[n.Stop] == 0 {
						t.Fatalf("seed %d: stopped for nothing", seed)
					}
					break
				}
			}
			g.fresh = false
		}
		code.Close()
	}
	if gated < int(seeds)/3 || rests < 20*gated {
		t.Fatalf("%d of %d nets have gates, which rested %d times", gated, seeds, rests)
	}
	t.Logf("%d of %d nets have gates, which rested %d times", gated, seeds, rests)
}

// A Gated samples, looks, tries and goes back and forth while it runs, and the
// results stay those of the semantics.
func TestGatedAdapts(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	tried := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 12))
		n := restingNet(r)
		n.Stop = net.None
		plain, err := Compile(n, host)
		if err != nil {
			t.Fatal(err)
		}
		g := newGated(n, Options{Features: host}, plain, plain.Scratch()+gateScratch)
		g.wait = 0
		size := len(n.Regs) + 20
		want, block := make([]uint64, size), make([]uint64, g.Scratch()+size)
		got := block[g.Scratch():]
		for call := range 120 {
			k := 1 + r.IntN(64)
			if call%10 == 9 {
				want[1] = r.Uint64() & net.Mask(n.Regs[1].W)
				g.GiveBack(unsafe.Pointer(&got[0]))
				copy(got, want)
			}
			if left := g.RunOn(unsafe.Pointer(&got[0]), uint64(k), call%10 != 9 && call > 0); left != 0 {
				t.Fatalf("seed %d: %d cycles are left", seed, left)
			}
			for range k {
				step(n, want)
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("seed %d, call %d, word %d: %#x, want %#x", seed, call, i, got[i], want[i])
				}
			}
			if g.gates != nil {
				tried++
			}
		}
		g.Close()
	}
	if tried == 0 {
		t.Fatal("no gates were ever tried")
	}
}
