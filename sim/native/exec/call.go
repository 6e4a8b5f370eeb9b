//go:build (linux || darwin || windows) && (amd64 || arm64)

package exec

import "unsafe"

// Call runs the code at address code (Memory.Addr and an offset) under the contract in the
// package's comment and returns its result. ctx points to Go's heap or outside all of Go's
// memory. The caller keeps alive the Memory (runtime.KeepAlive) and all memory that the code
// reads through other addresses.
//
// There is no go:noescape: an object on a stack would move.
func Call(code uintptr, ctx unsafe.Pointer, a, b uint64) uint64
