//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package tools

import (
	"errors"
	"io/fs"
	"os"
)

// TryLock takes the lock file at path if it is free. The file's existence is the lock on this
// system, so a lock that a killed process left has to be removed by hand.
func TryLock(path string) (unlock func(), ok bool, err error) {
	path += ".held"
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)

	// Another process holds it.
	if errors.Is(err, fs.ErrExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	f.Close()
	return func() { os.Remove(path) }, true, nil
}
