//go:build !amd64 && !arm64

package caller

import "runtime"

// Frames fills pcs with the return addresses of the calls under way, innermost
// first and 0 past the last.
func Frames(pcs *Stack) {
	n := runtime.Callers(2, pcs[:])
	clear(pcs[n:])
}
