package cli

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// swap is files that took their names, with the files that had these names before.
type swap []struct{ path, old string } // old is "" where there was none

// rename is os.Rename; tests have it fail.
var rename = os.Rename

// put gives a temporary file its name. A file of that name gets another one until finish,
// and never goes away before the new file is in place.
func (s *swap) put(temp, path string) error {
	// Keep the former file under a free name, by a link if possible, so that the name is never
	// without a file.
	old := ""
	switch info, err := os.Lstat(path); {
	case err == nil && info.IsDir():
		return &os.PathError{Op: "write", Path: path, Err: syscall.EISDIR}
	case err == nil:
		kept, err := Temporary(path) // a free name
		if err != nil {
			return err
		}
		kept.Close()
		old = kept.Name()
		if err := os.Remove(old); err != nil {
			return err
		}
		if os.Link(path, old) != nil { // not every file system has links
			if err := rename(path, old); err != nil {
				return err
			}
		}
	case !errors.Is(err, os.ErrNotExist):
		return err
	}

	// Then the new file takes the name.
	if err := rename(temp, path); err != nil {
		return errors.Join(err, restore(path, old))
	}
	*s = append(*s, struct{ path, old string }{path, old})
	return nil
}

// restore gives a file its name back; without one it does nothing.
func restore(path, old string) error {
	if old == "" {
		return nil
	}
	if err := os.Rename(old, path); err != nil {
		return err
	}

	// Of two links to one file Rename leaves both.
	if err := os.Remove(old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// undo takes the names away again, the last first.
func (s swap) undo() (err error) {
	for i := len(s) - 1; i >= 0; i-- {
		if f := s[i]; f.old != "" {
			err = errors.Join(err, restore(f.path, f.old))
		} else {
			err = errors.Join(err, os.Remove(f.path))
		}
	}
	return err
}

// finish removes the former files.
func (s swap) finish() (err error) {
	for _, f := range s {
		if f.old != "" {
			err = errors.Join(err, os.Remove(filepath.Clean(f.old)))
		}
	}
	return err
}
