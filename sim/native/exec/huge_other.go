//go:build (darwin || windows) && (amd64 || arm64)

package exec

// preferHuge does nothing: this system has no advice for huge pages.
func preferHuge([]byte) {}
