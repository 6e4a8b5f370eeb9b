package cover

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"etch/ir/bits"
)

// WriteFile writes the counts to a new file in a folder, which is made. The file appears when it is
// complete; its name begins with that of the test.
func (c *Counts) WriteFile(dir, name string) error {
	c.Version, c.Name = version, name
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

	// The file is closed in any case, and the first error counts.
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

	sum := newSum()
	for _, file := range files {
		c, err := readFile(file)
		if err != nil {
			return nil, err
		}
		if err := sum.add(c); err != nil {
			return nil, fmt.Errorf("cover: %s: %w", file, err)
		}
	}
	return sum.Counts(), nil
}

// readFile reads a file of WriteFile.
func readFile(file string) (*Counts, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}

	c := &Counts{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("cover: %s: %w", file, err)
	}
	if c.Version != version {
		return nil, fmt.Errorf("cover: %s is of version %d, and this etch reads version %d", file, c.Version, version)
	}
	return c, nil
}

// sum adds up counts of several runs.
type sum struct {
	cycles  uint64
	lines   map[Line]*Line     // by the line without its count
	toggles map[Toggle]*either // by the toggle without its bits
}

// either is the bits that rose or fell in any run.
type either struct{ rose, fell bits.Value }

func newSum() *sum { return &sum{lines: map[Line]*Line{}, toggles: map[Toggle]*either{}} }

// add adds the counts of a run. Errors: a line below 1; bits that are no number of their width.
func (s *sum) add(c *Counts) error {
	s.cycles += c.Cycles
	for _, l := range c.Lines {
		if l.Line < 1 {
			return fmt.Errorf("%s: line %d", l.File, l.Line)
		}

		// A line without its count is the key.
		n := l.Count
		l.Count, l.First = 0, ""
		to := s.lines[l]
		if to == nil {
			to = &Line{}
			*to = l
			s.lines[l] = to
		}

		to.Count += n
		if n > 0 && to.First == "" {
			to.First = c.Name
		}
	}

	for _, t := range c.Toggles {
		rose, err := parse(t.Rose, t.Width)
		if err != nil {
			return fmt.Errorf("%s.%s: rose: %w", t.Module, t.Name, err)
		}
		fell, err := parse(t.Fell, t.Width)
		if err != nil {
			return fmt.Errorf("%s.%s: fell: %w", t.Module, t.Name, err)
		}

		// So is a signal without its bits.
		t.Rose, t.Fell = "", ""
		if to := s.toggles[t]; to != nil {
			rose, fell = rose.Or(to.rose), fell.Or(to.fell)
		}
		s.toggles[t] = &either{rose, fell}
	}
	return nil
}

// parse reads a value of so many bits.
func parse(text string, width int) (bits.Value, error) {
	v, err := bits.Parse(text)
	if err == nil && v.Width() != width {
		err = fmt.Errorf("%s has %d bits, want %d", text, v.Width(), width)
	}
	return v, err
}

// Counts is the sum.
func (s *sum) Counts() *Counts {
	c := &Counts{Version: version, Cycles: s.cycles}
	for _, l := range s.lines {
		c.Lines = append(c.Lines, *l)
	}
	slices.SortFunc(c.Lines, compare)

	// The key of a toggle has no bits: its sum has.
	for _, t := range slices.SortedFunc(maps.Keys(s.toggles), compareToggles) {
		v := s.toggles[t]
		t.Rose, t.Fell = v.rose.String(), v.fell.String()
		c.Toggles = append(c.Toggles, t)
	}
	return c
}
