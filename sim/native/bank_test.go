package native

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// layeredNet makes layers of look-ups of up to inputs bits each, on bits of
// state, on comparisons and on the layer before, packed into words.
func layeredNet(r *rand.Rand, inputs, most int) *net.Net {
	n := net.New()
	regs := 1 + r.IntN(most)
	for i := range regs {
		w := uint8(64)
		if r.IntN(4) == 0 {
			w = uint8(1 + r.IntN(64))
		}
		n.Regs = append(n.Regs, net.Reg{Slot: uint32(i), W: w, Q: net.None, Next: net.None})
	}
	words := []net.ID{}
	for i := range regs {
		words = append(words, n.Leaf(i))
	}
	if r.IntN(3) == 0 {
		words = append(words, n.Xor(words[0], n.Slice(words[regs-1], 0, n.Width(words[0]))))
	}
	bit := func() net.ID {
		x := words[r.IntN(len(words))]
		return n.Slice(x, uint8(r.IntN(int(n.Width(x)))), 1)
	}
	var bits []net.ID
	for range 40 + r.IntN(600) {
		bits = append(bits, bit())
	}
	for range 1 + r.IntN(2) {
		for range r.IntN(2) * 100 {
			x := words[r.IntN(len(words))]
			w := 1 + r.IntN(min(6, int(n.Width(x))))
			x = n.Slice(x, uint8(r.IntN(int(n.Width(x))-w+1)), uint8(w))
			bits = append(bits, n.Make(net.Lt, 1, n.Const(uint64(r.IntN(1<<w))), x, net.None, 0))
		}
		var layer []net.ID
		for range 40 + r.IntN(200) {
			in := make([]net.ID, 1+r.IntN(inputs))
			for k := range in {
				in[k] = bits[r.IntN(len(bits))]
			}
			layer = append(layer, n.Lut(r.Uint64(), in))
		}
		for k := 0; k < len(layer); {
			x := n.Const(0)
			for i := range min(1+r.IntN(64), len(layer)-k) {
				x = n.Cat(layer[k], x, uint8(i))
				k++
			}
			words = append(words, x)
		}
		bits = layer
	}
	for i := range regs {
		x := words[r.IntN(len(words))]
		n.Regs[i].Next = n.Slice(n.Xor(x, n.Make(net.Pop, 1, words[r.IntN(len(words))], net.None, net.None, 0)), 0, n.Regs[i].W)
		if r.IntN(4) == 0 {
			n.Regs[i].Next = n.Mux(bit(), n.Regs[i].Next, n.Leaf(i))
		}
	}
	return n.Compact()
}

// regsOf is the most registers of the net of a seed: a few more than what the
// kinds of vector code take.
func regsOf(seed uint64) int { return [...]int{26, 26, 26, 40, 180}[seed%5] }

func banks(n *net.Net) int { return len(n.Gather().Banks) }

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
				n := layeredNet(r, 1+int(seed%6), regsOf(seed))
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

// TestBanksOfManySizes: the nets above have banks for every kind of arm64 code too:
// of one to four sets of staged bytes, of more than registers hold, and of every
// number of inputs from two on.
func TestBanksOfManySizes(t *testing.T) {
	sets, inputs := map[int32]int{}, map[int]int{}
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 8))
		n := layeredNet(r, 1+int(seed%6), regsOf(seed)).Gather()
		for i := range n.N {
			if n.N[i].Op == net.Tables {
				b := schedule.ShapeOf(n, net.ID(i))
				sets[(min(b.Staged, maxTabled+1)-1)/(16*setVecs)]++
				inputs[b.Inputs]++
			}
		}
	}
	for k := range int32(5) {
		if sets[k] < 3 {
			t.Errorf("%d banks of %d sets", sets[k], k+1)
		}
	}
	for k := 2; k <= 6; k++ {
		if inputs[k] < 3 {
			t.Errorf("%d banks of %d inputs", inputs[k], k)
		}
	}
	t.Log(sets, inputs)
}
