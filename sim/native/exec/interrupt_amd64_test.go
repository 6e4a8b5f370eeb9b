package exec_test

import (
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"testing"
	"time"

	"etch/sim/native/amd64"
	"etch/sim/native/exec"

	"github.com/stretchr/testify/require"
)

// spinner puts nonsense into Go's own registers and stays so for a rounds of its
// loop; it returns a.
func spinner() []byte {
	var a amd64.Asm
	for r := amd64.RAX; r <= amd64.R15; r++ {
		if r != amd64.RSP && r != amd64.RSI {
			a.MovRI(r, 0xdeadbeef00000000|uint64(r))
		}
	}
	a.MovRR(amd64.S64, amd64.RAX, amd64.RSI)
	loop := a.NewLabel()
	a.Bind(loop)
	a.Push(amd64.RBP)
	a.Pop(amd64.RBP)
	a.RI(amd64.SUB, amd64.S64, amd64.RSI, 1)
	a.Jcc(amd64.NE, loop)
	a.Ret()
	return a.Code
}

// TestSignals: profiler, tracer, preemption and collector interrupt code that has
// changed the registers that they would look into.
func TestSignals(t *testing.T) {
	m := sealed(t, spinner())
	require.NoError(t, pprof.StartCPUProfile(io.Discard))
	defer pprof.StopCPUProfile()
	require.NoError(t, trace.Start(io.Discard))
	defer trace.Stop()
	end := time.Now().Add(time.Second)
	if testing.Short() {
		end = time.Now().Add(200 * time.Millisecond)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for time.Now().Before(end) {
				const n = 20_000_000 // some tens of milliseconds: longer than a time slice
				if got := exec.Call(m.Addr(), nil, n, 0); got != n {
					t.Errorf("%d, want %d", got, n)
				}
			}
		})
	}
	wg.Go(func() {
		for time.Now().Before(end) {
			runtime.GC()
		}
	})
	wg.Wait()
	runtime.KeepAlive(m)
}
