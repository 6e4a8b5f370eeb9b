package explore

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"etch/testbench/tools"
)

// JournalName is the file of results in a folder.
const JournalName = "results.jsonl"

// Record is a result: a line of the journal.
type Record struct {
	Measure string             `json:"measure"`
	Tool    string             `json:"tool"`    // with its version and settings
	Subject string             `json:"subject"` // hash of the measure's input
	Design  string             `json:"design"`
	Values  map[string]string  `json:"values"` // the first candidate with this subject
	Results map[string]float64 `json:"results,omitempty"`
	Error   string             `json:"error,omitempty"` // of a measure that failed
	Seconds float64            `json:"seconds"`
}

// Key tells results apart.
func (r *Record) Key() Key { return Key{r.Measure, r.Tool, r.Subject} }

// Key is a measure, its tool and the hash of its input.
type Key struct {
	Measure string `json:"measure"`
	Tool    string `json:"tool"`
	Subject string `json:"subject"`
}

// maxLine bounds a line of a journal, in bytes.
const maxLine = 1 << 20

// Journal is the results in a folder. Its methods may be called from several
// goroutines.
type Journal struct {
	path   string
	unlock func()

	mu     sync.Mutex
	file   journalFile
	size   int64 // of the complete lines
	known  map[Key]Record
	broken error // of the first line that could not be written
}

// journalFile is the part of *os.File that a journal writes with.
type journalFile interface {
	io.Writer
	Truncate(size int64) error
	Sync() error
	Close() error
}

// OpenJournal makes a folder, locks it and reads its results. It fails where another process
// has the folder.
func OpenJournal(dir string) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}

	// The lock comes before the first byte is read: another process may be cutting off a torn line.
	lock := filepath.Join(dir, "lock")
	unlock, ok, err := tools.TryLock(lock)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("another process explores in %s (it holds %s); wait for it, or take another folder", dir, lock)
	}

	j := &Journal{path: filepath.Join(dir, JournalName), unlock: unlock, known: map[Key]Record{}}
	if err := j.open(); err != nil {
		unlock()
		return nil, err
	}
	return j, nil
}

// open reads the complete lines and cuts off one that has no end.
func (j *Journal) open() error {
	// A pipe or a device would never end.
	if info, err := os.Stat(j.path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file", j.path)
	}
	f, err := os.OpenFile(j.path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	if err := j.read(f); err != nil {
		f.Close()
		return err
	}

	// The next line must begin at the end of a complete one.
	if err := f.Truncate(j.size); err != nil {
		f.Close()
		return err
	}
	j.file = f
	return nil
}

// read takes in a journal's lines.
func (j *Journal) read(r io.Reader) error {
	in := bufio.NewReaderSize(r, maxLine)
	for n := 1; ; n++ {
		line, err := in.ReadSlice('\n')
		switch {
		case err == io.EOF: // torn, or nothing
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
			return fmt.Errorf("%s:%d: a line of more than %d bytes", j.path, n, maxLine)
		case err != nil:
			return err
		}
		record, err := parseRecord(line)
		if err != nil {
			return fmt.Errorf("%s:%d: %w; remove the line to go on", j.path, n, err)
		}

		// Of two results with one key the later counts: a run with Retry measures failures again.
		j.known[record.Key()] = record
		j.size += int64(len(line))
	}
}

// parseRecord reads a line, which must be complete and make sense.
func parseRecord(line []byte) (r Record, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("no result: %w", err)
	}

	// A line that no run can have written was edited or is of another program.
	switch {
	case r.Measure == "" || r.Subject == "":
		return r, errors.New("a result without measure or subject")
	case (r.Error == "") == (len(r.Results) == 0):
		return r, errors.New("a result has numbers or an error")
	case !(r.Seconds >= 0):
		return r, fmt.Errorf("%v seconds", r.Seconds)
	}
	if _, err := d.Token(); err != io.EOF {
		return r, errors.New("more than a result in a line")
	}
	return r, nil
}

// Find is the result of a key.
func (j *Journal) Find(k Key) (Record, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	r, ok := j.known[k]
	return r, ok
}

// Len is the number of results.
func (j *Journal) Len() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.known)
}

// syncAfter is the cost, in seconds, from which a result is worth a sync of its own:
// a crash of the machine, not of the process, may lose cheaper ones.
const syncAfter = 0.05

// Append writes a result. After an error, of a full disk perhaps, the journal ends
// with its last complete line and takes no more.
func (j *Journal) Append(r Record) error {
	// JSON has no word for infinities and NaN: such a result is kept as an error.
	for name, x := range r.Results {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			r.Results, r.Error = nil, fmt.Sprintf("%s is %v", name, x)
			break
		}
	}
	if r.Error == "" && len(r.Results) == 0 {
		r.Error = "no results"
	}

	// An error repeats the words of tools: the line must stay one that can be read back.
	const mostWords = 4096
	r.Error = strings.ToValidUTF8(r.Error[:min(len(r.Error), mostWords)], "?")

	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if len(line) >= maxLine {
		return fmt.Errorf("a result of %s has %d bytes, of at most %d", r.Measure, len(line), maxLine)
	}

	// One write a line: a kill leaves a whole line or one without its end. A line that
	// the disk took in part is cut off at once.
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return j.broken
	}
	_, err = j.file.Write(line)
	if err == nil && r.Seconds >= syncAfter {
		err = j.file.Sync()
	}
	if err != nil {
		j.broken = errors.Join(fmt.Errorf("%s: %w; the %d results before this one are kept", j.path, err, len(j.known)), j.file.Truncate(j.size))
		return j.broken
	}

	j.size += int64(len(line))
	j.known[r.Key()] = r
	return nil
}

// Close syncs the journal and gives the folder free.
func (j *Journal) Close() error {
	defer j.unlock()
	return errors.Join(j.file.Sync(), j.file.Close())
}
