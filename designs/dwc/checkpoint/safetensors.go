package checkpoint

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// maxHeader bounds the JSON header of a .safetensors file, in bytes.
const maxHeader = 8 << 20

// maxTensors bounds the tensors of a file.
const maxTensors = 1 << 16

// readSafetensors reads a .safetensors file: the header's length as 8 bytes,
// little-endian; a JSON object of {dtype, shape, data_offsets} by name; then
// the data, to which the offsets are relative, little-endian and row-major.
func readSafetensors(r io.ReaderAt, size int64) ([]*Tensor, map[string]string, error) {
	var length [8]byte
	if _, err := r.ReadAt(length[:], 0); err != nil {
		return nil, nil, fmt.Errorf("safetensors: the file ends inside the header's length")
	}

	// The length is the file's word: it is bounded before memory is taken.
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader {
		return nil, nil, fmt.Errorf("safetensors: header of %d bytes; at most %d", n, maxHeader)
	}
	if int64(n) > size-8 {
		return nil, nil, fmt.Errorf("safetensors: the file ends inside its header")
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(io.NewSectionReader(r, 8, int64(n)), header); err != nil {
		return nil, nil, fmt.Errorf("safetensors: header: %w", err)
	}

	data := io.NewSectionReader(r, 8+int64(n), size-8-int64(n))
	return parseHeader(header, data)
}

// entry is a tensor's entry in a safetensors header.
type entry struct {
	DType   *DType  `json:"dtype"`
	Shape   *[]int  `json:"shape"`
	Offsets []int64 `json:"data_offsets"`
}

func parseHeader(header []byte, data *io.SectionReader) (tensors []*Tensor, notes map[string]string, err error) {
	dec := json.NewDecoder(bytes.NewReader(header))
	dec.DisallowUnknownFields()
	if _, err := dec.Token(); err != nil { // '{', as Open saw
		return nil, nil, fmt.Errorf("safetensors: header: %w", err)
	}

	// Member by member, since a map would hide a name that stands twice.
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, nil, fmt.Errorf("safetensors: header: %w", err)
		}
		name := key.(string) // a JSON object's keys are strings
		if name == "__metadata__" {
			if err := dec.Decode(&notes); err != nil {
				return nil, nil, fmt.Errorf("safetensors: header: __metadata__: %w", err)
			}
			continue
		}

		var e entry
		if err := dec.Decode(&e); err != nil {
			return nil, nil, fmt.Errorf("safetensors: header: %s: %w", clip(name), err)
		}
		t, err := e.tensor(data)
		if err != nil {
			return nil, nil, fmt.Errorf("safetensors: %s: %w", clip(name), err)
		}
		if len(tensors) == maxTensors {
			return nil, nil, fmt.Errorf("safetensors: more than %d tensors", maxTensors)
		}
		t.Name = name
		tensors = append(tensors, t)
	}

	if _, err := dec.Token(); err != nil {
		return nil, nil, fmt.Errorf("safetensors: header: %w", err)
	}

	// Nothing may hide behind the object.
	if rest := bytes.TrimSpace(header[dec.InputOffset():]); len(rest) > 0 {
		return nil, nil, fmt.Errorf("safetensors: something follows the header's object")
	}
	return tensors, notes, nil
}

func (e *entry) tensor(data *io.SectionReader) (*Tensor, error) {
	switch {
	case e.DType == nil || e.Shape == nil || e.Offsets == nil:
		return nil, fmt.Errorf("needs dtype, shape and data_offsets")
	case e.DType.Size() == 0:
		return nil, fmt.Errorf("dtype %s is not supported", clip(string(*e.DType)))
	case len(e.Offsets) != 2 || e.Offsets[0] < 0 || e.Offsets[1] < e.Offsets[0] || e.Offsets[1] > data.Size():
		return nil, fmt.Errorf("data_offsets %v are not within the %d bytes of data", e.Offsets[:min(len(e.Offsets), 4)], data.Size())
	}

	n, err := elements(*e.Shape)
	if err != nil {
		return nil, err
	}

	// The offsets and the shape must say the same, or the rows would shift.
	length := e.Offsets[1] - e.Offsets[0]
	if length != int64(n)*int64(e.DType.Size()) {
		return nil, fmt.Errorf("%s of shape %v needs %d bytes, data_offsets give %d", *e.DType, *e.Shape, n*e.DType.Size(), length)
	}
	src := io.NewSectionReader(data, e.Offsets[0], length)
	return newTensor(*e.DType, *e.Shape, contiguous(*e.Shape), 0, int64(n), src, binary.LittleEndian)
}
