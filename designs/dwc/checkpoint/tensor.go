package checkpoint

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// DType is the type of a tensor's elements.
type DType string

// The element types that are read.
const (
	F64  DType = "F64"
	F32  DType = "F32"
	F16  DType = "F16"
	BF16 DType = "BF16"
	I64  DType = "I64"
	I32  DType = "I32"
	I16  DType = "I16"
	I8   DType = "I8"
	U8   DType = "U8"
	Bool DType = "BOOL"
)

// Size returns the bytes of an element, 0 for an unknown type.
func (d DType) Size() int {
	switch d {
	case F64, I64:
		return 8
	case F32, I32:
		return 4
	case F16, BF16, I16:
		return 2
	case I8, U8, Bool:
		return 1
	}
	return 0
}

// Float reports whether the elements are floating-point numbers.
func (d DType) Float() bool { return d == F64 || d == F32 || d == F16 || d == BF16 }

// Limits on tensors. The largest that the authors' scripts can make, a
// learnable mapping for Humanoid with 4096 LUTs, has 0.6e9 elements.
const (
	maxDims     = 8
	maxElements = 1 << 31
	maxInMemory = 1 << 24 // elements that Float64s and Ints return
	maxSpan     = 1 << 28 // bytes that a strided tensor may span
)

// Tensor is an array that lies in a file. Its elements are read when asked for.
type Tensor struct {
	Name  string
	DType DType
	Shape []int // [] is a scalar

	stride []int // elements
	offset int64 // elements from the start of src
	src    io.ReaderAt
	order  binary.ByteOrder
}

// newTensor checks a view of a storage of numel elements.
func newTensor(dtype DType, shape, stride []int, offset, numel int64, src io.ReaderAt, order binary.ByteOrder) (*Tensor, error) {
	if len(shape) != len(stride) {
		return nil, fmt.Errorf("%d sizes but %d strides", len(shape), len(stride))
	}
	if _, err := elements(shape); err != nil {
		return nil, err
	}
	if offset < 0 || offset > numel {
		return nil, fmt.Errorf("offset %d in a storage of %d elements", offset, numel)
	}

	// The farthest element decides: a view with strides may skip or repeat parts of its storage.
	t := &Tensor{DType: dtype, Shape: shape, stride: stride, offset: offset, src: src, order: order}
	span, err := t.span()
	if err != nil {
		return nil, err
	}
	if span > numel-offset {
		return nil, fmt.Errorf("shape %v with strides %v at offset %d reaches beyond its storage of %d elements", shape, stride, offset, numel)
	}
	return t, nil
}

// elements returns the number of elements of a shape.
func elements(shape []int) (int, error) {
	if len(shape) > maxDims {
		return 0, fmt.Errorf("%d dimensions; at most %d", len(shape), maxDims)
	}
	n := 1

	// The bound holds at each step, so that the product cannot pass 64 bits.
	for _, s := range shape {
		if s < 0 || s > maxElements {
			return 0, fmt.Errorf("shape %v has a size out of range", shape)
		}
		if n *= s; n > maxElements {
			return 0, fmt.Errorf("shape %v has more than 2^31 elements", shape)
		}
	}
	return n, nil
}

// span returns one more than the distance from the first element to the last.
func (t *Tensor) span() (int64, error) {
	span := int64(1)

	for i, s := range t.Shape {
		if s == 0 {
			return 0, nil
		}
		if t.stride[i] < 0 || t.stride[i] > maxElements {
			return 0, fmt.Errorf("stride %d out of range", t.stride[i])
		}
		if span += int64(s-1) * int64(t.stride[i]); span > 1<<40 {
			return 0, fmt.Errorf("shape %v with strides %v is too large", t.Shape, t.stride)
		}
	}
	return span, nil
}

// Len returns the number of elements.
func (t *Tensor) Len() int {
	n, _ := elements(t.Shape) // checked by newTensor
	return n
}

// contiguous returns the row-major strides of a shape.
func contiguous(shape []int) []int {
	stride := make([]int, len(shape))
	n := 1
	for i := len(shape) - 1; i >= 0; i-- {
		stride[i] = n
		n *= max(shape[i], 1)
	}
	return stride
}

func (t *Tensor) isContiguous() bool {
	want := contiguous(t.Shape)
	for i, s := range t.Shape {
		if s != 1 && t.stride[i] != want[i] {
			return false
		}
	}
	return true
}

