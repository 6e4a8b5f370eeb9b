package record

import (
	"os"
	"path/filepath"
)

// File is a file that takes its place when it is complete: until then it has
// another name in the same folder.
type File struct {
	*os.File
	path string
}

// Create makes a file that is to be path. Its error names path.
func Create(path string) (*File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		if at, ok := err.(*os.PathError); ok {
			at.Path = path
		}
		return nil, err
	}
	return &File{f, path}, nil
}

// Finish closes the file and gives it its name, if err is nil; otherwise, or
// when that fails, the file is removed. It returns the first error.
func (f *File) Finish(err error) error {
	name := f.Name()
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err == nil {
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
