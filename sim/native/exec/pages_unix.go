//go:build (linux || darwin) && (amd64 || arm64)

package exec

import "syscall"

// mapPages asks the system for size bytes of zeros, a multiple of its pages, writable.
func mapPages(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

func makeExecutable(pages []byte) error {
	return syscall.Mprotect(pages, syscall.PROT_READ|syscall.PROT_EXEC)
}

func makeWritable(pages []byte) error {
	return syscall.Mprotect(pages, syscall.PROT_READ|syscall.PROT_WRITE)
}

func freePages(pages []byte) error { return syscall.Munmap(pages) }
