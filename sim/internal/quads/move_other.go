//go:build !amd64

package quads

import "unsafe"

const wide = false

func move(words unsafe.Pointer, next, step, mask, was *uint64, blocks int) (unlike uint64) {
	panic("no vectors")
}

func moveAll(words unsafe.Pointer, e *Expected) (unlike uint64) { panic("no vectors") }
