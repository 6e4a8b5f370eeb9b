package view

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"etch/ir"
	"etch/ir/input"
)

// sourceFiles are the files in which modules and named nodes of a design have positions.
func sourceFiles(d *ir.Design) map[string]bool {
	files := map[string]bool{}
	for _, m := range d.Modules {
		if m.Src == nil {
			continue
		}
		files[m.Src.At(m.Pos).File] = true

		// Nodes may come from other files than their module, as from a function of a library.
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if named(m, id) {
				files[m.Src.At(m.Node(id).Pos).File] = true
			}
		}
	}
	delete(files, "")
	return files
}

// note is a signal of an instance at the line that declares it, with its value.
type note struct {
	Line  int    `json:"line"`
	Name  string `json:"name"`
	Full  string `json:"full"`
	Value string `json:"value"`
}

// source answers with a file of an instance, the file of most of its signals if the request names
// none, and with the values of the instance's signals by line.
func (v *View) source(q query) (any, error) {
	c, err := v.instance(q)
	if err != nil {
		return nil, err
	}
	if err := v.at(q); err != nil {
		return nil, err
	}

	// The files of the instance, by number of signals, ports last: their line is often another's.
	count := map[string]int{}
	for _, sig := range signalsOf(c) {
		if f := sig.At().File; f != "" {
			count[f] += 1
			if kind := kindOf(c, sig); kind == "register" || kind == "wire" {
				count[f] += 2
			}
		}
	}
	files := make([]string, 0, len(count))
	for f := range count {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })

	// The request's own file, which must be one of the design: no other file of the disk is read.
	file := q.Get("file")
	if file == "" && len(files) > 0 {
		file = files[0]
	}
	result := struct {
		Files []string `json:"files"`
		File  string   `json:"file"`
		Text  string   `json:"text"`
		Note  string   `json:"note,omitempty"`
		Notes []note   `json:"notes"`
	}{Files: files, File: file, Notes: []note{}}
	if file == "" {
		result.Note = "the design has no source lines"
		return result, nil
	}

	if !v.files[file] {
		return nil, fmt.Errorf("the design has no line in %q", input.Message(file))
	}

	// The values of this cycle stand beside the lines that declare their signals.
	for _, sig := range signalsOf(c) {
		if at := sig.At(); at.File == file && !sig.IsClock() {
			result.Notes = append(result.Notes, note{at.Line, sig.Base(), sig.Name(), v.text(sig)})
		}
	}

	text, err := readSource(file)
	if err != nil {
		result.Note = "the source is not here: " + err.Error()
	}
	result.Text = text
	return result, nil
}

// readSource reads a source file, by its name, or, where positions are portable (the path of a
// package), below a folder above the present one.
func readSource(file string) (string, error) {
	b, err := input.ReadFile(file, mostSource)
	if err == nil || filepath.IsAbs(file) {
		return string(b), err
	}

	// A portable path begins with the module's name, and the folder with go.mod stands for it:
	// look upwards for that.
	dir, err2 := os.Getwd()
	if err2 != nil {
		return "", err
	}
	_, below, _ := strings.Cut(filepath.ToSlash(file), "/")
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && below != "" {
			b, err := input.ReadFile(filepath.Join(dir, below), mostSource)
			return string(b), err
		}
		if dir == filepath.Dir(dir) {
			return "", err
		}
	}
}
