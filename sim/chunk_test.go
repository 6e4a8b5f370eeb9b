package sim

import (
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// slow is code that takes its time.
type slow struct{ most uint64 }

const slowCycle = 5 * time.Microsecond

func (s *slow) Run(_ unsafe.Pointer, n uint64) uint64 {
	s.most = max(s.most, n)
	for start := time.Now(); time.Since(start) < time.Duration(n)*slowCycle; {
	}
	return 0
}
func (*slow) Scratch() int { return 0 }
func (*slow) Size() int    { return 0 }
func (*slow) Close() error { return nil }

// TestChunks: however many cycles are asked for, a call of machine code is kept
// short, because the scheduler and the collector wait for its end.
func TestChunks(t *testing.T) {
	s := &Sim{p: &program{}, engine: engine{block: make([]uint64, 1)}}
	code := &slow{}
	require.Equal(t, 20_000, s.call(&body{run: code}, 20_000, times{}))
	require.LessOrEqual(t, time.Duration(code.most)*slowCycle, time.Millisecond)
	require.Greater(t, code.most, uint64(1), "short calls are not to be the rule")
}
