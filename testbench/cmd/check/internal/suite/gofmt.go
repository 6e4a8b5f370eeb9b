package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// errFindings is the error of a step whose findings are in the output.
var errFindings = errors.New("see above")

// gofmt lists the Go files of all modules that gofmt would change, or cannot read.
func (s *session) gofmt(ctx context.Context) (string, error) {
	var files []string

	// Modules are formatted with the library and not the program: the toolchain need not have it.
	for _, dir := range s.modules() {
		inside, err := goFiles(dir)
		if err != nil {
			return "", err
		}
		from, err := filepath.Rel(s.root, dir)
		if err != nil {
			return "", err
		}
		for _, file := range inside {
			files = append(files, filepath.Join(from, file))
		}
	}

	bad := 0
	for _, file := range files {
		if ctx.Err() != nil {
			return "interrupted", ctx.Err()
		}
		src, err := os.ReadFile(filepath.Join(s.root, file))
		if err != nil {
			return "", err
		}
		out, err := format.Source(src)
		switch {
		case err != nil:
			fmt.Fprintf(s.out, "%s:%v\n", file, err)
			bad++
		case !bytes.Equal(src, out):
			fmt.Fprintf(s.out, "%s: not formatted by gofmt\n", file)
			bad++
		}
	}

	if bad > 0 {
		return fmt.Sprintf("%d of %d files", bad, len(files)), errFindings
	}
	return fmt.Sprintf("%d files", len(files)), nil
}

// goFiles returns the Go files of the module at root, relative to it and sorted, without
// testdata, vendor, nested modules, and names that the go command ignores.
func goFiles(root string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if !d.IsDir() {
			if strings.HasSuffix(name, ".go") && d.Type().IsRegular() {
				rel, err := filepath.Rel(root, path)
				files = append(files, rel)
				return err
			}
			return nil
		}

		// Folders outside the module.
		if path == root {
			return nil
		}
		if ignored(name) {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
			return filepath.SkipDir
		}
		return nil
	})
	return files, err
}
