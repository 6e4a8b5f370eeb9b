//go:build (linux && (amd64 || arm64)) || (darwin && amd64)

package exec

import "unsafe"

// Call runs the code at address code (Memory.Addr and an offset) under the
// contract of the package's comment and returns its result. ctx is to memory of
// Go's heap or none of Go's. The caller keeps alive what the code reads through
// other addresses, and the Memory itself (runtime.KeepAlive).
//
// There is no go:noescape: an object on a stack would move.
func Call(code uintptr, ctx unsafe.Pointer, a, b uint64) uint64
