package train

import (
	"math/rand/v2"
	"testing"
)

func randomWords(r *rand.Rand, n int) []uint64 {
	w := make([]uint64, n)
	for i := range w {
		w[i] = r.Uint64()
	}
	return w
}

// laneAddress reads one lane's address bit by bit.
func laneAddress(pins []uint64, s int) int {
	a := 0
	for l, w := range pins {
		a |= int(w>>s&1) << l
	}
	return a
}

func TestLookupAndAddresses(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := 2; n <= 6; n++ {
		for range 200 {
			truth := r.Uint64()
			if n < 6 {
				truth &= 1<<(1<<n) - 1
			}
			pins := randomWords(r, n)
			got := lookup(truth, pins)
			var addr [lanes]uint8
			addresses(&addr, pins)
			for s := range lanes {
				a := laneAddress(pins, s)
				if int(addr[s]) != a {
					t.Fatalf("n=%d lane %d: address %d, want %d", n, s, addr[s], a)
				}
				if got>>s&1 != truth>>a&1 {
					t.Fatalf("n=%d lane %d address %d: bit %d of table %x", n, s, a, got>>s&1, truth)
				}
			}
		}
	}
}

func TestPopcount(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{0, 1, 64, 255, 256, 700} {
		words := randomWords(r, n)
		if n > 1 {
			for i := range words {
				words[i] |= 1 << 63 // one lane always counts, so a byte would overflow
			}
		}
		var got [lanes]uint16
		popcount(&got, words)
		for s := range lanes {
			want := 0
			for _, w := range words {
				want += int(w >> s & 1)
			}
			if int(got[s]) != want {
				t.Fatalf("%d words, lane %d: %d, want %d", n, s, got[s], want)
			}
		}
	}
}

func TestThermometer(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const dims, perDim = 3, 7
	b := newBlock(dims, perDim, nil, 0)
	b.n = lanes
	for range 3 { // stale words must not show through
		for d := range dims {
			for s := range lanes {
				b.levels[d][s] = uint16(r.IntN(perDim + 1))
			}
		}
		b.thermometer()
		for d := range dims {
			for k := range perDim {
				for s := range lanes {
					if got, want := b.bits[0][d*perDim+k]>>s&1 == 1, int(b.levels[d][s]) > k; got != want {
						t.Fatalf("dimension %d bit %d lane %d: %v at level %d", d, k, s, got, b.levels[d][s])
					}
				}
			}
		}
	}
}
