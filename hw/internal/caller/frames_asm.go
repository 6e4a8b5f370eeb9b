//go:build amd64 || arm64

package caller

// Frames fills pcs with the return addresses of the calls under way, innermost
// first and 0 past the last, by following the frame pointers that Go keeps on
// these machines. It costs a hundredth of runtime.Callers, which every operation
// of a design would otherwise pay for. Calls that were inlined do not show.
//
//go:noescape
func Frames(pcs *Stack)
