package cli

import (
	"os"
	"syscall"
	"unsafe"
)

// isTerminal asks the system for the settings of a terminal, which nothing else has. The descriptor
// stays as it is: [os.File.Fd] would make it blocking.
func isTerminal(f *os.File) bool {
	c, err := f.SyscallConn()
	if err != nil {
		return false
	}
	var failed syscall.Errno
	var settings syscall.Termios
	err = c.Control(func(fd uintptr) {
		_, _, failed = syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TCGETS, uintptr(unsafe.Pointer(&settings)))
	})
	return err == nil && failed == 0
}
