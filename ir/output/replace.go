package output

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace gives path the contents that write produces, by way of a temporary file in the same
// directory: a reader finds the old or the new contents, and a failure leaves the old ones. Its error
// names path. A symbolic link stays; a device or a FIFO is written itself.
func Replace(path string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	path, direct, err := Target(path)
	if err != nil {
		return err
	}
	if direct {
		return writeDirect(path, write)
	}

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

// writeDirect writes a file that is not regular.
func writeDirect(path string, write func(io.Writer) error) error {
	f, err := Open(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = write(w)
	return errors.Join(err, w.Flush(), f.Close())
}
