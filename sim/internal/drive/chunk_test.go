package drive

import (
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"etch/sim/internal/program"
)

// counter is code that counts its calls.
type counter struct {
	cycle float64 // effort of a cycle
	most  uint64
	calls int
}

func (c *counter) Run(_ unsafe.Pointer, n uint64) uint64 {
	c.most, c.calls = max(c.most, n), c.calls+1
	return 0
}
func (c *counter) CycleEffort() float64 { return c.cycle }
func (*counter) Scratch() int           { return 0 }
func (*counter) Size() int              { return 0 }
func (*counter) Close() error           { return nil }

// TestChunks: however many cycles are asked for, a call of machine code is kept short, the first
// one too, because the scheduler and the collector wait for its end.
func TestChunks(t *testing.T) {
	for _, cycle := range []float64{1, 100, 15_000, 400_000, 1e9} {
		s := &Stepper{P: &program.Program{}, engine: engine{block: make([]uint64, 1), shared: newShared()}}
		code := &counter{cycle: cycle}
		require.Equal(t, 20_000, s.call(&compiled{run: code}, 20_000, times{}))
		most := max(1, standard.Calls.Effort()/cycle)
		require.LessOrEqual(t, float64(code.most), most)
		require.GreaterOrEqual(t, float64(code.most), min(most/2, 4000), "short calls are not to be the rule")
	}
}

// TestLongCalls: where the estimate is far too low, calls become shorter, but not because one of
// them was interrupted.
func TestLongCalls(t *testing.T) {
	var p pace
	calls := &standard.Calls
	for p.next(100, calls) < 6000 {
	}
	for range 1000 {
		for range calls.Row - 1 {
			p.took(time.Second, calls)
		}
		p.took(calls.Chunk, calls)
	}
	require.Equal(t, 6000, p.next(100, calls))
	for range calls.Row {
		p.took(time.Second, calls)
	}
	require.Equal(t, 1500, p.next(100, calls))
	for range 100 * calls.Row {
		p.took(time.Second, calls)
	}
	require.Equal(t, 1, p.next(100, calls))
}
