package cover

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"etch/ir"
	"etch/sim"
)

// Counts is the counts of a run, or of several.
type Counts struct {
	Version int    `json:"version"`
	Name    string `json:"name"`   // of the test
	Design  string `json:"design"` // the name of the top
	Cycles  uint64 `json:"cycles"`
	Lines   []Line `json:"lines"` // by file, line and kind
}

// Kind is the sort of a count.
type Kind string

// The kinds of counts.
const (
	Set   Kind = "set"   // a statement that gives a value under a condition
	True  Kind = "true"  // a condition that held where it mattered
	False Kind = "false" // one that did not
)

// Line is the count of a line: cycles in which the statement acted, added up over its instances and
// over the multiplexers that it made.
type Line struct {
	File  string `json:"file"` // package path and file name
	Path  string `json:"path"` // on the machine of the run
	Line  int    `json:"line"`
	Kind  Kind   `json:"kind"`
	Count uint64 `json:"count"`
	First string `json:"first,omitempty"` // of several runs: the first test in which it acted
}

// version is that of files.
const version = 1

// Of replays the run that r has recorded of a design, and counts. Errors: it cannot be replayed from
// its begin.
func Of(r *sim.Recording, d *ir.Design) (*Counts, error) {
	copied, points := instrument(d)
	p, err := r.PlayerOn(copied)
	if err != nil {
		return nil, err
	}
	s := p.Sim()
	defer s.Close()
	_, last := p.Cycles()
	if err := p.Forward(last); err != nil {
		return nil, err
	}

	// A module has its statements in each of its instances.
	by := map[string]uint64{}
	for _, c := range s.Coverage() {
		by[c.Name] += c.Count
	}
	return &Counts{Version: version, Design: d.Top.Name, Cycles: last, Lines: lines(points, by)}, nil
}

// lines adds up the counts of arms by line.
func lines(points []point, by map[string]uint64) (list []Line) {
	at := map[Line]int{}
	add := func(m *ir.Module, pos ir.Pos, kind Kind, n uint64) {
		files := m.Src.AllPortable(pos)
		for i, path := range m.Src.All(pos) {
			l := Line{File: files[i].File, Path: path.File, Line: path.Line, Kind: kind}
			k, ok := at[l]
			if !ok {
				k = len(list)
				at[l] = k
				list = append(list, l)
			}
			list[k].Count += n
		}
	}

	// An arm counts for the statement that gave it, and for the condition of its multiplexer.
	for _, p := range points {
		n := by[p.name]
		if pos := p.mod.ArmPos(p.mux); pos != nil && pos[p.arm] != 0 {
			add(p.mod, pos[p.arm], Set, n)
		}
		if p.mod.Op(p.mux) == ir.Mux {
			kind := True
			if p.arm == 1 {
				kind = False
			}
			add(p.mod, p.mod.Node(p.mux).Pos, kind, n)
		}
	}
	slices.SortFunc(list, compare)
	return list
}

// compare orders lines by file, line and kind.
func compare(a, b Line) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind))
}

// WriteFile writes the counts to a new file in a folder, which is made. The file appears when it is
// complete; its name begins with that of the test.
func (c *Counts) WriteFile(dir, name string) error {
	c.Name = name
	text, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}

	// Several processes write to the folder at once: the temporary name is unique.
	f, err := os.CreateTemp(dir, ".cover-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // nothing is there after the rename
	_, err = f.Write(text)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, filepath.Base(f.Name())[1:]+ending))
	}
	return err
}

// ending is the end of the names of files.
const ending = ".hwcover.json"

// Read adds up the counts of all files in a folder. Errors: there are none; a file is no such file,
// named.
func Read(dir string) (*Counts, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+ending))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("cover: %s has no files *%s: run tests with ETCH_COVER=%s", dir, ending, dir)
	}
	all := &Counts{Version: version}
	at := map[Line]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var c Counts
		if err := json.Unmarshal(text, &c); err != nil {
			return nil, fmt.Errorf("cover: %s: %w", file, err)
		}
		if c.Version != version {
			return nil, fmt.Errorf("cover: %s is of version %d, and this etch reads version %d", file, c.Version, version)
		}

		// Lines are equal if all but their counts is.
		all.Cycles += c.Cycles
		for _, l := range c.Lines {
			n := l.Count
			l.Count, l.First = 0, ""
			k, ok := at[l]
			if !ok {
				k = len(all.Lines)
				at[l] = k
				all.Lines = append(all.Lines, l)
			}
			all.Lines[k].Count += n
			if n > 0 && all.Lines[k].First == "" {
				all.Lines[k].First = c.Name
			}
		}
	}
	slices.SortFunc(all.Lines, compare)
	return all, nil
}
