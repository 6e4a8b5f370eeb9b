package checkpoint

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// npDType is dtype(code, align, copy), for instance dtype('f8', False, True).
// Its byte order follows as state.
func (m *machine) npDType(args tuple) (any, error) {
	if len(args) < 1 {
		return nil, fmt.Errorf("no type code")
	}
	code, _ := args[0].(string)
	// Codes of text and objects are not listed; their dtype stays empty.
	types := map[string]DType{"f8": F64, "f4": F32, "f2": F16, "i8": I64, "i4": I32, "i2": I16, "i1": I8, "u1": U8, "b1": Bool}
	return &npType{dtype: types[code], order: binary.LittleEndian}, nil
}

// setState takes (version, byte order, None, …).
func (t *npType) setState(state any) error {
	s, ok := state.(tuple)
	if !ok || len(s) < 2 {
		return fmt.Errorf("numpy.dtype: state is %s", kindOf(state))
	}

	// Types of one byte have the order |, which says nothing.
	switch s[1] {
	case any("<"), any("|"), any("="):
		t.order = binary.LittleEndian
	case any(">"):
		t.order = binary.BigEndian
	default:
		if t.dtype != "" {
			return fmt.Errorf("numpy.dtype: unknown byte order")
		}
	}
	return nil
}

// npReconstruct is _reconstruct(ndarray, (0,), b'b'), an array to be filled.
func (m *machine) npReconstruct(args tuple) (any, error) {
	if len(args) != 3 || args[0] != any(global("numpy.ndarray")) {
		return nil, fmt.Errorf("expected numpy.ndarray")
	}
	return &npArray{}, nil
}

// setArray takes (version, shape, dtype, column-major, bytes).
func (m *machine) setArray(a *npArray, state any) error {
	s, ok := state.(tuple)
	if !ok || len(s) != 5 {
		return fmt.Errorf("numpy array: state is %s", kindOf(state))
	}

	// Elements that are no numbers leave an array that flatten passes over.
	if t, ok := s[2].(*npType); ok && t.dtype == "" {
		a.foreign = true
		return nil
	}
	shape, err := ints(s[1])
	if err != nil {
		return fmt.Errorf("numpy array: shape: %w", err)
	}

	// Type, order of dimensions, bytes: their sizes must agree.
	dtype, ok1 := s[2].(*npType)
	fortran, ok2 := s[3].(bool)
	data, ok3 := s[4].([]byte)
	if !ok1 || !ok2 || !ok3 {
		return fmt.Errorf("numpy array: state has an element of the wrong kind")
	}
	n, err := elements(shape)
	if err != nil {
		return fmt.Errorf("numpy array: %w", err)
	}
	if len(data) != n*dtype.dtype.Size() {
		return fmt.Errorf("numpy array: shape %v of %s needs %d bytes, found %d", shape, dtype.dtype, n*dtype.dtype.Size(), len(data))
	}

	// Fortran order has the first dimension innermost.
	stride := contiguous(shape)
	if fortran {
		for i, step := 0, 1; i < len(shape); i++ {
			stride[i] = step
			step *= max(shape[i], 1)
		}
	}
	a.tensor, err = newTensor(dtype.dtype, shape, stride, 0, int64(n), bytes.NewReader(data), dtype.order)
	return err
}

// npScalar is scalar(dtype, bytes), a number.
func (m *machine) npScalar(args tuple) (any, error) {
	if len(args) == 2 {
		// A type that is not known gives an instance, which is passed over unless it is needed.
		dtype, ok1 := args[0].(*npType)
		if ok1 && dtype.dtype == "" {
			return &object{class: "numpy.generic"}, nil
		}
		data, ok2 := args[1].([]byte)
		if ok1 && ok2 && len(data) == dtype.dtype.Size() {
			return newTensor(dtype.dtype, []int{}, []int{}, 0, 1, bytes.NewReader(data), dtype.order)
		}
	}
	return nil, fmt.Errorf("expected a type and the bytes of a number")
}

// encode is encode(text, 'latin1'): how protocol 2 spells bytes.
func (m *machine) encode(args tuple) (any, error) {
	if len(args) != 2 || args[1] != any("latin1") {
		return nil, fmt.Errorf("expected text and 'latin1'")
	}
	text, ok := args[0].(string)
	if !ok {
		return nil, fmt.Errorf("expected text, found %s", kindOf(args[0]))
	}

	// A pickle can copy one text again and again: all copies together are bounded.
	if m.copied += len(text); m.copied > maxCopy {
		return nil, fmt.Errorf("copies too much")
	}

	// Latin-1 is the first 256 characters of Unicode.
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 255 {
			return nil, fmt.Errorf("a character beyond latin1")
		}
		out = append(out, byte(r))
	}
	return out, nil
}
