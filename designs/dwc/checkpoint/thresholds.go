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

// maxThresholdsFile bounds a text file of thresholds, in bytes.
const maxThresholdsFile = 64 << 20

// findThresholds returns the thresholds of -thresholds, else those that the
// checkpoint stores, else nil. Rows are dimensions; a single one may be shared.
func findThresholds(ck *Checkpoint, opt *Options) ([][]float64, error) {
	if opt.ThresholdsFile != "" {
		rows, err := readThresholds(opt.ThresholdsFile)
		if err != nil {
			return nil, fmt.Errorf("-thresholds %s: %s", opt.ThresholdsFile, strings.TrimPrefix(oneLine(err), opt.ThresholdsFile+": "))
		}
		return rows, nil
	}

	t, err := thresholdsIn(ck)
	if t == nil || err != nil {
		return nil, err
	}

	// The checkpoint's own thresholds are of scaled observations: back to physical ones.
	rows, err := thresholdRows(t)
	if err != nil {
		return nil, err
	}
	return rows, scaleRows(ck, rows)
}

// thresholdsIn finds the tensor of thresholds by its name. It is nil without one; two are an error.
func thresholdsIn(ck *Checkpoint) (*Tensor, error) {
	var found *Tensor

	for _, t := range ck.Tensors {
		if t.Name != "thresholds" && !strings.HasSuffix(t.Name, ".thresholds") {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("thresholds twice, %s and %s; -thresholds FILE can replace both", found.Name, t.Name)
		}
		found = t
	}
	return found, nil
}

// thresholdRows reads [B], or [dimensions…, B] as x.flatten() orders them.
func thresholdRows(t *Tensor) ([][]float64, error) {
	if len(t.Shape) == 0 || t.Len() == 0 || t.Len() > model.MaxEncoderBits {
		return nil, fmt.Errorf("%s: shape %v; must be [dimensions, B]", t.Name, t.Shape)
	}
	flat, err := t.Float64s()
	if err != nil {
		return nil, err
	}

	b := t.Shape[len(t.Shape)-1]
	var rows [][]float64
	for at := 0; at < len(flat); at += b {
		rows = append(rows, flat[at:at+b:at+b])
	}
	return rows, nil
}

// scaleRows takes thresholds of standardised observations to physical units
// where the checkpoint has the scaler: (x − mean)/scale > τ is x > τ·scale + mean.
func scaleRows(ck *Checkpoint, rows [][]float64) error {
	mean, scale := ck.Tensor("scaler.mean"), ck.Tensor("scaler.scale")
	if mean == nil && scale == nil { // scikit-learn's names
		mean, scale = ck.Tensor("scaler.mean_"), ck.Tensor("scaler.scale_")
	}

	// Without a scaler the thresholds are physical, unless one is there that cannot be read.
	if mean == nil && scale == nil {
		if class, there := ck.Classes["scaler"]; there {
			return fmt.Errorf("scaler is a %s without mean_ and scale_: give the thresholds in physical units by -thresholds", class)
		}
		return nil
	}
	if mean == nil || scale == nil || mean.Len() != len(rows) || scale.Len() != len(rows) {
		return fmt.Errorf("scaler: mean and scale must have a number each for %d dimensions", len(rows))
	}

	m, err := mean.Float64s()
	if err != nil {
		return err
	}
	s, err := scale.Float64s()
	if err != nil {
		return err
	}

	// Undo the standardisation: x·scale + mean.
	for d, row := range rows {
		if !(s[d] > 0) {
			return fmt.Errorf("%s: number %d, %v, is not positive", scale.Name, d, s[d])
		}
		for k := range row {
			row[k] = float64(row[k]*s[d]) + m[d]
		}
	}
	return nil
}

// readThresholds reads the file of -thresholds: a .pt or .safetensors file, JSON
// (a list of rows, or an object with the field thresholds), or CSV, a line a
// dimension.
func readThresholds(path string) ([][]float64, error) {
	if ck, err := Open(path); err == nil {
		defer ck.Close()
		t, err := thresholdsIn(ck)
		// A lone tensor needs no name.
		if t == nil && err == nil && len(ck.Tensors) == 1 {
			t = ck.Tensors[0]
		}
		if t == nil && err == nil {
			err = fmt.Errorf("no tensor is named thresholds")
		}
		if err != nil {
			return nil, err
		}
		return thresholdRows(t)
	}

	// Open did not take the file for a checkpoint, so it is text.
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxThresholdsFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxThresholdsFile:
		return nil, fmt.Errorf("larger than %d MiB", maxThresholdsFile>>20)
	}

	// Text: JSON as an object or rows, else CSV.
	var rows [][]float64
	switch start := bytes.TrimSpace(text); {
	case bytes.HasPrefix(start, []byte("{")):
		var file struct {
			Thresholds [][]float64 `json:"thresholds"`
		}
		err = json.Unmarshal(text, &file)
		rows = file.Thresholds
	case bytes.HasPrefix(start, []byte("[")):
		err = json.Unmarshal(text, &rows)
	default:
		rows, err = csvRows(text)
	}
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("no thresholds")
	}
	return rows, err
}

func csvRows(text []byte) ([][]float64, error) {
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}

	rows := make([][]float64, len(records))
	for i, record := range records {
		for _, field := range record {
			v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
			if err != nil {
				return nil, fmt.Errorf("line %d: %s is not a number", i+1, clip(field))
			}
			rows[i] = append(rows[i], v)
		}
	}
	return rows, nil
}
