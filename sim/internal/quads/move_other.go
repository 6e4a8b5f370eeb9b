//go:build !amd64

package quads

import "unsafe"

const wide = false

func move(words unsafe.Pointer, b *block, blocks int) (unlike uint64) { panic("no vectors") }
