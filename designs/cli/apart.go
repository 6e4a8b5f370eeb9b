package cli

import (
	"os"
	"path/filepath"
)

// Path is a file of a command line, under the flag or the argument that names it.
type Path struct{ Name, Path string }

// Apart refuses to write over a file that the command reads, and two files under one name. in
// and out are names of flags; those without a value count for nothing.
func (f *Flags) Apart(in []string, out ...string) error {
	paths := func(names []string) (list []Path) {
		for _, name := range names {
			list = append(list, Path{"-" + name, f.Lookup(name).Value.String()})
		}
		return list
	}
	return Apart(paths(in), paths(out))
}

// ApartFrom is Apart for files that the command reads by its arguments. A word that names a design
// is no file, unless there is one of this name.
func (f *Flags) ApartFrom(files []string, out ...string) error {
	var in, to []Path
	for _, file := range files {
		in = append(in, Path{file, file})
	}
	for _, name := range out {
		to = append(to, Path{"-" + name, f.Lookup(name).Value.String()})
	}
	return Apart(in, to)
}

// Apart refuses outputs that are one of the inputs, or each other. Devices and FIFOs may be both.
func Apart(in, out []Path) error {
	for i, to := range out {
		for _, other := range append(append([]Path{}, in...), out[:i]...) {
			if to.Path != "" && other.Path != "" && sameFile(to.Path, other.Path) {
				return usagef("%s and %s are the same file, %s", other.Name, to.Name, to.Path)
			}
		}
	}
	return nil
}

// sameFile reports whether two paths lead to one regular file, which need not be there yet.
func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	if err1 == nil && err2 == nil {
		return x.Mode().IsRegular() && os.SameFile(x, y)
	}
	return err1 != nil && err2 != nil && whole(a) == whole(b)
}

// whole is a path from the root, without links in front of its last part.
func whole(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	return path
}
