//go:build !amd64

package sac

import (
	"math"
	"unsafe"
)

// roundBlocks rounds blocks of four numbers in place. The format has 5 exponent bits at most,
// so that 2^shift times a number of float32's range overflows only where the format does.
func roundBlocks(y *float32, blocks int, c *blockConstants) {
	infinity := math.Inf(1)
	for i, x := range unsafe.Slice(y, 4*blocks) {
		a := float32(math.Abs(float64(x)))
		p := math.Float32frombits(math.Float32bits(a) & 0x7f800000)
		p = float32(max(p, c.least[0]) * c.shift[0])
		r := float32(float32(a+p) - p)
		if !(r < c.past[0]) {
			if r = a; a == a {
				r = float32(infinity)
			}
		}
		unsafe.Slice(y, 4*blocks)[i] = float32(math.Copysign(float64(r), float64(x)))
	}
}