// Float64s returns all elements in row-major order, integers converted.
func (t *Tensor) Float64s() ([]float64, error) {
	if t.Len() > maxInMemory {
		return nil, fmt.Errorf("%s: %d elements are more than the %d that are read at once", t.Name, t.Len(), maxInMemory)
	}

	out := make([]float64, 0, t.Len())
	err := t.each(func(v []float64) error {
		out = append(out, v...)
		return nil
	})
	return out, err
}

// Ints returns all elements of an integer tensor in row-major order.
func (t *Tensor) Ints() ([]int, error) {
	if t.DType.Float() {
		return nil, fmt.Errorf("%s: elements are %s, not integers", t.Name, t.DType)
	}
	v, err := t.Float64s()
	if err != nil {
		return nil, err
	}

	// Beyond 2^53 a float64 does not hold each integer.
	out := make([]int, len(v))
	for i, x := range v {
		if math.Abs(x) > 1<<53 {
			return nil, fmt.Errorf("%s: element %d, about %g, is out of range", t.Name, i, x)
		}
		out[i] = int(x)
	}
	return out, nil
}

// Rows calls f with each row of a matrix in order. The slice is reused.
func (t *Tensor) Rows(f func(row int, values []float64) error) error {
	if len(t.Shape) != 2 {
		return fmt.Errorf("%s: shape %v is not a matrix", t.Name, t.Shape)
	}
	width := t.Shape[1]
	if width == 0 || t.Shape[0] == 0 {
		return nil
	}
	if width > maxInMemory {
		return fmt.Errorf("%s: rows of %d elements; at most %d", t.Name, width, maxInMemory)
	}

	// Chunks do not end at rows.
	row, buf := 0, make([]float64, 0, width)
	return t.each(func(v []float64) error {
		for len(v) > 0 {
			n := min(width-len(buf), len(v))
			buf, v = append(buf, v[:n]...), v[n:]
			if len(buf) < width {
				return nil
			}
			if err := f(row, buf); err != nil {
				return err
			}
			row, buf = row+1, buf[:0]
		}
		return nil
	})
}

// chunk is the number of elements read at a time.
const chunk = 1 << 14

// each calls f with consecutive pieces of the elements in row-major order.
func (t *Tensor) each(f func([]float64) error) error {
	n := t.Len()
	if n == 0 {
		return nil
	}
	if !t.isContiguous() {
		return t.eachStrided(n, f)
	}

	// Contiguous data passes through two buffers of bounded size.
	raw := make([]byte, min(n, chunk)*t.DType.Size())
	values := make([]float64, min(n, chunk))
	for at := 0; at < n; at += chunk {
		k := min(chunk, n-at)
		if err := t.readAt(raw[:k*t.DType.Size()], t.offset+int64(at)); err != nil {
			return err
		}
		t.decode(values[:k], raw)
		if err := f(values[:k]); err != nil {
			return err
		}
	}
	return nil
}

// eachStrided holds the whole span in memory and walks it by the strides.
func (t *Tensor) eachStrided(n int, f func([]float64) error) error {
	span, err := t.span()
	if err != nil {
		return err
	}
	size := t.DType.Size()
	if span > int64(maxSpan/size) || n > maxInMemory {
		return fmt.Errorf("%s: a strided view of %d elements over %d is too large; save a contiguous tensor", t.Name, n, span)
	}

	raw := make([]byte, int(span)*size)
	if err := t.readAt(raw, t.offset); err != nil {
		return err
	}

	// Count the index up like an odometer, the last dimension first.
	index := make([]int, len(t.Shape))
	values := make([]float64, 0, min(n, chunk))
	var one [1]float64
	for range n {
		at := 0
		for d, i := range index {
			at += i * t.stride[d]
		}
		t.decode(one[:], raw[at*size:])
		values = append(values, one[0])
		if len(values) == cap(values) {
			if err := f(values); err != nil {
				return err
			}
			values = values[:0]
		}
		for d := len(index) - 1; d >= 0; d-- {
			if index[d]++; index[d] < t.Shape[d] {
				break
			}
			index[d] = 0
		}
	}
	if len(values) == 0 {
		return nil
	}
	return f(values)
}

func (t *Tensor) readAt(raw []byte, element int64) error {
	n, err := t.src.ReadAt(raw, element*int64(t.DType.Size()))
	if n == len(raw) {
		return nil // with or without io.EOF beside it
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s: %w", t.Name, err)
}
