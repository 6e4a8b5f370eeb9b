package caller_test

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw/internal/caller"
)

// stacks returns the return addresses as frame pointers and as Go's own walk give them.
//
//go:noinline
func stacks() (fast caller.Stack, slow []uintptr) {
	caller.Frames(&fast)
	slow = make([]uintptr, 64)
	return fast, slow[:runtime.Callers(1, slow)]
}

//go:noinline
func deep(n int) (caller.Stack, []uintptr) {
	if n > 0 {
		fast, slow := deep(n - 1)
		return fast, slow
	}
	return stacks()
}

// TestFrames: the return addresses are those of Go's own walk, from the caller of the function that
// calls Frames on. Functions that the compiler made stand in one list only.
func TestFrames(t *testing.T) {
	for _, n := range []int{0, 1, 5, 40} {
		fast, slow := deep(n)
		at := 0
		for i, pc := range slow[1:] {
			for at < len(fast) && fast[at] != pc {
				at++
			}
			if at == len(fast) {
				require.GreaterOrEqual(t, i, len(fast)-1, "depth %d: %x", n, fast)
				break
			}
		}
	}
}

// here is the stack of its caller.
//
//go:noinline
func here() (s caller.Stack) {
	caller.Frames(&s)
	return s
}

// TestHash: equal stacks have equal hashes, and those of two lines differ.
func TestHash(t *testing.T) {
	var all []caller.Stack
	for range 2 {
		all = append(all, here())
	}
	other := here()
	require.Equal(t, all[0].Hash(), all[1].Hash())
	require.NotEqual(t, all[0].Hash(), other.Hash())
}

// helper is a user's function around an operation.
//
//go:noinline
func helper() (uintptr, []caller.Call) { return caller.PC(), caller.Calls() }

// TestCalls: the user's line comes first, then those of the helpers around it. The walk ends at the test.
func TestCalls(t *testing.T) {
	_, _, line, _ := runtime.Caller(0)
	pc, calls := helper()
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	require.Equal(t, "helper", f.Function[strings.LastIndexByte(f.Function, '.')+1:])
	require.Len(t, calls, 2)
	require.Equal(t, f.Line, calls[0].At.Line)
	require.Equal(t, line+1, calls[1].At.Line)
	require.Equal(t, "caller_test.go", filepath.Base(calls[1].At.File))
}

// TestInside: files of the language are no user's; its tests, commands and other packages are.
func TestInside(t *testing.T) {
	_, here, _, _ := runtime.Caller(0)
	hw := filepath.Dir(filepath.Dir(filepath.Dir(here))) + "/"
	for file, inside := range map[string]bool{
		"when.go": true, "fixed/num.go": true, "internal/caller/pc.go": true, "when_test.go": false, "cmd/hwvet/main.go": false,
		"/tmp/blink.go": false,
	} {
		if file[0] != '/' {
			file = hw + file
		}
		require.Equal(t, inside, caller.Inside(file), file)
	}
	root := filepath.Dir(filepath.Clean(hw)) + "/"
	require.True(t, caller.Inside(root+"testbench/bench.go"))
	require.False(t, caller.Inside(root+"designs/examples/uart/uart.go"))
	require.Equal(t, "etch/hw", caller.Home)
}
