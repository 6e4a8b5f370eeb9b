package quads

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Lanes add and subtract apart.
func TestLanes(t *testing.T) {
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

// Quads move on in blocks and one by one, and those with a difference are told.
func TestMove(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		n := r.IntN(Most + 10)
		e := NewExpected(n)
		words := make([]uint64, 4*n+1)[1:] // no alignment is asked for
		for i := range n {
			e.Mask[i] = []uint64{1<<64 - 1, 1<<16 - 1, 1<<32 - 1, 1<<48 - 1}[r.IntN(4)&r.IntN(4)]
			e.Step[i] = r.Uint64() & e.Mask[i]
			e.Next[i] = r.Uint64() & e.Mask[i]
			for k := range 4 {
				words[4*i+k] = e.Next[i] >> (16 * k) & 0xffff
				if e.Mask[i]>>(16*k)&1 == 0 {
					words[4*i+k] = r.Uint64() // of no lane: any bits
				}
			}
			if r.IntN(4) == 0 {
				words[4*i] ^= 1 << r.IntN(16)
			}
		}

		// The quads before and behind those that move stay as they are.
		from := r.IntN(n + 1)
		end := from + r.IntN(min(n-from, Most)+1)
		want := Expected{slices.Clone(e.Next), e.Step, e.Mask, slices.Clone(e.Was), e.blocks}
		var unlike uint64
		for i := from; i < end; i++ {
			if want.MoveOne(i, Pack((*[4]uint64)(words[4*i:]))&e.Mask[i]) {
				unlike |= 1 << (i - from)
			}
		}
		before := Expected{slices.Clone(e.Next), e.Step, e.Mask, slices.Clone(e.Was), e.blocks}
		got := e.Move(from, end, unsafe.Add(unsafe.Pointer(unsafe.SliceData(words)), 32*from))
		require.Equal(t, unlike, got)
		require.Equal(t, want, e)

		// All in whole blocks: the words behind the list are of no account.
		if n == 0 || n > Most {
			continue
		}
		all := NewExpected(n)
		for i, list := range [][]uint64{all.Next, all.Step, all.Mask, all.Was} {
			copy(list, [][]uint64{before.Next, before.Step, before.Mask, before.Was}[i])
		}
		behind := make([]uint64, Words(n))
		for i := range behind {
			if behind[i] = r.Uint64(); i < 4*n {
				behind[i] = words[i]
			}
		}
		for range 2 {
			unlike = 0
			for i := range n {
				if before.MoveOne(i, Pack((*[4]uint64)(behind[4*i:]))&before.Mask[i]) {
					unlike |= 1 << i
				}
			}
			if Wide() && n > 0 {
				require.Equal(t, unlike, all.MoveAll(unsafe.Pointer(&behind[0])))
				require.Equal(t, before, all)
			}
		}
	}
}
