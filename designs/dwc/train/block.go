package train

import "math/bits"

// lanes is the number of samples that share a machine word: bit s of every
// word belongs to sample s.
const lanes = 64

// block carries up to lanes samples through the policy side by side.
type block struct {
	n int // samples in use
	// levels[d][s] is how many of dimension d's thresholds sample s exceeds.
	levels [][lanes]uint16
	// bits[0] are the encoder's words, bits[i+1] layer i's.
	bits [][]uint64
	// counts[a][s] is the popcount of action a.
	counts [][lanes]uint16
}

func newBlock(dims, perDim int, layers []*lutLayer, actions int) *block {
	b := &block{levels: make([][lanes]uint16, dims), counts: make([][lanes]uint16, actions)}
	b.bits = append(b.bits, make([]uint64, dims*perDim))
	for _, l := range layers {
		b.bits = append(b.bits, make([]uint64, l.width))
	}
	return b
}

// thermometer sets the encoder's words from the levels: bit k of a dimension
// is level > k.
func (b *block) thermometer() {
	// Mark each sample at its highest true bit, then spread downwards: a thermometer is all bits
	// below.
	perDim := len(b.bits[0]) / len(b.levels)
	for d := range b.levels {
		words := b.bits[0][d*perDim : (d+1)*perDim]
		clear(words)
		for s := range b.n {
			if level := b.levels[d][s]; level > 0 {
				words[level-1] |= 1 << s
			}
		}

		for k := perDim - 2; k >= 0; k-- {
			words[k] |= words[k+1]
		}
	}
}

// spread[x] moves bit i of x to the lowest bit of byte i.
var spread = func() (t [256]uint64) {
	for x := range t {
		for i := range 8 {
			t[x] |= uint64(x>>i&1) << (8 * i)
		}
	}
	return t
}()

// addresses writes each lane's LUT address: bit l comes from pins[l].
func addresses(addr *[lanes]uint8, pins []uint64) {
	// Eight lanes at a time: pin l puts its bits into bit l of eight bytes.
	for g := range lanes / 8 {
		var eight uint64
		for l, w := range pins {
			eight |= spread[w>>(8*g)&255] << l
		}
		for i := range 8 {
			addr[8*g+i] = uint8(eight >> (8 * i))
		}
	}
}

// popcount counts, for each lane, the words in which its bit is set.
func popcount(counts *[lanes]uint16, words []uint64) {
	*counts = [lanes]uint16{}

	// Sums of bytes, eight lanes in a word: spread puts the bits of a byte into the bytes of a
	// word.
	for len(words) > 0 {
		some := words[:min(255, len(words))] // a byte holds no more
		words = words[len(some):]
		var sums [lanes / 8]uint64
		for _, w := range some {
			for g := range sums {
				sums[g] += spread[w>>(8*g)&255]
			}
		}

		for s := range counts {
			counts[s] += uint16(sums[s/8] >> (8 * (s % 8)) & 255)
		}
	}
}

// lookup evaluates a LUT of len(pins) ≥ 2 pins for all lanes at once: pairs of
// pins first, by the sixteen functions of two bits, then one multiplexer level
// per further pin.
func lookup(truth uint64, pins []uint64) uint64 {
	x, y := pins[0], pins[1]
	minterms := [4]uint64{^x &^ y, x &^ y, y &^ x, x & y}

	// The sixteen functions of the first two pins, as sums of their minterms.
	var f [16]uint64
	for i := 1; i < 16; i++ {
		f[i] = f[i&(i-1)] | minterms[bits.TrailingZeros(uint(i))]
	}

	// The table's nibbles choose among them; each further pin halves the number of values.
	var v [16]uint64
	n := 1 << (len(pins) - 2)
	for i := range n {
		v[i] = f[truth>>(4*i)&15]
	}

	for _, sel := range pins[2:] {
		n /= 2
		for i := range n {
			zero, one := v[2*i], v[2*i+1]
			v[i] = zero ^ sel&(zero^one)
		}
	}
	return v[0]
}
