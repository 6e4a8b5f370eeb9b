package model

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ReplaceFile gives path the contents that write produces, by way of a temporary file in the
// same directory: a failure leaves the old file. Its error names path.
func ReplaceFile(path string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	// The same directory, since a rename does not cross file systems. An error names path: the
	// caller never hears of the temporary name.
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) {
			at.Path = path
		}
		return err
	}

	// A failure of any later step removes the temporary file.
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()

	// All steps run, and the first error counts; the name changes hands last.
	w := bufio.NewWriterSize(f, 1<<16)
	err = write(w)
	for _, step := range []func() error{w.Flush, func() error { return f.Chmod(mode) }, f.Close} {
		if e := step(); err == nil {
			err = e
		}
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
