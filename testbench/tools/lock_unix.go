//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package tools

import (
	"errors"
	"os"
	"syscall"
)

// TryLock takes the lock file at path if it is free. The system drops the lock
// when its holder ends, however it ends.
func TryLock(path string) (unlock func(), ok bool, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, false, err
	}

	// Without waiting: a caller that wants to wait asks again.
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return func() { f.Close() }, true, nil
	}
	f.Close()

	// Held by another, or disturbed by a signal: both may succeed later.
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return nil, false, nil
	}
	return nil, false, &os.PathError{Op: "lock", Path: path, Err: err}
}
