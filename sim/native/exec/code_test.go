package exec_test

import (
	"encoding/binary"
	"runtime"
	"testing"
	"unsafe"

	"etch/sim/native/exec"

	"github.com/stretchr/testify/require"
)

// The functions that the tests call, by hand for each processor.
var (
	retA  = byArch([]byte{0x48, 0x89, 0xf0, 0xc3}, 0xaa0103e0, 0xd65f03c0)                   // a
	retB  = byArch([]byte{0x48, 0x89, 0xd0, 0xc3}, 0xaa0203e0, 0xd65f03c0)                   // b
	diff  = byArch([]byte{0x48, 0x89, 0xf0, 0x48, 0x29, 0xd0, 0xc3}, 0xcb020020, 0xd65f03c0) // a - b
	load  = byArch([]byte{0x48, 0x8b, 0x07, 0xc3}, 0xf9400000, 0xd65f03c0)                   // *ctx
	count = byArch([]byte{                                                                   // *ctx += a, b times; *ctx
		0x48, 0x01, 0x37, // add [rdi], rsi
		0x48, 0xff, 0xca, // dec rdx
		0x75, 0xf8, // jnz
		0x48, 0x8b, 0x07, // mov rax, [rdi]
		0xc3,
	},
		0xf9400003, // ldr x3, [x0]
		0x8b010063, // add x3, x3, x1
		0xf9000003, // str x3, [x0]
		0xf1000442, // subs x2, x2, #1
		0x54ffff81, // b.ne
		0xaa0303e0, // mov x0, x3
		0xd65f03c0)
)

// byArch picks the code of this processor.
func byArch(amd64 []byte, arm64 ...uint32) []byte {
	if runtime.GOARCH == "amd64" {
		return amd64
	}
	var out []byte
	for _, w := range arm64 {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

// need skips where there is no machine code.
func need(t testing.TB) {
	if !exec.Supported() {
		t.Skip("no machine code on this platform")
	}
}

// sealed is a Memory with code, closed when the test ends.
func sealed(t testing.TB, code []byte) *exec.Memory {
	t.Helper()
	need(t)
	m, err := exec.New(len(code))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	copy(m.Bytes(), code)
	require.NoError(t, m.Seal())
	return m
}

func call(m *exec.Memory, ctx *uint64, a, b uint64) uint64 {
	r := exec.Call(m.Addr(), unsafe.Pointer(ctx), a, b)
	runtime.KeepAlive(m)
	return r
}

// Large code stands on huge pages where the system has them, so its begin is aligned to them.
func TestLargeMemoryIsAligned(t *testing.T) {
	for _, size := range []int{1 << 20, 3<<20 + 1} {
		m, err := exec.New(size)
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(m.Bytes()), size)
		require.Zero(t, m.Addr()%(2<<20))
		m.Bytes()[size-1] = 1
		require.NoError(t, m.Seal())
		require.NoError(t, m.Close())
	}
}
