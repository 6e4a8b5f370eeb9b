package arm64

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// decoded is the value of a logic operation's immediate, as Arm's manual defines
// it (DecodeBitMasks), false for fields that are reserved.
func decoded(n, immr, imms int) (uint64, bool) {
	log := bits.Len(uint(n<<6|^imms&0x3f)) - 1
	if log < 1 {
		return 0, false
	}
	e := 1 << log
	s, r := imms&(e-1), immr&(e-1)
	if s == e-1 {
		return 0, false
	}
	v := uint64(0)
	for i := range e {
		if (i+r)%e <= s { // bit i of the run rotated right
			for at := i; at < 64; at += e {
				v |= 1 << at
			}
		}
	}
	return v, true
}

// TestBitmasks: every value that the fields can mean is found, and decodes to
// itself; no other is.
func TestBitmasks(t *testing.T) {
	all := map[uint64]bool{}
	for f := range 1 << 13 {
		if v, ok := decoded(f>>12, f>>6&0x3f, f&0x3f); ok {
			all[v] = true
		}
	}
	require.Len(t, all, 5334, "as the manual has it")
	value := func(field uint32) uint64 {
		v, ok := decoded(int(field>>22), int(field>>16&0x3f), int(field>>10&0x3f))
		require.True(t, ok)
		return v
	}
	r := rand.New(rand.NewPCG(1, 2))
	for v := range all {
		field, ok := bitmask(X, v)
		require.True(t, ok, "%#x", v)
		require.Equal(t, v, value(field))
		if uint32(v) == uint32(v>>32) {
			field, ok = bitmask(W, v&0xffffffff)
			require.True(t, ok && field>>22 == 0, "%#x", v)
			require.Equal(t, v, value(field))
		}
		for range 10 {
			near := v ^ 1<<r.IntN(64)
			require.Equal(t, all[near], FitsLogic(X, near), "%#x", near)
		}
	}
	require.False(t, FitsLogic(X, 0) || FitsLogic(X, ^uint64(0)) || FitsLogic(W, 0xffffffff))
}

// moved is what MovRI's instructions leave in R5.
func moved(t *testing.T, code []uint32) uint64 {
	v := uint64(0x123456789abcdef0)
	for _, w := range code {
		require.EqualValues(t, 5, w&31)
		imm, at := uint64(w>>5&0xffff), 16*(w>>21&3)
		switch w >> 23 & 0xff {
		case 0xa5, 0xe5: // movz, movk
			v = map[bool]uint64{false: 0, true: v &^ (0xffff << at)}[w>>29&1 != 0] | imm<<at
		case 0x25: // movn
			v = ^(imm << at)
		case 0x64: // orr
			var ok bool
			v, ok = decoded(int(w>>22&1), int(w>>16&0x3f), int(w>>10&0x3f))
			require.True(t, ok && w>>5&31 == 31 && w>>29&3 == 1)
		default:
			t.Fatalf("%08x is no move", w)
		}
		if w>>31 == 0 {
			v = uint64(uint32(v))
		}
	}
	return v
}

func TestMovRI(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	lengths := map[int]int{}
	for i := range 200000 {
		v := r.Uint64() >> r.IntN(64)
		for k := range 4 { // chunks of zeros, of ones, of the next one's value
			switch r.IntN(5) {
			case 0:
				v &^= 0xffff << (16 * k)
			case 1:
				v |= 0xffff << (16 * k)
			}
		}
		switch i % 4 {
		case 0:
			v &= 0xffffffff
		case 1:
			v = bits.RotateLeft64(^uint64(0)>>r.IntN(64), r.IntN(64))
		}
		var a Asm
		a.MovRI(R5, v)
		require.Equal(t, v, moved(t, a.Code), "%#x: %08x", v, a.Code)
		lengths[len(a.Code)]++
		want := 4
		if v>>32 == 0 || ^v>>32 == 0 {
			want = 2
		}
		if FitsArith(v) && v < 1<<12 || FitsLogic(X, v) {
			want = 1
		}
		require.LessOrEqual(t, len(a.Code), want, "%#x", v)
	}
	require.Len(t, lengths, 4)
}
