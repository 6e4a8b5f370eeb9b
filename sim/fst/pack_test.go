package fst_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"etch/sim/fst"

	"github.com/stretchr/testify/require"
)

// unpack is LZ4's block format as its specification describes it.
func unpack(t *testing.T, packed []byte) (data []byte) {
	t.Helper()
	length := func(n int) int {
		if n == 15 {
			for more := byte(255); more == 255; packed = packed[1:] {
				more = packed[0]
				n += int(more)
			}
		}
		return n
	}
	for {
		token := packed[0]
		packed = packed[1:]
		n := length(int(token >> 4))
		data, packed = append(data, packed[:n]...), packed[n:]
		if len(packed) == 0 {
			require.Zero(t, token&15, "the last piece has no copy")
			return data
		}
		back := int(packed[0]) | int(packed[1])<<8
		packed = packed[2:]
		require.True(t, back > 0 && back <= len(data), "distance %d of %d", back, len(data))
		for range length(int(token&15)) + 4 {
			data = append(data, data[len(data)-back])
		}
	}
}

func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	noise := func(n, letters int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.IntN(letters))
		}
		return b
	}
	var all [][]byte
	for n := range 40 {
		all = append(all, noise(n, 2), make([]byte, n))
	}
	all = append(all, noise(1<<17, 256), noise(1<<17, 3), make([]byte, 1<<20),
		bytes.Repeat(noise(70000, 256), 3), // from further back than a copy reaches
		bytes.Repeat(noise(65535, 256), 3), // just within reach
		bytes.Repeat([]byte("0123456789abcdef"), 20), noise(300, 256), noise(15+255, 256))
	for _, step := range []int{1, 2, 5, 9, 129} {
		for _, short := range []int{0, 7, 1000, 1 << 20} {
			for i, packed := range fst.Pack(step, short, all...) {
				require.True(t, bytes.Equal(all[i], unpack(t, packed)), "data %d of %d bytes", i, len(all[i]))
			}
		}
	}
	packed := fst.Pack(1, 0, make([]byte, 1<<20), bytes.Repeat([]byte("0123456789abcdef"), 64), noise(1<<16, 256))
	require.Less(t, len(packed[0]), 1<<20/200)
	require.Less(t, len(packed[1]), 40)
	require.Less(t, len(packed[2]), 1<<16+1<<9)
}

func TestAppendSigned(t *testing.T) {
	for v, want := range map[int64]string{ // from the DWARF standard, which has the same numbers
		2: "02", -2: "7e", 127: "ff00", -127: "817f", 128: "8001", -128: "807f", 129: "8101", -129: "ff7e", 0: "00", 63: "3f", -64: "40",
	} {
		require.Equal(t, want, fmt.Sprintf("%x", fst.AppendSigned(nil, v)), "%d", v)
	}
}
