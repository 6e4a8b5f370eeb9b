package record

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"etch/ir/output"
)

// taken has the paths of files that Writers of this program have not completed yet.
var taken sync.Map

// File is a file that gets its name when it is complete; until then it has another name in the
// same folder. What is neither a regular file nor a folder, as a FIFO, is written itself.
type File struct {
	*os.File
	path string // behind symbolic links; "" of a file that is written itself
	key  string // in taken
}

// Create makes a file that is to be path. Its error names path. A second file for the same path
// is refused until the first one is complete: the later one to be completed would replace the
// other.
func Create(path string) (*File, error) {
	key, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if _, twice := taken.LoadOrStore(key, true); twice {
		return nil, fmt.Errorf("%s is being written already, by another Writer of this program", path)
	}

	path, direct, err := output.Target(path)
	if err == nil && direct {
		var f *os.File
		if f, err = output.Open(path); err == nil {
			return &File{f, "", key}, nil
		}
	}
	if err != nil {
		taken.Delete(key)
		return nil, err
	}

	// The error of CreateTemp has the temporary name, which says nothing to a user.
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		if at, ok := err.(*os.PathError); ok {
			at.Path = path
		}
		taken.Delete(key)
		return nil, err
	}
	return &File{f, path, key}, nil
}

// Finish closes the file and gives it its name if err is nil; otherwise, or when that fails, it
// removes the file. It returns the first error.
func (f *File) Finish(err error) error {
	defer taken.Delete(f.key)
	name := f.Name()

	// Some file systems tell of a failed write at Close alone, so that its error counts.
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if f.path == "" {
		return err
	}

	if err == nil {
		// A temporary file is readable by its owner only, a finished one by all.
		err = os.Chmod(name, 0o644)
	}
	if err == nil {
		err = os.Rename(name, f.path)
	}
	if err != nil {
		os.Remove(name)
	}
	return err
}
