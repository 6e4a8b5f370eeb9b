package exec_test

import (
	"errors"
	"os"
	"runtime"
	"sync"
	"testing"

	"etch/sim/native/exec"

	"github.com/stretchr/testify/require"
)

func TestCall(t *testing.T) {
	const a, b = 0x123456789abcdef0, 0xfedcba9876543210
	diff0 := uint64(a)
	diff0 -= b
	ctx := uint64(0x55aa55aa55aa55aa)
	for _, c := range []struct {
		name string
		code []byte
		want uint64
	}{{"a", retA, a}, {"b", retB, b}, {"a-b", diff, diff0}, {"*ctx", load, ctx}} {
		require.Equal(t, c.want, call(sealed(t, c.code), &ctx, a, b), c.name)
	}
	x := uint64(100)
	require.EqualValues(t, 142, call(sealed(t, count), &x, 7, 6))
	require.EqualValues(t, 142, x, "the code writes Go's memory")
}

// TestCallAt calls code in the middle of a Memory.
func TestCallAt(t *testing.T) {
	code := make([]byte, 5000)
	copy(code[4992:], diff)
	m := sealed(t, code)
	require.EqualValues(t, 35, exec.Call(m.Addr()+4992, nil, 42, 7))
}

func TestSealing(t *testing.T) {
	need(t)
	m, err := exec.New(1)
	require.NoError(t, err)
	defer m.Close()
	require.Len(t, m.Bytes(), os.Getpagesize(), "whole pages")
	require.NotZero(t, m.Addr())
	require.Equal(t, make([]byte, os.Getpagesize()), m.Bytes())
	for i := range uint64(50) { // new code at an address that has run before
		code, want := retA, i
		if i%2 != 0 {
			code, want = retB, i+1
		}
		copy(m.Bytes(), code)
		require.NoError(t, m.Seal())
		require.Nil(t, m.Bytes())
		require.Equal(t, want, call(m, nil, i, i+1))
		require.NoError(t, m.Unseal())
	}
}

func TestErrors(t *testing.T) {
	need(t)
	for _, size := range []int{0, -1, exec.MaxSize + 1} {
		_, err := exec.New(size)
		require.ErrorContains(t, err, "is not in 1 … 1073741824", "size %d", size)
	}
	m, err := exec.New(100)
	require.NoError(t, err)
	require.NoError(t, m.Seal())
	require.NoError(t, m.Seal(), "twice is once")
	require.NoError(t, m.Close())
	require.NoError(t, m.Close(), "twice is once")
	require.Nil(t, m.Bytes())
	require.Zero(t, m.Addr())
	for _, err := range []error{m.Seal(), m.Unseal()} {
		require.ErrorIs(t, err, os.ErrClosed)
	}
	require.Nil(t, m.Bytes())
}

func TestUnsupported(t *testing.T) {
	if exec.Supported() {
		require.Contains(t, []string{"amd64", "arm64"}, runtime.GOARCH)
		return
	}
	_, err := exec.New(1)
	require.EqualError(t, err, "exec: no machine code on this platform")
	var m exec.Memory
	require.True(t, errors.Is(m.Seal(), err) && errors.Is(m.Unseal(), err))
	require.NoError(t, m.Close())
}

// TestCallsUnderGC has goroutines of growing stacks in the code while the
// collector runs and others are preempted.
func TestCallsUnderGC(t *testing.T) {
	m := sealed(t, count)
	stop := make(chan struct{})
	var gc, wg sync.WaitGroup
	gc.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	rounds := 300
	if testing.Short() {
		rounds = 30
	}
	for g := range uint64(8) {
		wg.Go(func() {
			for i := range rounds {
				x := new(uint64)
				garbage := deep(i % 100)
				n := uint64(1 + i*40%20000)
				if got := call(m, x, g+1, n); got != (g+1)*n || *x != got {
					t.Errorf("goroutine %d: %d, want %d", g, got, (g+1)*n)
				}
				runtime.KeepAlive(garbage)
			}
		})
	}
	wg.Wait()
	close(stop)
	gc.Wait()
}

// deep makes garbage at every depth of a growing stack.
func deep(n int) [][]byte {
	var pad [64]uint64
	pad[n%64] = uint64(n)
	if n == 0 {
		return nil
	}
	return append(deep(n-1), make([]byte, 100+pad[n%64]))
}

func BenchmarkCall(b *testing.B) {
	m := sealed(b, retA)
	for b.Loop() {
		call(m, nil, 1, 2)
	}
}
