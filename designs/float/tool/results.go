package tool

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"etch/backends/verilog"
	"etch/designs/cli"
	"etch/ir"
)

// results are measurements by kind and netlist, in a file with a line for each.
type results struct {
	path string
	had  map[string]json.RawMessage
}

// result is a line of the file.
type result struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// openResults reads a file, if there is one; "" keeps nothing.
func openResults(path string) (*results, error) {
	r := &results{path, map[string]json.RawMessage{}}
	if path == "" {
		return r, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, cli.Writable(path)
	}
	if err != nil {
		return nil, err
	}
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

// measure fills a value from the file, or by a run whose result goes into the file.
func (r *results) measure(kind string, d *ir.Design, value any, run func() error) error {
	if r.path == "" {
		return run()
	}
	text, err := verilog.Text(d, verilog.Options{NoPositions: true})
	if err != nil {
		return err
	}
	key := fmt.Sprintf("%s %x", kind, sha256.Sum256(text))
	if had, ok := r.had[key]; ok {
		return json.Unmarshal(had, value)
	}
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
