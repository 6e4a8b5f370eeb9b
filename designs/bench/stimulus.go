package bench

import (
	"etch/hw"
	"etch/ir/bits"
)

// Ports are the ports of every design of this package.
type Ports struct {
	Sum hw.UInt // 64 bits that depend on all that was computed since reset
}

func ports() Ports { return Ports{Sum: hw.Out(hw.Unsigned(64))} }

// fold makes sum the register that takes x, of at most 64 bits, into account in
// every cycle.
func fold(m *hw.Module, p Ports, x hw.UInt) {
	sum := hw.Reg(m, "sum", hw.Like(p.Sum), hw.U(0))
	sum.Set(sum.RotL(1).Xor(x.Extend(64)))
	p.Sum.Set(sum)
}

// mix is one value of the width of xs in which every bit of each counts.
func mix(xs []hw.UInt) hw.UInt {
	x := xs[0]
	for _, y := range xs[1:] {
		x = x.RotL(1).Xor(y)
	}
	return x
}

// Noise is a source of random words: generators of 64 bits side by side, each
// from another start.
type Noise struct {
	Words int // of 64 bits
}

type NoisePorts struct {
	Out hw.UInt `dir:"out"` // new in every cycle
}

func (n Noise) Ports() NoisePorts {
	return NoisePorts{Out: hw.Unsigned(64 * n.Words)}
}

func (n Noise) Build(m *hw.Module, p NoisePorts) {
	var words []hw.Signal
	for i := range n.Words {
		x := hw.Reg(m, hw.Name("x", i), hw.Unsigned(64), start(i))
		x.Set(shuffled(x))
		words = append([]hw.Signal{x}, words...) // word 0 at the bottom
	}
	p.Out.Set(hw.Cat(words...))
}

// start is where generator i starts: multiples of the golden ratio.
func start(i int) hw.UInt {
	return hw.UVal(bits.New(64, 0x9e3779b97f4a7c15*uint64(i+1)))
}

// shuffled is the value behind x of Marsaglia's xorshift generator of 64 bits.
func shuffled(x hw.UInt) hw.UInt {
	x = x.Xor(x.Shl(13))
	x = x.Xor(x.Shr(7))
	return x.Xor(x.Shl(17))
}

// noise is bits random bits, new in every cycle.
func noise(m *hw.Module, bits int) hw.UInt {
	n := Noise{Words: (bits + 63) / 64}
	return hw.Inst(m, "noise", n).Out.Trunc(bits)
}
