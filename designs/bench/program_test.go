package bench

import (
	"encoding/binary"
	"hash/crc32"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/examples/rv32i"
	"etch/testbench"
)

// round is what the program puts out in a round that starts with x, and what x
// is behind it.
func round(x uint32) (out []uint32, next uint32) {
	words := make([]uint32, 64)
	for i := range words {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		words[i] = x
	}
	slices.SortFunc(words, func(a, b uint32) int { return int(int32(a)) - int(int32(b)) })
	var bytes []byte
	var dot uint32
	for i, w := range words {
		bytes = binary.LittleEndian.AppendUint32(bytes, w)
		if i < 32 {
			dot += w * words[63-i]
		}
	}
	primes := uint32(0)
	for n := range int64(1024) {
		if big.NewInt(n).ProbablyPrime(0) {
			primes++
		}
	}
	return []uint32{words[0], crc32.ChecksumIEEE(bytes), primes, dot}, x
}

// The processor computes what Go's library does, round after round.
func TestProgram(t *testing.T) {
	words, err := program()
	require.NoError(t, err)
	s, p := testbench.New(t, rv32i.Core{Words: memoryWords, Program: words})
	sink := testbench.NewSink(s, p.Out)
	const rounds = 3
	cycles := s.StepUntil(func() bool { return len(sink.Got()) == 4*rounds }, 300_000)
	t.Logf("%d cycles a round, %d words", cycles/rounds, len(words))
	var want, got []uint32
	for x, i := uint32(2463534242), 0; i < rounds; i++ {
		var out []uint32
		out, x = round(x)
		want = append(want, out...)
	}
	for _, v := range sink.Got() {
		got = append(got, uint32(v[0].Uint64()))
	}
	require.Equal(t, want, got)
	require.Zero(t, s.Get(p.Halted))
}
