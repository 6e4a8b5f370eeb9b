package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// File is a file to be written.
type File struct {
	Name string // below the folder
	Data []byte
}

// WriteFiles writes files into dir, which it makes: all or none. They go to temporary
// names first; if one of them cannot take its name after others have, the others give
// theirs back to the former files.
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
	for _, f := range files {
		temp, err := Temporary(filepath.Join(dir, f.Name))
		if err != nil {
			return err
		}
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
	for i, f := range files {
		if err := done.put(temps[i], filepath.Join(dir, f.Name)); err != nil {
			return errors.Join(err, done.undo())
		}
	}
	temps = nil
	return done.finish()
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
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return Writable(filepath.Join(dir, name))
}

// Writable reports early why a file of that name cannot be written, for commands
// that take long before they do.
func Writable(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("write %s: is a directory", path)
	}

	// The test is to make a file beside it: only that finds folders without permission or room.
	temp, err := Temporary(path)
	if err != nil {
		return err
	}
	temp.Close()
	return os.Remove(temp.Name())
}
