package randnet

import (
	"math/rand/v2"

	"etch/sim/net"
)

// Layered makes a random net of layers of look-ups of up to inputs bits each, on bits of
// at most so many registers, on comparisons and on the layer before, packed into words.
func Layered(r *rand.Rand, inputs, most int) *net.Net {
	n := net.New()

	words := registers(n, r, 1+r.IntN(most))
	regs := len(words)

	// A word of logic beside the registers.
	if r.IntN(3) == 0 {
		words = append(words, n.Xor(words[0], n.Slice(words[regs-1], 0, n.Width(words[0]))))
	}

	// The bits that look-ups read: of registers and of words of the layer before.
	bit := func() net.ID {
		x := words[r.IntN(len(words))]
		return n.Slice(x, uint8(r.IntN(int(n.Width(x)))), 1)
	}
	var bits []net.ID
	for range 40 + r.IntN(600) {
		bits = append(bits, bit())
	}

	// One or two layers: the second reads the first.
	for range 1 + r.IntN(2) {
		for range r.IntN(2) * 100 {
			x := words[r.IntN(len(words))]
			w := 1 + r.IntN(min(6, int(n.Width(x))))
			x = n.Slice(x, uint8(r.IntN(int(n.Width(x))-w+1)), uint8(w))
			bits = append(bits, n.Make(net.Lt, 1, n.Const(uint64(r.IntN(1<<w))), x, net.None, 0))
		}

		// A layer of look-ups, packed into words of up to 64 bits.
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

	// A count of ones, so that any bit of a word may show in a next value.
	for i := range regs {
		x := words[r.IntN(len(words))]
		n.Regs[i].Next = n.Slice(n.Xor(x, n.Make(net.Pop, 1, words[r.IntN(len(words))], net.None, net.None, 0)), 0, n.Regs[i].W)
		if r.IntN(4) == 0 {
			n.Regs[i].Next = n.Mux(bit(), n.Regs[i].Next, n.Leaf(i))
		}
	}
	return n.Compact()
}

// registers makes registers and returns their leaves. A quarter is narrow, so that words differ in
// length.
func registers(n *net.Net, r *rand.Rand, number int) (words []net.ID) {
	for i := range number {
		w := uint8(64)
		if r.IntN(4) == 0 {
			w = uint8(1 + r.IntN(64))
		}
		n.Regs = append(n.Regs, net.Reg{Slot: int32(i), W: w, Q: net.None, Next: net.None})
	}
	for i := range number {
		words = append(words, n.Leaf(i))
	}
	return words
}

// Registers is the largest number of registers of the Layered net of a seed: a few more than the
// kinds of vector code for banks take.
func Registers(seed uint64) int { return [...]int{26, 26, 26, 40, 180}[seed%5] }
