package exec_test

import (
	"runtime"
	"testing"

	"etch/sim/native/exec"

	"github.com/stretchr/testify/require"
)

// hooligan changes what the contract lets it change: every register but SP, R18,
// R28 and the way back in R30, its spill space and 128 bytes below SP. It returns
// the sum of its arguments.
func hooligan() []byte {
	words := []uint32{0x8b020020} // add x0, x1, x2
	for r := uint32(1); r < 30; r++ {
		if r != 18 && r != 28 {
			words = append(words, 0xd2800000|0x1234<<5|r) // mov xr, #0x1234
		}
	}
	for off := uint32(0); off < exec.SpillBytes; off += 8 {
		words = append(words, 0xf9000000|(exec.SpillOffset+off)/8<<10|31<<5|29) // str x29, [sp, #off]
	}
	for off := int32(-128); off < 0; off += 8 {
		words = append(words, 0xf8000000|uint32(off)&0x1ff<<12|31<<5|29) // stur x29, [sp, #off]
	}
	return byArch(nil, append(words, 0xd65f03c0)...)
}

func TestClobbers(t *testing.T) {
	m := sealed(t, hooligan())
	for i := range uint64(2000) {
		require.Equal(t, i+3, call(m, nil, i, 3))
		if i%100 == 0 {
			runtime.GC()
			require.NotEmpty(t, deep(50))
			var pcs [32]uintptr
			require.Greater(t, runtime.Callers(0, pcs[:]), 2, "the stack can be walked")
		}
	}
}
