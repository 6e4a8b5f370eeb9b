// Package output says where the contents of a named file go when a program writes it anew.
//
//	real, direct, err := output.Target("out.csv")
//	err = output.Replace("out.csv", 0o644, func(w io.Writer) error { … })
//
// A program that writes a file under a temporary name and renames it at the end replaces
// whatever has the name. That is right for a regular file, which is then never half-written. A
// symbolic link must stay and lead to the new file; a device, a FIFO or a socket must take the
// contents itself.
//
// The package imports the standard library only.
package output

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// maxLinks bounds a chain of symbolic links that leads to no file yet, as Linux does.
const maxLinks = 40

// Target returns the file that path stands for: the last target of its symbolic links, which need
// not exist yet. direct is true for a device, a FIFO or a socket, which must be opened and written in
// place. Error: a chain of more than maxLinks links that leads to no file.
func Target(path string) (real string, direct bool, err error) {
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular() && !info.IsDir():
		return path, true, nil
	case err == nil && !isLink(path):
		return path, false, nil
	case err == nil:
		real, err = filepath.EvalSymlinks(path)
		return real, false, err
	}

	// There is no such file, or only links that lead to its name.
	real = path
	for range maxLinks {
		to, err := os.Readlink(real)
		if err != nil {
			return real, false, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(real), to)
		}
		real = to
	}
	return "", false, &fs.PathError{Op: "write", Path: path, Err: syscall.ELOOP}
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// Open opens a direct target, for writing. It waits for a FIFO's reader.
func Open(path string) (*os.File, error) { return os.OpenFile(path, os.O_WRONLY, 0) }
