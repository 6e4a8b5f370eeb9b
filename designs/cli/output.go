package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"etch/ir/output"
)

// File is a file to be written.
type File struct {
	Name string // below the folder
	Data []byte
}

// WriteFiles writes files into dir, which it makes: all or none. They go to temporary
// names first; if one of them cannot take its name after others have, the others give
// theirs back to the former files. A symbolic link stays, and leads to the new file. A device, a
// FIFO or a socket is written itself, after all files have their names.
func WriteFiles(dir string, files ...File) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}

	// Files that still have a temporary name at the end are removed.
	temps := make([]string, 0, len(files))
	defer func() {
		for _, t := range temps {
			os.Remove(t)
		}
	}()

	// First all contents under temporary names, with errors of the disk; then only renames.
	var paths []string // that the temporary files are to have
	var direct []File  // with their whole paths
	for _, f := range files {
		path, special, err := output.Target(filepath.Join(dir, f.Name))
		if err != nil {
			return err
		}
		if special {
			direct = append(direct, File{path, f.Data})
			continue
		}
		temp, err := Temporary(path)
		if err != nil {
			return err
		}
		paths = append(paths, path)
		temps = append(temps, temp.Name())
		_, err = temp.Write(f.Data)
		if err2 := temp.Close(); err == nil {
			err = err2
		}
		if err == nil {
			err = os.Chmod(temp.Name(), 0o644)
		}
		if err != nil {
			return err
		}
	}

	// A swap remembers the former files, so that it can be undone.
	var done swap
	for i, path := range paths {
		if err := done.put(temps[i], path); err != nil {
			return errors.Join(err, done.undo())
		}
	}
	temps = nil

	// A device takes nothing back: it comes when all else has succeeded.
	for _, f := range direct {
		if err := writeDirect(f); err != nil {
			return errors.Join(err, done.undo())
		}
	}
	return done.finish()
}

// writeDirect writes a file that is not regular.
func writeDirect(f File) error {
	to, err := output.Open(f.Name)
	if err != nil {
		return err
	}
	_, err = to.Write(f.Data)
	return errors.Join(err, to.Close())
}

// JSON prints one JSON document.
func JSON(w io.Writer, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// Temporary makes a file beside path, to be renamed to it when it is complete.
// Its error names path.
func Temporary(path string) (*os.File, error) {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	var at *os.PathError
	if errors.As(err, &at) {
		at.Path = path
	}
	return temp, err
}

// WritableIn makes a folder and reports early why a file in it cannot be written.
func WritableIn(dir, name string) error {
	if err := named(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return Writable(filepath.Join(dir, name))
}

// Writable reports early why a file of that name cannot be written, for commands
// that take long before they do.
func Writable(path string) error {
	if err := named(path); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("write %s: is a directory", path)
	}

	// To open a FIFO or a device may wait, or do something: it is not tried.
	path, direct, err := output.Target(path)
	if err != nil || direct {
		return err
	}

	// The test is to make a file beside it: only that finds folders without permission or room.
	temp, err := Temporary(path)
	if err != nil {
		return err
	}
	temp.Close()
	return os.Remove(temp.Name())
}

// named refuses "-", which elsewhere means standard output: messages go there too, and a file
// appears when it is complete.
func named(path string) error {
	if path == "-" {
		return usagef("- is no file; standard output is /dev/stdout, a file of that name ./-")
	}
	return nil
}
