//go:build amd64 || arm64

package exec

import (
	"syscall"
	"unsafe"
)

// The calls of memoryapi.h and processthreadsapi.h that the package needs.
var (
	kernel                = syscall.NewLazyDLL("kernel32.dll")
	virtualAlloc          = kernel.NewProc("VirtualAlloc")
	virtualProtect        = kernel.NewProc("VirtualProtect")
	virtualFree           = kernel.NewProc("VirtualFree")
	flushInstructionCache = kernel.NewProc("FlushInstructionCache")
)

// Their constants, from winnt.h.
const (
	memCommit  = 0x1000
	memReserve = 0x2000
	memRelease = 0x8000

	pageReadWrite   = 0x04
	pageExecuteRead = 0x20
)

// mapPages asks the system for size bytes of zeros, a multiple of its pages, writable.
func mapPages(size int) ([]byte, error) {
	at, _, err := virtualAlloc.Call(0, uintptr(size), memCommit|memReserve, pageReadWrite)
	if at == 0 {
		return nil, err
	}

	// The address is no pointer into Go's heap. The collector never moves or frees it, which
	// vet's rule about conversions from uintptr is for; so it is read as a pointer in place.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), size), nil
}

func makeExecutable(pages []byte) error { return protect(pages, pageExecuteRead) }

func makeWritable(pages []byte) error { return protect(pages, pageReadWrite) }

// protect changes the access rights of the pages. The system insists on telling the old ones.
func protect(pages []byte, rights uintptr) error {
	var old uint32
	ok, _, err := virtualProtect.Call(address(pages), uintptr(len(pages)), rights, uintptr(unsafe.Pointer(&old)))
	if ok == 0 {
		return err
	}
	return nil
}

// freePages returns the pages. With MEM_RELEASE the size must be 0: the system knows it.
func freePages(pages []byte) error {
	if ok, _, err := virtualFree.Call(address(pages), 0, memRelease); ok == 0 {
		return err
	}
	return nil
}

func address(pages []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(pages))) }
