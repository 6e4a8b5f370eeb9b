package rows

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/native/cpu"
)

// TestEncodeVectors: columns that vectors make are those of Column.Add, for values
// of all widths that change in every row, now and then, or hardly ever, in batches
// of all lengths, and the same rows count as unchanged.
func TestEncodeVectors(t *testing.T) {
	if f := cpu.Host(); !f.AVX2 || !f.BMI {
		t.Skip("this processor has no vectors that lanes are encoded by")
	}
	r := rand.New(rand.NewPCG(1, 7))
	for shift := range uint8(2) {
		var widths []int
		for w := 1 + int(shift)*32; w <= 32+int(shift)*32; w++ {
			widths = append(widths, w, w, w)
		}
		encodesAlike(t, r, 2+shift, widths)
		encodesAlike(t, r, 2+shift, widths[:5])
	}
}

func encodesAlike(t *testing.T, r *rand.Rand, shift uint8, widths []int) {
	t.Helper()
	const tiles = 16
	words := make([]int32, len(widths))
	rw := NewRows(shift, words)
	rw.Reserve(tiles)
	want, got := make([]Column, len(widths)), make([]Column, len(widths))
	last, rate := make([]uint64, len(widths)), make([]int, len(widths))
	var codes []FieldCode
	for i, w := range widths {
		codes = append(codes, rw.Code(i, w, i))
		rate[i] = []int{1, 3, 40}[i%3]
	}
	first := uint32(1)
	for range 60 {
		n := 1 + r.IntN(tiles*TileRows)
		for i, w := range widths {
			rw.Row(-1).Set(i, last[i])
			for k := range tiles * TileRows { // behind the n rows is something else
				if k > 0 && r.IntN(rate[i]) == 0 {
					last[i] = r.Uint64() >> (64 - w)
				}
				rw.Row(k).Set(i, last[i])
			}
			last[i] = rw.Row(n - 1).Value(i)
			want[i].Grow(n, i)
			got[i].Grow(n, i)
		}
		rw.Compare(n, false)
		same := append([]uint64(nil), rw.same...)
		used := (n + TileRows - 1) / TileRows * rw.Blocks / blockGroup
		rw.Compare(n, true)
		require.Equal(t, same[:used], rw.same[:used])
		for i, w := range widths {
			rw.Encode(&want[i], i, w, n, first)
		}
		rw.EncodeVectors(codes, got, n, first)
		for i := range want {
			require.Equal(t, want[i].Data, got[i].Data, "%d bits", widths[i])
			require.Equal(t, [2]int{int(want[i].Last), want[i].Short}, [2]int{int(got[i].Last), got[i].Short}, "%d bits", widths[i])
		}
		first += uint32(eventStep*(n-1)) + uint32(r.IntN(3))*uint32(r.IntN(200))
		rate[r.IntN(len(rate))] = 1 + r.IntN(50)
	}
}
