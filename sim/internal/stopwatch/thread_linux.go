package stopwatch

import (
	"syscall"
	"time"
	"unsafe"
)

// threadClock is CLOCK_THREAD_CPUTIME_ID of clock_gettime(2).
const threadClock = 3

// Processor is the processor time of the calling thread: time in which the system runs other
// threads does not count. A caller that compares two readings must stay on its thread
// (runtime.LockOSThread). Where the system has no such clock it is the time since the program
// began.
func Processor() time.Duration {
	// A raw call, because the scheduler would take the time of a call that may block.
	var at syscall.Timespec
	if _, _, no := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&at)), 0); no != 0 {
		return began.Elapsed()
	}
	return time.Duration(at.Nano())
}

var began = Start()
