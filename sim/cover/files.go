package cover

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"etch/ir/bits"
)

// WriteFile writes the counts to a new file in a folder, which is made. The file appears when it is
// complete; its name begins with that of the test.
func (c *Counts) WriteFile(dir, name string) error {
	c.Version, c.Name, c.Ended = version, name, time.Now().UnixNano()
	c.Sources = map[string]string{}
	for _, l := range c.Lines {
		if _, known := c.Sources[l.Path]; !known {
			c.Sources[l.Path] = digestOf(l.Path)
		}
	}
	text, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}

	// Several processes write to the folder at once: the temporary name is unique.
	f, err := os.CreateTemp(dir, "."+fileName(name)+"-*")
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

// fileName is the name of a test as a part of a file's name, of bounded length.
func fileName(test string) string {
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' {
			return '_'
		}
		return r
	}, test)
	return name[:min(len(name), 100)]
}

// digestOf is a digest of a file's text, "" if it cannot be read.
func digestOf(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return digest(text)
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// ending is the end of the names of files.
const ending = ".hwcover.json"

// Read adds up the counts of all files in a folder, in the order in which their tests ended. Errors:
// the folder is not there, has no such files, or has one that is damaged or of another version, which
// is named.
func Read(dir string) (*Counts, error) {
	if err := folder(dir); err != nil {
		return nil, fmt.Errorf("cover: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"+ending))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("cover: %s has no files *%s: run tests with ETCH_COVER=%s", dir, ending, dir)
	}

	var runs []fileCounts
	for _, file := range files {
		c, err := readFile(file)
		if err != nil {
			return nil, err
		}
		runs = append(runs, fileCounts{file, c})
	}

	// The first test of a line is the one that ended first.
	slices.SortStableFunc(runs, func(a, b fileCounts) int { return cmp.Compare(a.Ended, b.Ended) })
	sum := newSum()
	for _, c := range runs {
		if err := sum.add(c.Counts); err != nil {
			return nil, fmt.Errorf("cover: %s: %w", c.file, err)
		}
	}
	return sum.Counts(), nil
}

// folder reports a folder of counts that is missing: that it has no files would be half the truth.
func folder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the folder %s does not exist: run tests with ETCH_COVER=%s (%w)", dir, dir, err)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder: run tests with ETCH_COVER=DIR", dir)
	}
	return nil
}

type fileCounts struct {
	file string
	*Counts
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
	cycles    uint64
	lines     map[Line]*Line     // by the line without its count and its path, which depends on the machine
	toggles   map[Toggle]*either // by the toggle without its bits and its path
	sources   map[string]string
	uncounted []string
}

// either is the bits that rose or fell in any run.
type either struct {
	rose, fell bits.Value
	path       string // of the first run
}

func newSum() *sum {
	return &sum{lines: map[Line]*Line{}, toggles: map[Toggle]*either{}, sources: map[string]string{}}
}

// several is the digest of a file that had different texts in different runs: that of none.
const several = "several"

// add adds the counts of a run. Errors: a line below 1; bits that are no number of their width.
func (s *sum) add(c *Counts) error {
	s.cycles += c.Cycles
	s.uncounted = append(s.uncounted, c.Uncounted...)
	for path, text := range c.Sources {
		if was, ok := s.sources[path]; ok && was != text {
			text = several
		}
		s.sources[path] = text
	}

	for _, l := range c.Lines {
		if l.Line < 1 {
			return fmt.Errorf("%s: line %d", l.File, l.Line)
		}

		// A line without its count is the key.
		n, path := l.Count, l.Path
		l.Count, l.First, l.Path = 0, "", ""
		to := s.lines[l]
		if to == nil {
			to = &Line{}
			*to = l
			to.Path = path
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
		path := t.Path
		t.Rose, t.Fell, t.Path = "", "", ""
		if to := s.toggles[t]; to != nil {
			rose, fell, path = rose.Or(to.rose), fell.Or(to.fell), to.path
		}
		s.toggles[t] = &either{rose, fell, path}
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

// Counts sorts the summed lines, so equal inputs in any order give equal files.
func (s *sum) Counts() *Counts {
	c := &Counts{Version: version, Cycles: s.cycles, Sources: s.sources, Uncounted: s.uncounted}
	for _, l := range s.lines {
		c.Lines = append(c.Lines, *l)
	}
	slices.SortFunc(c.Lines, compare)

	// The key of a toggle has no bits: its sum has.
	for _, t := range slices.SortedFunc(maps.Keys(s.toggles), compareToggles) {
		v := s.toggles[t]
		t.Rose, t.Fell, t.Path = v.rose.String(), v.fell.String(), v.path
		c.Toggles = append(c.Toggles, t)
	}
	return c
}
