//go:build unix

package benchtool

import (
	"syscall"
	"time"
)

// processor is the time that this process has spent on processors, in the
// system's name and its own.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return time.Since(began)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var began = time.Now()
