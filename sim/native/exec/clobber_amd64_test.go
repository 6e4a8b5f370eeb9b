package exec_test

import (
	"runtime"
	"testing"
	"unsafe"

	"etch/sim/native/amd64"
	"etch/sim/native/exec"

	"github.com/stretchr/testify/require"
)

// hooligan changes everything that the contract lets it change: every register
// but RSP, flags, vectors, its spill space, 128 bytes below the stack pointer. It
// returns the sum of its arguments.
func hooligan() []byte {
	var a amd64.Asm
	a.RR(amd64.ADD, amd64.S64, amd64.RSI, amd64.RDX)
	for r := amd64.RAX; r <= amd64.R15; r++ {
		if r != amd64.RSP && r != amd64.RSI {
			a.MovRI(r, 0x1122334455667700|uint64(r))
		}
	}
	for range 128 / 8 {
		a.Push(amd64.R9)
	}
	for range 128 / 8 {
		a.Pop(amd64.R9)
	}
	for off := int32(0); off < exec.SpillBytes; off += 8 {
		a.MovMR(amd64.S64, amd64.At(amd64.RSP, exec.SpillOffset+off), amd64.RBP)
	}
	for _, x := range []byte{0, 15} { // pcmpeqb xmm0, xmm0; and xmm15, Go's zero
		a.Code = append(a.Code, 0x66, 0x40|x>>3*5, 0x0f, 0x74, 0xc0|x&7*9)
	}
	a.MovRR(amd64.S64, amd64.RAX, amd64.RSI)
	a.MovRI(amd64.RSI, 1)
	a.RI(amd64.CMP, amd64.S64, amd64.RSI, 2)
	a.Ret()
	return a.Code
}

func TestClobbers(t *testing.T) {
	m := sealed(t, hooligan())
	for i := range uint64(2000) {
		var zero [8]uint64 // by X15, Go's register of zeros
		local := zero
		x := new(uint64)
		got := exec.Call(m.Addr(), unsafe.Pointer(x), i, 3)
		var after [8]uint64
		require.Equal(t, i+3, got)
		require.Equal(t, local, after)
		if i%100 == 0 {
			runtime.GC()
			require.NotEmpty(t, deep(50))
			var pcs [32]uintptr
			require.Greater(t, runtime.Callers(0, pcs[:]), 2, "the stack can be walked")
		}
	}
	runtime.KeepAlive(m)
}
