package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"etch/backends/verilog"
	"etch/ir"
)

// Results are measurements by kind and netlist, kept in a file with a line for each, so that a
// long table goes on where it was interrupted.
type Results struct {
	path string
	had  map[string]json.RawMessage
}

// result is a line of the file.
type result struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// OpenResults reads a file, if there is one; "" keeps nothing. A last line that was cut is
// removed; any other that is no result is an error with the file and the line.
func OpenResults(path string) (*Results, error) {
	r := &Results{path, map[string]json.RawMessage{}}
	if path == "" {
		return r, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, Writable(path)
	}
	if err != nil {
		return nil, err
	}

	// Lines are appended whole, so only the last one can be cut.
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if !bytes.HasSuffix(line, []byte("\n")) { // what an interruption left
			return r, os.Truncate(path, int64(len(text)-len(line)))
		}
		var x result
		if err := json.Unmarshal(line, &x); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, n, err)
		}
		r.had[x.Key] = x.Value
	}
	return r, nil
}

// Measure fills value, a pointer, from the file, or else by run, which sets it; then it goes
// into the file as JSON.
func (r *Results) Measure(kind string, d *ir.Design, value any, run func() error) error {
	if r.path == "" {
		return run()
	}
	text, err := verilog.Text(d, verilog.Options{NoPositions: true})
	if err != nil {
		return err
	}

	// The key is the netlist's text without positions: an edited comment measures nothing again.
	key := fmt.Sprintf("%s %x", kind, sha256.Sum256(text))
	if had, ok := r.had[key]; ok {
		return json.Unmarshal(had, value)
	}

	// Measured anew. The value is set already, so an error of the file loses no result.
	if err := run(); err != nil {
		return err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	line, err := json.Marshal(result{key, data})
	if err != nil {
		return err
	}

	file, err := os.OpenFile(r.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Close())
}
