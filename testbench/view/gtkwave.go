package view

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"etch/sim/fst"
)

// gtkwave writes the waves of a range of cycles to NAME.fst in the folder of the command, and the
// rows of the page to NAME.gtkw beside it, which GTKWave opens. Files that are there stay: NAME
// then has a number.
func (v *View) gtkwave(q query) (any, error) {
	from, to, err := v.cycles(q)
	if err != nil {
		return nil, err
	}

	// All names are checked before a file is written.
	top := v.run.Sim().Design().Top.Name
	var rows []savedRow
	for name := range strings.SplitSeq(q.Get("signals"), ",") {
		if name == "" {
			continue
		}
		sig, err := v.signal(name)
		if err != nil {
			return nil, err
		}
		rows = append(rows, savedSignal(top, sig))
	}

	// Waves first: if they fail, no list of rows is left behind.
	path, err := unused(filepath.Join(v.dir, top), ".fst", ".gtkw")
	if err != nil {
		return nil, err
	}
	waves, save := path+".fst", path+".gtkw"
	if err := v.dump(waves, from, to); err != nil {
		return nil, err
	}
	if err := os.WriteFile(save, saveFile(filepath.Base(waves), rows), 0o666); err != nil {
		return nil, err
	}
	return map[string]string{"waves": waves, "save": save}, nil
}

// gtkwave writes the rows of the page to a .gtkw file beside the dump, which it names. GTKWave
// reads the dump itself.
func (d *Dump) gtkwave(q query) (any, error) {
	vars, err := d.variables(q.Get("signals"))
	if err != nil {
		return nil, err
	}
	rows := make([]savedRow, len(vars))
	for i, x := range vars {
		rows[i] = x.saved()
	}

	// The dump's name is absolute: GTKWave looks for a relative one in its own folder.
	waves, err := filepath.Abs(d.path)
	if err != nil {
		return nil, err
	}
	path, err := unused(strings.TrimSuffix(d.path, filepath.Ext(d.path)), ".gtkw")
	if err != nil {
		return nil, err
	}
	save := path + ".gtkw"
	if err := os.WriteFile(save, saveFile(waves, rows), 0o666); err != nil {
		return nil, err
	}
	return map[string]string{"save": save}, nil
}

// unused is a path for which no file with one of the extensions is there: the wanted one, or that
// with -2, -3, … behind it.
func unused(wanted string, extensions ...string) (string, error) {
	path := wanted
	for n := 2; ; n++ {
		taken := false
		for _, x := range extensions {
			_, err := os.Lstat(path + x)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
			taken = taken || err == nil
		}
		if !taken {
			return path, nil
		}
		path = fmt.Sprintf("%s-%d", wanted, n)
	}
}

// dump makes the run again and writes its waves from a cycle to another.
func (v *View) dump(path string, from, to uint64) error {
	// A run of its own: the page's run stays at its cycle.
	p, err := v.run.Again(v.run.Sim().Design())
	if err != nil {
		return err
	}
	defer p.Sim().Close()
	if err := p.Forward(from); err != nil {
		return err
	}
	w, err := fst.Create(path)
	if err != nil {
		return err
	}

	// The file is closed in any case, and the first error counts: a failing Close means that waves
	// are missing.
	err = p.Sim().Trace(w)
	if err == nil {
		err = p.Forward(to)
	}
	if e := w.Close(); err == nil {
		err = e
	}
	return err
}
