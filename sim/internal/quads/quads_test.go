package quads

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Fields add and subtract apart.
func TestFields(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 10000 {
		x, y := r.Uint64(), r.Uint64()
		var sum, difference [4]uint64
		for i := range 4 {
			a, b := uint16(x>>(16*i)), uint16(y>>(16*i))
			sum[i], difference[i] = uint64(a+b), uint64(a-b)
		}
		require.Equal(t, Pack(&sum), Plus(x, y))
		require.Equal(t, Pack(&difference), Minus(x, y))
	}
}

// A field that counts takes the next value of its range, up or down, through any lowest value.
func TestWrap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for range 200 {
		low, size, step := uint16(r.Uint32()), 2+r.IntN(1<<uint(1+r.IntN(15))), 1
		step += r.IntN(size - 1)
		at := r.IntN(size)
		for range 1000 {
			was := low + uint16(at)
			at = (at + step) % size
			require.Equal(t, low+uint16(at), Wrap(was+uint16(step), low, uint16(size)), "up")
			require.Equal(t, was, Wrap(low+uint16(at)-uint16(step), low, -uint16(size)), "down")
		}
	}
}

// A counter through a range whose lowest value is round is known from its first return.
func TestWrapAt(t *testing.T) {
	for _, low := range []int{0, -128, 512, -4, 48} {
		for step := 1; step <= 4; step++ {
			for _, up := range []bool{true, false} {
				const size = 200
				at, returns := size/2, 0
				var known, length uint16
				for range 2000 {
					was := uint16(low + at)
					move := uint16(step)
					if at += step; !up {
						move, at = -move, at-2*step
					}
					now := uint16(low + (at+size)%size)
					at = (at + size) % size
					if Wrap(was+move, known, length) != now {
						returns++
						known, length = WrapAt(was, move, now)
					}
				}
				require.Equal(t, 1, returns, "from %d on, step %d, up: %t", low, step, up)
				require.Equal(t, uint16(low), known)
			}
		}
	}

	// What stands still does not wrap around.
	low, size := WrapAt(7, 0, 9)
	require.Zero(t, low)
	require.Zero(t, size)
}

// Quads move on in blocks and one by one, and those with a difference are told.
func TestMove(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		n := r.IntN(Most + 10)
		e := randomExpected(r, n)
		words := make([]uint64, 4*n+1)[1:] // no alignment is asked for
		for i := range n {
			next, mask := e.foretell(i), e.mask(i)
			for k := range 4 {
				words[4*i+k] = next >> (16 * k) & 0xffff
				if mask>>(16*k)&1 == 0 {
					words[4*i+k] = r.Uint64() // of no field: any bits
				}
			}
			if r.IntN(4) == 0 {
				words[4*i] ^= 1 << r.IntN(16)
			}
		}

		// The quads before and behind those that move stay as they are.
		from := r.IntN(n + 1)
		end := from + r.IntN(min(n-from, Most)+1)
		want, before := e.clone(), e.clone()
		var unlike uint64
		for i := from; i < end; i++ {
			if want.MoveOne(i, Pack((*[4]uint64)(words[4*i:]))&e.mask(i)) {
				unlike |= 1 << (i - from)
			}
		}
		got := e.Move(from, end, unsafe.Add(unsafe.Pointer(unsafe.SliceData(words)), 32*from))
		require.Equal(t, unlike, got)
		require.Equal(t, want, e)

		// All in whole blocks: the words behind the list are of no account.
		if n == 0 || n > Most || !Wide() {
			continue
		}
		all := before.clone()
		behind := make([]uint64, Words(n))
		for i := range behind {
			if behind[i] = r.Uint64(); i < 4*n {
				behind[i] = words[i]
			}
		}
		for range 2 {
			unlike = 0
			for i := range n {
				if before.MoveOne(i, Pack((*[4]uint64)(behind[4*i:]))&before.mask(i)) {
					unlike |= 1 << i
				}
			}
			require.Equal(t, unlike, all.MoveAll(unsafe.Pointer(&behind[0])))
			require.Equal(t, before, all)
		}
	}
}

// randomExpected is n quads of any values and steps, of which half wrap around somewhere.
func randomExpected(r *rand.Rand, n int) Expected {
	masks := make([]uint64, n)
	for i := range masks {
		masks[i] = []uint64{1<<64 - 1, 1<<16 - 1, 1<<32 - 1, 1<<48 - 1}[r.IntN(4)&r.IntN(4)]
	}
	e := NewExpected(masks)
	for i, mask := range masks {
		b, k := e.at(i)
		e.SetNow(i, r.Uint64()&mask)
		e.SetStep(i, r.Uint64(), mask)
		if r.IntN(2) == 0 {
			b.around[k], b.low[k] = r.Uint64()&mask, r.Uint64()&mask
		}
	}
	return e
}

// foretell is the values that the next Move expects of a quad.
func (e *Expected) foretell(i int) uint64 {
	c := e.clone()
	c.MoveOne(i, 0)
	return c.Foretold(i)
}

// mask is all bits of the fields of a quad.
func (e *Expected) mask(i int) uint64 {
	b, k := e.at(i)
	return b.mask[k]
}

// clone is a copy.
func (e *Expected) clone() Expected { return Expected{slices.Clone(e.blocks)} }
