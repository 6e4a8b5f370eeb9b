//go:build linux && (amd64 || arm64)

package exec

import "syscall"

// preferHuge asks the system for huge pages. Without them the pages are as good, and slower, so a
// refusal is no error.
func preferHuge(pages []byte) { _ = syscall.Madvise(pages, syscall.MADV_HUGEPAGE) }
