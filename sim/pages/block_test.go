package pages

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBlock(t *testing.T) {
	const size = 8 << 20
	b, err := New(size - 5)
	require.NoError(t, err)
	require.Len(t, b.Bytes(), size)
	require.Zero(t, b.Held())
	empty := b.Copy()

	r := rand.New(rand.NewPCG(1, 2))
	want := map[int]byte{}
	for range 20 {
		at := r.IntN(size)
		want[at] = byte(1 + r.IntN(255))
		b.Bytes()[at] = want[at]
	}
	sum := 0
	for _, x := range b.Bytes() { // reads do not count
		sum += int(x)
	}
	require.NotZero(t, sum)
	held := map[int]bool{}
	for at := range want {
		held[at/PageSize] = true
	}
	require.Equal(t, PageSize*len(held), b.Held())

	full := b.Copy()
	require.Len(t, full.at, len(held))
	at, differs := full.Differs(empty)
	require.True(t, differs)
	require.Contains(t, want, at)
	for x := range want {
		require.LessOrEqual(t, at, x)
	}
	other, err := New(size)
	require.NoError(t, err)
	other.Bytes()[17] = 3
	other.Load(full)
	require.Equal(t, b.Bytes(), other.Bytes())
	_, differs = other.Copy().Differs(full)
	require.False(t, differs)
	got := make([]byte, 2*PageSize)
	full.Bytes(got, at-100)
	require.Equal(t, b.Bytes()[at-100:][:len(got)], got)

	b.Clear()
	require.Zero(t, b.Held())
	_, differs = b.Copy().Differs(empty)
	require.False(t, differs)
	runtime.KeepAlive(b)
}

// TestLargeBlock touches three bytes of 16 GiB.
func TestLargeBlock(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("blocks are not mapped here")
	}
	const size = 16 << 30
	b, err := New(size)
	require.NoError(t, err)
	for _, at := range []int{0, size / 3, size - 1} {
		b.Bytes()[at] = 1
	}
	require.LessOrEqual(t, b.Resident(), 1<<20)
	require.Equal(t, 3*PageSize, b.Held())
	require.Len(t, b.Copy().at, 3)
}

func TestSizes(t *testing.T) {
	for _, size := range []int{-1, 0, MaxSize + 1} {
		_, err := New(size)
		require.ErrorContains(t, err, "pages: a size of")
	}
}
