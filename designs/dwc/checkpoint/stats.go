package checkpoint

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"etch/designs/dwc/model"
)

// maxStatsFile bounds a file of statistics, in bytes.
const maxStatsFile = 4 << 20

// stats are the frozen observation statistics.
type stats struct {
	names          []string // nil or D
	mean, variance []float64
}

// checkpointStats returns obs_norm of a checkpoint, nil if it has none.
func checkpointStats(ck *Checkpoint) (*stats, error) {
	mean, variance := ck.Tensor("obs_norm.mean"), ck.Tensor("obs_norm.var")
	if mean == nil && variance == nil {
		return nil, nil
	}
	if mean == nil || variance == nil {
		return nil, fmt.Errorf("obs_norm.mean and obs_norm.var must be there together; -stats FILE can replace both")
	}

	// Both have a number for each dimension.
	s := &stats{}
	for _, part := range []struct {
		t  *Tensor
		to *[]float64
	}{{mean, &s.mean}, {variance, &s.variance}} {
		if n := part.t.Len(); n < 1 || n > model.MaxObs {
			return nil, fmt.Errorf("%s: shape %v; must be one number for each of 1..%d dimensions", part.t.Name, part.t.Shape, model.MaxObs)
		}
		v, err := part.t.Float64s()
		if err != nil {
			return nil, err
		}
		*part.to = v
	}
	return s, s.check("obs_norm")
}

// readStats reads the file of -stats: JSON if it starts with a brace, else CSV.
func readStats(path string) (*stats, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("-stats: %w", err)
	}
	defer f.Close()

	// One byte more than is allowed, so that a larger file shows.
	text, err := io.ReadAll(io.LimitReader(f, maxStatsFile+1))
	if err != nil {
		return nil, fmt.Errorf("-stats: %w", err)
	}
	if len(text) > maxStatsFile {
		return nil, fmt.Errorf("-stats %s: larger than %d MiB", path, maxStatsFile>>20)
	}

	// The name of the file does not matter.
	s := &stats{}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		err = s.parseJSON(text)
	} else {
		err = s.parseCSV(text)
	}
	if err == nil {
		err = s.check("")
	}
	if err != nil {
		return nil, fmt.Errorf("-stats %s: %s", path, oneLine(err))
	}
	return s, nil
}

func (s *stats) parseJSON(text []byte) error {
	var file struct {
		Names []string   `json:"names"`
		Mean  []*float64 `json:"mean"`
		Var   []*float64 `json:"var"`
		Count any        `json:"count"`
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&file); err != nil {
		return err
	}

	if dec.Decode(&struct{}{}) != io.EOF {
		return fmt.Errorf("something follows the object")
	}

	// null would read as 0.
	for _, part := range []struct {
		name string
		from []*float64
		to   *[]float64
	}{{"mean", file.Mean, &s.mean}, {"var", file.Var, &s.variance}} {
		for i, v := range part.from {
			if v == nil {
				return fmt.Errorf("%s[%d] is null", part.name, i)
			}
			*part.to = append(*part.to, *v)
		}
	}
	s.names = file.Names
	return nil
}

// parseCSV reads a header with the columns mean, var and perhaps name, then a
// line a dimension.
func (s *stats) parseCSV(text []byte) error {
	r := csv.NewReader(bytes.NewReader(text))
	header, err := r.Read()
	if err != nil {
		return fmt.Errorf("expected JSON, or CSV with the columns mean and var: %w", err)
	}

	// Columns in any order, named in any case.
	column := map[string]int{}
	for i, name := range header {
		column[strings.ToLower(strings.TrimSpace(name))] = i
	}
	mean, ok1 := column["mean"]
	variance, ok2 := column["var"]
	name, named := column["name"]
	if !ok1 || !ok2 {
		return fmt.Errorf("the CSV header needs the columns mean and var")
	}

	// A row for each dimension, with a name if there is such a column.
	for {
		record, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		for _, part := range []struct {
			column int
			to     *[]float64
		}{{mean, &s.mean}, {variance, &s.variance}} {
			v, err := strconv.ParseFloat(strings.TrimSpace(record[part.column]), 64)
			if err != nil {
				line, _ := r.FieldPos(part.column)
				return fmt.Errorf("line %d: %s is not a number", line, clip(record[part.column]))
			}
			*part.to = append(*part.to, v)
		}
		if named {
			s.names = append(s.names, record[name])
		}
	}
}

// check checks shapes and values. Prefix goes before the names of arrays.
func (s *stats) check(prefix string) error {
	if prefix != "" {
		prefix += "."
	}
	if len(s.mean) < 1 || len(s.mean) > model.MaxObs || len(s.mean) != len(s.variance) {
		return fmt.Errorf("%smean has %d numbers, %svar %d; must be one each for 1..%d dimensions", prefix, len(s.mean), prefix, len(s.variance), model.MaxObs)
	}

	if s.names != nil && len(s.names) != len(s.mean) {
		return fmt.Errorf("%d names for %d dimensions", len(s.names), len(s.mean))
	}

	// Comparisons that NaN fails.
	for i := range s.mean {
		if m := s.mean[i]; !(m >= -1e90 && m <= 1e90) {
			return fmt.Errorf("%smean[%d] is %v", prefix, i, m)
		}
		if v := s.variance[i]; !(v >= 0 && v <= 1e90) {
			return fmt.Errorf("%svar[%d] is %v; a variance is 0 or more", prefix, i, v)
		}
	}
	return nil
}
